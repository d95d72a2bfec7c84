import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, readJson } from '../contract/json/json.ts';
import { ALGORITHM, keyIdOf, type PublishedKey, type Signature, type Signing } from '../contract/signing.ts';
import { isoSeconds } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';

export interface SigningOptions {
  readonly platform: Pick<Platform, 'files' | 'random' | 'os'>;
  /** Where the keys of this server are kept: one folder for each mirror that is served. */
  readonly folder: string;
}

/** A key with its private half, as long as it signs. */
interface HeldKey {
  readonly published: PublishedKey;
  readonly file: string;
  readonly privateKey: KeyObject | undefined;
}

/** What stands before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const REMEMBERED = 1_000;

/**
 * The keys of a server, each in its own file, made when needed; the newest active one signs. Equal bytes keep signature
 * and time, since an unchanged answer must not look changed.
 */
export function openSigning(options: SigningOptions): Signing {
  const signatures = new Map<string, Signature>();
  const activeKeys = (now: number) => {
    const keys = readKeys(options);
    return keys.some(({ privateKey }) => privateKey) ? keys : [...keys, makeKey(options, now)];
  };
  return {
    keys: (now) => activeKeys(now).map(({ published }) => published),
    sign(bytes, now) {
      const { published, privateKey } = activeKey(activeKeys(now));
      const name = `${published.key_id} ${Buffer.from(bytes).toString('base64')}`;
      const known = signatures.get(name);
      if (known) return known;
      if (signatures.size >= REMEMBERED) signatures.clear();
      const signature: Signature = {
        algorithm: ALGORITHM,
        key_id: published.key_id,
        signature: sign(null, bytes, privateKey).toString('base64'),
        signed_at: isoSeconds(now),
      };
      signatures.set(name, signature);
      return signature;
    },
  };
}

/** Retires the keys that sign. Their public halves stay listed; the private ones are gone. `now` is in Unix seconds. */
export function retireKeys(options: SigningOptions, now: number): readonly string[] {
  const active = readKeys(options).filter(({ privateKey }) => privateKey);
  for (const { file, published } of active) {
    const retired: PublishedKey = { ...published, status: 'retired', valid_until: isoSeconds(now) };
    options.platform.files.write(file, `${JSON.stringify(retired, null, 2)}\n`, 0o600);
  }
  return active.map(({ published }) => published.key_id);
}

function activeKey(keys: readonly HeldKey[]): { published: PublishedKey; privateKey: KeyObject } {
  const order = ({ published }: HeldKey) => `${published.valid_from} ${published.key_id}`;
  const [newest] = keys.filter(({ privateKey }) => privateKey).sort((a, b) => (order(a) < order(b) ? 1 : -1));
  if (!newest?.privateKey) throw new Error('No signing key was made');
  return { published: newest.published, privateKey: newest.privateKey };
}

function makeKey({ platform, folder }: SigningOptions, now: number): HeldKey {
  const seed = platform.random.bytes(32);
  const privateKey = privateKeyOf(seed);
  const published = publish(privateKey, isoSeconds(now));
  const file = join(folder, `${published.key_id}.json`);
  platform.files.makeFolder(folder, 0o700);
  const content = { ...published, private_seed: Buffer.from(seed).toString('base64') };
  platform.files.write(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
  return { published, file, privateKey };
}

function publish(privateKey: KeyObject, validFrom: string): PublishedKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const raw = Buffer.from(x, 'base64url');
  const key_id = keyIdOf(raw);
  return {
    key_id,
    algorithm: ALGORITHM,
    public_key: raw.toString('base64'),
    jwk: { kty: 'OKP', crv: ALGORITHM, x, kid: key_id },
    status: 'active',
    valid_from: validFrom,
  };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

function readKeys({ platform, folder }: SigningOptions): readonly HeldKey[] {
  const { files } = platform;
  if (!files.exists(folder)) return [];
  const names = files.list(folder).filter((name) => /^ed25519-[0-9a-f]{16}\.json$/.test(name));
  return names.map((name) => readKey(platform, join(folder, name)));
}

function readKey({ files, os }: SigningOptions['platform'], file: string): HeldKey {
  if (os !== 'windows' && ((files.mode(file) ?? 0) & 0o077) !== 0)
    throw new MacroError('mirror', `Others can read the signing key ${file}.`, { hint: `Type: chmod 600 ${file}` });
  const { private_seed: seed, ...facts } = parseKey(files.readText(file), file);
  const bytes = typeof seed === 'string' ? Buffer.from(seed, 'base64') : undefined;
  const privateKey = bytes?.length === 32 ? privateKeyOf(bytes) : undefined;
  const status = facts.status === 'retired' ? 'retired' : 'active';
  const publicKey = createPublicKeyOf(facts.public_key) ?? broken(file);
  if (status === 'active' && (!privateKey || publish(privateKey, '').key_id !== publicKey.key_id)) broken(file);
  const published: PublishedKey = {
    ...publicKey,
    status,
    valid_from: String(facts.valid_from),
    ...(typeof facts.valid_until === 'string' && { valid_until: facts.valid_until }),
  };
  return { published, file, privateKey: status === 'active' ? privateKey : undefined };
}

function createPublicKeyOf(text: unknown): Omit<PublishedKey, 'status' | 'valid_from'> | undefined {
  const raw = typeof text === 'string' ? Buffer.from(text, 'base64') : Buffer.of();
  if (raw.length !== 32) return undefined;
  const key_id = keyIdOf(raw);
  const jwk = { kty: 'OKP', crv: ALGORITHM, x: raw.toString('base64url'), kid: key_id };
  return { key_id, algorithm: ALGORITHM, public_key: raw.toString('base64'), jwk };
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
