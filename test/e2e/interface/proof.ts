import { needsKey } from '../../../src/contract/access.ts';
import { isOffline } from '../../../src/contract/capabilities.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { type Json, jsonEqual } from '../../../src/contract/json/json.ts';
import type { RawArgs } from '../../../src/contract/params/param.ts';
import { readParams } from '../../../src/contract/params/read-params.ts';
import type { Fetch } from '../../../src/platform/platform.ts';
import { lineOf } from '../../laws/wire.ts';
import { TEST_NOW } from '../../support/platform.ts';
import { difference } from './difference.ts';
import { comparable } from './left-out.ts';
import { PINS } from './legal-values.ts';
import { type Machine, machine, type Outcome } from './world.ts';

/** Answers that no sync can bring whole, and why; `without` these parameters. */
const NEVER_HELD: Readonly<Record<string, { readonly without?: readonly string[]; readonly reason: string }>> = {
  calendar_coverage: { reason: 'a filter counts versions again by their capture, which takes the whole archive' },
  capabilities: { without: ['currency'], reason: 'speaks of all currencies, and a sync brings one' },
  coverage_matrix: { without: ['currency'], reason: 'speaks of all currencies, and a sync brings one' },
};

export interface Asked {
  readonly endpoint: Endpoint;
  readonly raw: RawArgs;
  readonly key: string | undefined;
}

/**
 * Refusals of the service that are as they should be: the series has no such form, the sandbox does not offer it, or has
 * no capture times that tell what was known (daily yields).
 */
const REFUSALS: readonly string[] = ['unsupported_series_option', 'not_mirrored', 'not_known_then'];

/**
 * What is wrong with the answers to one question; nothing when all holds. Walk: the service is asked; without a key where
 * one is needed, nothing may be sent. The mirror that was filled on the way, and one that a sync alone has filled (`synced`),
 * then give the same answer: at once, or once the sync has run that they name, be it in a refusal or in a note.
 */
export async function prove(asked: Asked, service: Fetch, synced: Machine): Promise<readonly string[]> {
  const { endpoint, raw, key } = asked;
  const line = lineOf(endpoint, raw);
  const asking = machine(service, key);
  const live = await asking.run(endpoint.cli ? `${line} --live` : line);
  if (isRefusedWithout(asked)) return refusalOf(live, endpoint);
  if (live.code !== 0) return REFUSALS.includes(live.told?.code ?? '') ? [] : [tell(live, 'the service was to answer')];
  if (!isOffline(endpoint)) return [];
  const expected = { live, comparable: comparable(live.body, { id: endpoint.id, keyless: key === undefined }) };
  const own = await offline(asking, asked, expected);
  const bySync = await offline(synced, asked, expected);
  return [...own.map((one) => `filled by the answer: ${one}`), ...bySync.map((one) => `filled by sync: ${one}`)];
}

function isRefusedWithout({ endpoint, raw, key }: Asked): boolean {
  if (key !== undefined) return false;
  const { args } = readParams(endpoint, raw, { mode: 'strict', now: TEST_NOW });
  if (endpoint.access.late) return !String(args.contract_id).startsWith('usd_');
  return needsKey(endpoint.access, args);
}

/** Before a request that costs quota, except where the service has more to tell than that a key is needed, or alone knows the currency. */
function refusalOf(live: Outcome, { refusal, access }: Endpoint): readonly string[] {
  const asks = refusal !== undefined || access.late ? 1 : 0;
  return live.code === 4 && live.requests === asks ? [] : [tell(live, 'a key was to be asked for')];
}

interface Expected {
  readonly live: Outcome;
  readonly comparable: Json;
}

async function offline(mirror: Machine, asked: Asked, expected: Expected): Promise<readonly string[]> {
  const line = `${lineOf(asked.endpoint, asked.raw)} --offline`;
  const run: string[] = [];
  for (;;) {
    const answer = await mirror.run(line);
    if (isSame(answer, asked, expected) || isOtherState(answer, asked)) return [];
    const words = syncNamed(answer);
    if (words === undefined && isNeverHeld(answer, asked)) return [];
    if (words === undefined || run.includes(words))
      return [tell(answer, differenceFrom(answer, asked, expected), `after ${run.join('; ') || 'no sync'}`)];
    const sync = await mirror.run(words);
    if (sync.code !== 0) return [tell(sync, `named by ${line}`)];
    run.push(words);
  }
}

/** A pin names a state of the service: a mirror that is filled in another way has another one, and says so. */
function isOtherState({ code }: Outcome, { raw }: Asked): boolean {
  return code === 10 && PINS.some((name) => raw.query[name] !== undefined);
}

/** What no sync can bring is refused as such, and the service named, or a note says what the answer is made of. */
function isNeverHeld({ code, told, notes }: Outcome, { endpoint, raw }: Asked): boolean {
  const known = NEVER_HELD[endpoint.id];
  if (!known || known.without?.some((name) => raw.query[name] !== undefined)) return false;
  if (code === 0) return notes.some((note) => note.startsWith('Made of '));
  return code === 3 && /leave out --offline/.test(told?.hint ?? '');
}

function isSame(answer: Outcome, asked: Asked, { comparable: wanted }: Expected): boolean {
  return answer.code === 0 && jsonEqual(cut(answer, asked), wanted);
}

function cut({ body }: Outcome, { endpoint, key }: Asked): Json {
  return comparable(body, { id: endpoint.id, keyless: key === undefined });
}

/** The words of the sync that an answer or a refusal names. */
function syncNamed({ told, notes }: Outcome): string | undefined {
  const text = [told?.hint ?? '', ...notes].join('\n');
  return /macro (sync [a-z].*?|[a-z].*? --live)\.?$/m.exec(text)?.[1];
}

function differenceFrom(answer: Outcome, asked: Asked, { comparable: wanted }: Expected): string {
  return answer.code === 0 ? difference(wanted, cut(answer, asked)).slice(0, 4).join('; ') : 'no answer';
}

function tell({ line, code, told }: Outcome, ...why: readonly string[]): string {
  return [`${line} -> exit ${code}`, ...why, ...(told ? [`${told.message} ${told.hint ?? ''}`] : [])].join(' | ');
}
