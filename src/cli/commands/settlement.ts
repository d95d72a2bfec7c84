import { resolve } from 'node:path';
import { type Json, parseJson, readJson } from '../../contract/json/json.ts';
import {
  type ListedKey,
  listedKeys,
  type Verdict,
  type VerifyResult,
  verifyRecord,
} from '../../derive/settlement/verify.ts';
import { type ErrorKind, MacroError } from '../../errors.ts';
import type { App } from '../app/app.ts';
import { inputBytes, textOption } from '../parse/options.ts';
import type { OwnRows } from '../print/listing.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';
import { onlyWord } from './require.ts';

export default [
  {
    path: ['settlement', 'verify'],
    summary: 'Verify a signed settlement record, offline: exit 0 valid, 9 invalid, 10 unsigned, 3 unknown key',
    words: `file: the record as JSON; - reads standard input`,
    options: [`--keys FILE: public keys as JSON; default: those of settlement keys in the mirror`, LISTING],
    examples: ['settlement verify record.json', 'settlement verify - --keys keys.json < record.json'],
    rows: `result valid|invalid|unsigned|unknown_key, reason? any, contract_id? any, currency? any, indicator? any,
      period? any, status? any, key_id? any, key_status? any, signed_at? any, sha256? any, detail? any`,
    run: verifySettlement,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = ['result', 'reason', 'currency', 'indicator', 'period', 'key_id', 'key_status', 'detail'] as const;

/** Only a valid signature is a success: nothing else proves anything, and each way of failing has its own code. */
const FAILURES: Readonly<Record<Exclude<VerifyResult, 'valid'>, ErrorKind>> = {
  invalid: 'verification',
  unsigned: 'incomplete',
  unknown_key: 'notFound',
};

const HINTS: Readonly<Record<Exclude<VerifyResult, 'valid'>, string>> = {
  invalid: 'Do not settle anything by it: fetch the record again from its publisher.',
  unsigned: 'Unsigned records are legal, but nobody vouches for them.',
  unknown_key: 'Bring the publisher’s keys with macro sync settlement keys, or name a file with --keys.',
};

/** Judges a record against published keys, from a file or from the mirror. Nobody is contacted. */
async function verifySettlement(app: App, call: Call): Promise<void> {
  const file = onlyWord(call, 'settlement verify', 'FILE (- for standard input)');
  const keyFile = textOption(call.options, 'keys');
  const keys = keyFile === undefined ? await mirroredKeys(app) : readKeyFile(app, keyFile);
  const verdict = verifyRecord(await readText(app, file), keys);
  await app.list(listVerdict(verdict));
  if (verdict.result === 'valid') return;
  throw new MacroError(FAILURES[verdict.result], verdict.detail, {
    code: verdict.reason,
    hint: HINTS[verdict.result],
    extra: { result: verdict.result },
  });
}

/** The text of the record; empty for bytes that are no UTF-8, which no record can have. */
async function readText({ platform }: App, file: string): Promise<string> {
  const bytes = await inputBytes(platform, file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

async function mirroredKeys(app: App): Promise<readonly ListedKey[]> {
  const held = await app.mirrorIfAny();
  if (!held) return [];
  return held.mirror.snapshot(async (reader) => {
    const series = await reader.find({ endpoint: 'settlement_keys', scope: {} });
    const rows = await Promise.all(series.map((one) => reader.rows(one, {})));
    return listedKeys(rows.flat().map(({ text }): Json => readJson(text))) ?? [];
  });
}

function readKeyFile({ platform }: App, file: string): readonly ListedKey[] {
  const text = platform.files.readText(resolve(platform.cwd, file));
  const keys = listedKeys(parseJson(text));
  if (keys) return keys;
  throw new MacroError('usage', `${file} has no public keys.`, {
    code: 'bad_keys_file',
    hint: 'Save the answer of the keys route, as in macro settlement keys -o keys.json.',
  });
}

function listVerdict({ result, reason, detail, record, attestation, sha256, key }: Verdict): OwnRows {
  const { contract_id, currency, indicator, period, status } = record;
  const signed = { key_id: attestation.key_id, key_status: key?.entry.status, signed_at: attestation.signed_at };
  const row = { result, reason, contract_id, currency, indicator, period, status, ...signed, sha256, detail };
  return { columns: COLUMNS, rows: [row], title: [`Settlement record: ${result.replace('_', ' ')}`] };
}
