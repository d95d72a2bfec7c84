import { dirname } from 'node:path';
import { isJsonObject, parseJson } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import type { SecretTable } from '../mirror/api/shared.ts';
import { createSealing, type SharedSecrets } from '../mirror/rules/sealing.ts';
import type { Platform } from '../platform/platform.ts';

export interface DeskKeyOptions {
  readonly platform: Pick<Platform, 'files' | 'random' | 'os' | 'host'>;
  readonly table: SecretTable;
  /** Id of the mirror: a secret sealed for one mirror opens in no other. */
  readonly mirror: string;
  /** The file of the key. */
  readonly file: string;
}

/** The secrets of a shared mirror; `isNew` where this host made the desk key just now. */
export interface OpenedDesk extends SharedSecrets {
  readonly isNew: boolean;
}

const FORM = /^desk_([0-9a-f]{64})$/;

/** A text sealed by the desk key, so another key shows before it signs anything. */
const MARK = 'desk';

/**
 * The secrets of a mirror that several machines serve. Its first host makes the desk key. A host without the file can
 * read public data only. The file is written before its mark in the database, so that no mark is without a key. If two
 * hosts start at once, the first mark counts.
 * @throws MacroError of kind `mirror` where the file has another key.
 */
export async function openDesk({ platform, table, mirror, file }: DeskKeyOptions): Promise<OpenedDesk> {
  const { files, random, host } = platform;
  const [found] = await table.stored('desk');
  const isThere = files.exists(file);
  if (found && !isThere) return { table, sealing: undefined, madeBy: hostIn(found.facts), isNew: false };
  if (!isThere) {
    files.makeFolder(dirname(file), 0o700);
    files.write(file, `desk_${Buffer.from(random.bytes(32)).toString('hex')}\n`, 0o600);
  }
  const sealing = createSealing(readKey(platform, file), mirror, random);
  if (!found) {
    const sealed = sealing.seal('desk', MARK, Buffer.from(MARK));
    const isFirst = await table.add({ kind: 'desk', name: MARK, sealed, facts: JSON.stringify({ host }) });
    if (isFirst) return { table, sealing, madeBy: host, isNew: !isThere };
    // Another host was faster. A key that was made here is of no use to anybody.
    if (!isThere) files.remove(file);
    return openDesk({ platform, table, mirror, file });
  }
  try {
    sealing.open('desk', MARK, found.sealed ?? '');
  } catch (cause) {
    throw new MacroError('mirror', `The file ${file} has another desk key than the machines of this mirror.`, {
      code: 'desk_key_wrong',
      hint: `Copy the key that ${hostIn(found.facts)} made, and name it with --desk-key FILE or MACRO_DESK_KEY_FILE.`,
      cause,
    });
  }
  return { table, sealing, madeBy: hostIn(found.facts), isNew: false };
}

function readKey({ files, os }: DeskKeyOptions['platform'], file: string): Uint8Array {
  if (os !== 'windows' && ((files.mode(file) ?? 0) & 0o077) !== 0)
    throw new MacroError('mirror', `Others can read the desk key ${file}.`, { hint: `Type: chmod 600 ${file}` });
  const [, digits] = FORM.exec(files.readText(file).trim()) ?? [];
  if (digits !== undefined) return Buffer.from(digits, 'hex');
  throw new MacroError('mirror', `The file ${file} is no desk key.`, {
    code: 'desk_key_wrong',
    hint: 'Copy it again from a machine that serves this mirror: it is one line that begins with desk_.',
  });
}

function hostIn(facts: string): string {
  const found = parseJson(facts);
  return isJsonObject(found) && typeof found.host === 'string' ? found.host : 'another machine';
}
