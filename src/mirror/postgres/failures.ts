import { MacroError } from '../../errors.ts';
import { type Meaning, storageErrorOf } from '../rules/failures.ts';

const UNREACHABLE: Meaning = [
  'cannot be reached',
  'Check that the server runs, and the host and port of the address, then run the command again.',
  'mirror_unreachable',
];
const REFUSED: Meaning = [
  'does not let this user in',
  'Check the user, and give the password as PGPASSWORD or in the file of PGPASSFILE (~/.pgpass).',
];
const UNTRUSTED: Meaning = [
  'cannot be trusted: its certificate is not valid',
  'Name who signed it with sslrootcert=FILE, or check the host of the address.',
];
const LOCKED: Meaning = [
  'is locked by another program',
  'Wait until that program is done, and try again.',
  'mirror_locked',
];
export const DAMAGED: Meaning = [
  'is damaged',
  'Keep a copy of the files of the server, then restore a backup, or name another schema and run `macro sync`.',
  'mirror_damaged',
];

const NO_ROOM: Meaning = [
  'has no room for another connection',
  'Wait until others are done, or let the server or its pooler take more.',
  'mirror_locked',
];
const ENDED: Meaning = [
  'ended a change that was under way',
  'Run the command again; nothing of the change was stored.',
  'mirror_unreachable',
];

const ofCodes = (codes: string, meaning: Meaning) =>
  Object.fromEntries(codes.split(' ').map((code) => [code, meaning]));

/** By the error code of the server or of the network. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ...ofCodes(
    'ECONNREFUSED ENOTFOUND EAI_AGAIN ENOENT EACCES EHOSTUNREACH ENETUNREACH ETIMEDOUT ECONNRESET EPIPE',
    UNREACHABLE,
  ),
  ...ofCodes('28000 28P01', REFUSED),
  ...ofCodes('55P03 40P01 40001', LOCKED),
  ...ofCodes('25P02 25P03 25P04', ENDED),
  ...ofCodes('3F000 42P01 XX001 XX002', DAMAGED),
  ...ofCodes('SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED),
  ...ofCodes('UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID', UNTRUSTED),
  UNWANTED: [
    'has no server of the kind that target_session_attrs names',
    'Check the servers of the address, or name another kind.',
    'mirror_unreachable',
  ],
  '57014': [
    'took longer than the server allows, or was stopped there',
    'Ask for less at once, or raise statement_timeout for this user.',
  ],
  '57P04': ['cannot be opened: its database was dropped', 'Restore a backup, or name another database.'],
  '53300': NO_ROOM,
  '3D000': ['cannot be opened: the server has no such database', 'Make it with createdb, or name another one.'],
  '42501': [
    'cannot be used: this user may not',
    'Its owner grants the rights with: macro mirror prepare --grant-to ROLE. Or name another schema with ?schema=.',
  ],
  '25006': ['cannot be written: the server is a copy that only reads', 'Name the server that takes writes.'],
  '42704': ['cannot be granted: the server has no such role', 'Make it with createuser, or name another one.'],
  '53100': ['cannot grow: the disk of the server is full', 'Free some space; nothing was lost.', 'mirror_full'],
  '22021': ['cannot store a text with the character NUL', 'Keep this series in a file: --mirror FILE.'],
  '42703': ['was written by another version of this program', 'Run `macro sync` once: it adds the missing parts.'],
};

/** By the first two characters of a code, where a code has no meaning of its own. */
const CLASSES: Readonly<Record<string, Meaning>> = {
  '08': UNREACHABLE,
  '53': [
    'has not enough of something that it needs: memory, disk or another limit',
    'Its log says what.',
    'mirror_full',
  ],
  '57': UNREACHABLE,
  '58': ['met an error of the system that the server runs on', 'Its log says what.'],
};

/** How a pooler says that it has no connection to give. */
const POOLER_IS_FULL = /query_wait_timeout|no more connections allowed|too many connections/i;

/** Messages of the driver that have no code. */
const SENTENCES: readonly (readonly [start: string, meaning: Meaning])[] = [
  ['Connection terminated', UNREACHABLE],
  ['Client has encountered a connection error', UNREACHABLE],
  ['timeout exceeded when trying to connect', UNREACHABLE],
  ['Query read timeout', UNREACHABLE],
  ['The server does not support SSL', ['speaks no TLS', 'Switch it on in the server, or say sslmode=prefer.']],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password', REFUSED],
];

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The meaning of an error of the server, the driver or the network; undefined for a bug of ours. */
function meaningOf(error: Error): Meaning | undefined {
  if (hasNoRoom(error)) return NO_ROOM;
  const code = codeOf(error);
  const own = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  const ofClass = code.length === 5 ? CLASSES[code.slice(0, 2)] : undefined;
  return own ?? ofClass ?? SENTENCES.find(([start]) => error.message.startsWith(start))?.[1];
}

/** The server, or a pooler before it, has no connection to give now. */
export function hasNoRoom(error: unknown): boolean {
  return codeOf(error) === '53300' || (error instanceof Error && POOLER_IS_FULL.test(error.message));
}

/** The connection is gone, or was never there. */
export function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && meaningOf(error) === UNREACHABLE;
}

/** The server knows the user, or the password, or not. */
export function isRefusedUser(error: unknown): boolean {
  return error instanceof Error && meaningOf(error) === REFUSED;
}

/** The server takes no writes. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

/** Another try of the same transaction may do: the server took this one back for another one's sake. */
export function isTakenBack(error: unknown): boolean {
  const cause = error instanceof MacroError ? error.cause : error;
  return ['40001', '40P01'].includes(codeOf(cause));
}

/** Turns an error of the server, the driver or the network into a `mirror` error; gives anything else back as it is. */
function serverFailure(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MacroError) return error;
  const meaning = meaningOf(error);
  if (!meaning) return error;
  return storageErrorOf(name, meaning, error, meaning === NO_ROOM ? ROOM_SECONDS : undefined);
}

/** Seconds after which there may be room. */
const ROOM_SECONDS = 1;

/** Waits for work with the server and translates what it throws. @throws MacroError of kind `mirror`. */
export async function translatingServer<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw serverFailure(name, error);
  }
}
