import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, readJson } from '../contract/json/json.ts';
import { ALGORITHM, keyIdOf, type OpenSigning, type PublishedKey, type Signature } from '../contract/signing.ts';
import { isoSeconds } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import { deskKeyMissing, type SharedSecrets } from '../mirror/rules/sealing.ts';
import type { Platform } from '../platform/platform.ts';

/** Storage of a server's keys. */
export interface KeyStore {
  read(): Promise<readonly StoredSigningKey[]>;
  /** Adds a key that signs; `seed` is its private half. */
  add(published: PublishedKey, seed: Uint8Array): Promise<void>;
  /** Replaces a key by its public half. */
  retire(key: StoredSigningKey, published: PublishedKey): Promise<void>;
  /** The error for a signing key whose private half is not on this machine. */
  missing(keyId: string): MacroError;
}

/** A key with its private half, as long as it signs and this machine may know it. */
export interface StoredSigningKey {
  readonly published: PublishedKey;
  readonly privateKey: KeyObject | undefined;
  /** Its file, or its name in a database, for people. */
  readonly place: string;
}

export interface SigningOptions {
  readonly platform: Pick<Platform, 'files' | 'random' | 'os'>;
  /** The folder of this server's keys: one for each mirror that is served. */
  readonly folder: string;
}

/** The bytes before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const REMEMBERED = 1_000;

/**
 * The keys of a server, made when needed and read again for each answer that is signed; the newest active one signs. Equal bytes
 * keep signature and time, since an unchanged answer must not look changed.
 */
export function openSigning(store: KeyStore, random: Pick<Platform['random'], 'bytes'>): OpenSigning {
  const signatures = new Map<string, Signature>();
  return async (now) => {
    let keys = await store.read();
    if (!keys.some(isActive)) {
      const seed = random.bytes(32);
      await store.add(publish(privateKeyOf(seed), isoSeconds(now)), seed);
      // Another host may have made one at the same time: all of them take the same for the newest.
      keys = await store.read();
    }
    return {
      keys: () => keys.map(({ published }) => published),
      sign(bytes, at) {
        const { published: { key_id = '' } = {}, privateKey } = activeKey(keys) ?? {};
        const name = `${key_id} ${Buffer.from(bytes).toString('base64')}`;
        const known = signatures.get(name);
        if (known) return known;
        if (!privateKey) throw store.missing(key_id);
        if (signatures.size >= REMEMBERED) signatures.clear();
        const signature: Signature = {
          algorithm: ALGORITHM,
          key_id,
          signature: sign(null, bytes, privateKey).toString('base64'),
          signed_at: isoSeconds(at),
        };
        signatures.set(name, signature);
        return signature;
      },
    };
  };
}

/** Retires the keys that sign. Their public halves stay listed; the private ones are gone. `now` is in Unix seconds. */
export async function retireKeys(store: KeyStore, now: number): Promise<readonly string[]> {
  const active = (await store.read()).filter(isActive);
  for (const key of active)
    await store.retire(key, { ...key.published, status: 'retired', valid_until: isoSeconds(now) });
  return active.map(({ published }) => published.key_id);
}

const isActive = ({ published }: StoredSigningKey): boolean => published.status === 'active';

function activeKey(keys: readonly StoredSigningKey[]): StoredSigningKey | undefined {
  const order = ({ published }: StoredSigningKey) => `${published.valid_from} ${published.key_id}`;
  const [newest] = keys.filter(isActive).sort((a, b) => (order(a) < order(b) ? 1 : -1));
  return newest;
}

/** Keys of a mirror in a file, each in a file that nobody else may read. */
export function keyFiles({ platform, folder }: SigningOptions): KeyStore {
  const { files } = platform;
  const write = (file: string, content: object) => files.write(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
  return {
    async read() {
      if (!files.exists(folder)) return [];
      const names = files.list(folder).filter((name) => /^ed25519-[0-9a-f]{16}\.json$/.test(name));
      return names.map((name) => readKeyFile(platform, join(folder, name)));
    },
    async add(published, seed) {
      files.makeFolder(folder, 0o700);
      const private_seed = Buffer.from(seed).toString('base64');
      write(join(folder, `${published.key_id}.json`), { ...published, private_seed });
    },
    retire: async ({ place }, published) => write(place, published),
    missing: (keyId) => broken(join(folder, `${keyId}.json`)),
  };
}

/** Keys of a mirror that several machines serve: their private halves in its database, sealed with the desk key. */
export function sharedKeys(shared: SharedSecrets): KeyStore {
  const { table, sealing } = shared;
  const stored = (published: PublishedKey, sealed: string | undefined) =>
    ({ kind: 'record', name: published.key_id, sealed, facts: JSON.stringify(published) }) as const;
  return {
    async read() {
      return (await table.stored('record')).map(({ name, sealed, facts }) => {
        const seed = sealed === undefined ? undefined : sealing?.open('record', name, sealed);
        return storedKey(parseKey(facts, name), { seed, place: name });
      });
    },
    async add(published, seed) {
      // A host that can seal nothing waits for the key of another one.
      if (!sealing) return;
      await table.add(stored(published, sealing.seal('record', published.key_id, seed)));
    },
    retire: (_, published) => table.put(stored(published, undefined)),
    missing: () => deskKeyMissing(shared, 'sign settlement records'),
  };
}

function publish(privateKey: KeyObject, validFrom: string): PublishedKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { ...publicHalf(Buffer.from(x, 'base64url')), status: 'active', valid_from: validFrom };
}

function publicHalf(raw: Buffer): Omit<PublishedKey, 'status' | 'valid_from'> {
  const key_id = keyIdOf(raw);
  const jwk = { kty: 'OKP', crv: ALGORITHM, x: raw.toString('base64url'), kid: key_id };
  return { key_id, algorithm: ALGORITHM, public_key: raw.toString('base64'), jwk };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

function readKeyFile({ files, os }: SigningOptions['platform'], file: string): StoredSigningKey {
  if (os !== 'windows' && ((files.mode(file) ?? 0) & 0o077) !== 0)
    throw new MacroError('mirror', `Others can read the signing key ${file}.`, { hint: `Type: chmod 600 ${file}` });
  const { private_seed: seed, ...facts } = parseKey(files.readText(file), file);
  const bytes = typeof seed === 'string' ? Buffer.from(seed, 'base64') : undefined;
  const key = storedKey(facts, { seed: bytes, place: file });
  return isActive(key) && !key.privateKey ? broken(file) : key;
}

/** A key as it was stored; its private half must be that of its public one. */
function storedKey(
  facts: JsonObject,
  { seed, place }: { seed: Uint8Array | undefined; place: string },
): StoredSigningKey {
  const status = facts.status === 'retired' ? 'retired' : 'active';
  const privateKey = status === 'active' && seed?.length === 32 ? privateKeyOf(seed) : undefined;
  const raw = Buffer.from(typeof facts.public_key === 'string' ? facts.public_key : '', 'base64');
  const publicKey = raw.length === 32 ? publicHalf(raw) : broken(place);
  if (privateKey && publish(privateKey, '').key_id !== publicKey.key_id) broken(place);
  const published: PublishedKey = {
    ...publicKey,
    status,
    valid_from: String(facts.valid_from),
    ...(typeof facts.valid_until === 'string' && { valid_until: facts.valid_until }),
  };
  return { published, place, privateKey };
}

function parseKey(text: string, file: string): JsonObject {
  try {
    const value: unknown = readJson(text);
    return isJsonObject(value) ? value : broken(file);
  } catch (cause) {
    return broken(file, cause);
  }
}

function broken(file: string, cause?: unknown): never {
  if (cause instanceof MacroError) throw cause;
  throw new MacroError('mirror', `The signing key ${file} is damaged.`, {
    hint: 'Put its backup in its place, or take it away: a new key is made, and records signed with this one stay as they are.',
    ...(cause !== undefined && { cause }),
  });
}
