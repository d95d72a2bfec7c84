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
  'cannot be trusted: its certificate does not hold',
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

/** By the error code of the server or of the network. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ENOENT: UNREACHABLE,
  EACCES: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EPIPE: UNREACHABLE,
  '08006': UNREACHABLE,
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '53300': [
    'has no room for another connection',
    'Wait until others are done, or let the server take more.',
    'mirror_locked',
  ],
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': ['cannot be opened: the server has no such database', 'Make it with createdb, or name another one.'],
  '42501': ['cannot be used: this user may not', 'Grant the user the schema, or name another one with ?schema=.'],
  '25006': ['cannot be written: the server is a copy that only reads', 'Name the server that takes writes.'],
  '55P03': LOCKED,
  '40P01': LOCKED,
  '40001': LOCKED,
  '25P03': [
    'was left waiting too long inside of a change',
    'Run the command again; nothing of it was kept.',
    'mirror_unreachable',
  ],
  '53100': ['cannot grow: the disk of the server is full', 'Free some space; nothing was lost.', 'mirror_full'],
  '22021': ['cannot hold a text with the character NUL', 'Keep this series in a file: --mirror FILE.'],
  '42P01': DAMAGED,
  XX001: DAMAGED,
  XX002: DAMAGED,
  '42703': ['was written by another version of this program', 'Run `macro sync` once: it adds what is missing.'],
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
};

/** What the driver says without a code. */
const SENTENCES: readonly (readonly [start: string, meaning: Meaning])[] = [
  ['Connection terminated', UNREACHABLE],
  ['Client has encountered a connection error', UNREACHABLE],
  ['timeout exceeded when trying to connect', UNREACHABLE],
  ['The server does not support SSL', ['speaks no TLS', 'Switch it on in the server, or say sslmode=prefer.']],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password', REFUSED],
];

/** Turns an error of the server, the driver or the network into a `mirror` error; gives anything else back as it is. */
function serverFailure(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MacroError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const own = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  const meaning = own ?? SENTENCES.find(([start]) => error.message.startsWith(start))?.[1];
  return meaning ? storageErrorOf(name, meaning, error) : error;
}

/** Waits for work with the server and translates what it throws. @throws MacroError of kind `mirror`. */
export async function translatingServer<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw serverFailure(name, error);
  }
}
