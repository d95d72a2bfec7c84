import { join } from 'node:path';
import { fingerprint, KEY_VARIABLES, readApiKey } from '../../client/http/key.ts';
import { isJsonObject, parseJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { App } from './app.ts';
import { baseUrlOrigin, fileNamePart, originFileName, type Settings, taken } from './settings.ts';

// Stores a key of a service: in a file of its own, or in the system's keychain with a small file that points to it.

type KeyWorld = Pick<Platform, 'env' | 'files' | 'os' | 'keychain'>;

export type KeyOwner = Pick<Settings, 'folders' | 'config'> & { readonly profile: Pick<Settings['profile'], 'value'> };

export type KeyPlace = 'keychain' | 'file';

/** A stored key. Reading one out of the keychain loads a library, and may ask the person to unlock it. */
export interface StoredKey {
  readonly place: KeyPlace;
  /** The file, or the entry, for people; never the key. */
  readonly from: string;
  /** First digits of its digest; undefined where only reading it tells. */
  readonly fingerprint: string | undefined;
  /** @throws MacroError with exit 4 when it cannot be read */
  read(): string;
  remove(): void;
}

const PRIVATE = 0o600;

/** The key with where it came from, for people: of the environment, else of the profile, else of the origin. @throws MacroError of kind `auth`. */
export function findKey(world: KeyWorld, owner: KeyOwner, baseUrl: string) {
  const typed = keyOfEnvironment(world);
  if (typed) return typed;
  const stored = storedKey(world, owner, baseUrl);
  if (!stored) return undefined;
  const { from } = stored;
  const key = stored.read();
  return key === '' ? undefined : { key: taken({ value: key, from }, keyText), from };
}

function keyOfEnvironment({ env }: KeyWorld) {
  for (const name of KEY_VARIABLES) {
    const key = env[name]?.trim();
    if (key) return { key: taken({ value: key, from: name }, keyText), from: name };
  }
  return undefined;
}

const keyText = (key: string): string => readApiKey(key)?.reveal() ?? '';

/** Under which access the service is asked: keyless, or by the fingerprint of the key. */
export function accessWith(world: KeyWorld, owner: KeyOwner, baseUrl: string): 'keyless' | `key:${string}` {
  const known = keyOfEnvironment(world) ? undefined : storedKey(world, owner, baseUrl)?.fingerprint;
  if (known !== undefined) return `key:${known}`;
  const key = readApiKey(findKey(world, owner, baseUrl)?.key);
  return key ? `key:${fingerprint(key)}` : 'keyless';
}

/** Whether a service is chosen and no key for it is there. */
export function isKeyless({ platform, settings }: Pick<App, 'platform' | 'settings'>): boolean {
  const { value } = settings.baseUrl;
  return value !== undefined && accessWith(platform, settings, value) === 'keyless';
}

export interface ChosenPlace {
  readonly place: KeyPlace;
  /** Why it is no keychain, if that needs a message. */
  readonly why: string | undefined;
  /** The person named it, so no other place will do. */
  readonly isAsked: boolean;
}

/** The place for a key: as asked, else the keychain, else a file. `MACRO_HOME` and scheduled runs need a file. */
export function choosePlace(
  { env, keychain }: KeyWorld,
  { option, isScheduled }: { readonly option: KeyPlace | undefined; readonly isScheduled: boolean },
): ChosenPlace {
  if (option !== undefined) return { place: option, why: undefined, isAsked: true };
  const inFile = (why: string | undefined) => ({ place: 'file', why, isAsked: false }) as const;
  if (env.MACRO_HOME) return inFile(undefined);
  if (isScheduled) return inFile('A scheduled sync has to read it without a desktop session.');
  const missingPart = keychain.missingPart();
  return missingPart === undefined ? { place: 'keychain', why: undefined, isAsked: false } : inFile(missingPart);
}

/** Keeps a key. Where nobody asked for the keychain and it refuses the key after all, the key goes into a file. */
export function storeKey(
  world: KeyWorld,
  owner: KeyOwner,
  { chosen, ...key }: { readonly baseUrl: string; readonly key: string; readonly chosen: ChosenPlace },
): { readonly stored: StoredKey; readonly why: string | undefined } {
  const { place, why, isAsked } = chosen;
  try {
    return { stored: putKey(world, owner, { ...key, place }), why };
  } catch (error) {
    if (isAsked || !(error instanceof MacroError) || error.code !== 'keychain_unavailable') throw error;
    return { stored: putKey(world, owner, { ...key, place: 'file' }), why: error.message };
  }
}

/** Forgets the stored key; gives where it was, or undefined when there was none. */
export function forgetKey(world: KeyWorld, owner: KeyOwner, baseUrl: string): string | undefined {
  const stored = storedKey(world, owner, baseUrl);
  stored?.remove();
  return stored?.from;
}

/** The key stored for the profile, else for the origin of the service. */
export function storedKey(world: KeyWorld, owner: KeyOwner, baseUrl: string): StoredKey | undefined {
  for (const stem of keyStems(owner, baseUrl)) {
    const found = keyInFile(world, `${stem}.key`) ?? keyInKeychain(world, owner, stem);
    if (found) return found;
  }
  return undefined;
}

function keyInFile({ files, os }: KeyWorld, path: string): StoredKey | undefined {
  if (!files.exists(path)) return undefined;
  return {
    place: 'file',
    from: path,
    fingerprint: undefined,
    read() {
      const mode = files.mode(path) ?? 0;
      if (os !== 'windows' && (mode & 0o077) !== 0)
        throw new MacroError('auth', `Others can read the key file ${path}.`, {
          code: 'key_file_exposed',
          hint: `Run chmod 600 ${path}, and make a new key if others use this machine.`,
        });
      return files.readText(path).trim();
    },
    remove: () => files.remove(path),
  };
}

/** The pointer says that there is an entry, and the fingerprint of its key: offline nothing more is needed. */
function keyInKeychain({ files, keychain }: KeyWorld, owner: KeyOwner, stem: string): StoredKey | undefined {
  const path = `${stem}.keychain`;
  if (!files.exists(path)) return undefined;
  const account = accountOf(owner, stem);
  const pointer = parseJson(files.readText(path));
  const digits = isJsonObject(pointer) ? pointer.fingerprint : undefined;
  return {
    place: 'keychain',
    from: keychain.describe(account),
    fingerprint: typeof digits === 'string' ? digits : undefined,
    read() {
      const key = keychain.read(account);
      if (key !== undefined) return key;
      throw new MacroError('auth', `There is no key any more in ${keychain.describe(account)}.`, {
        code: 'key_gone',
        hint: 'Keep it again: macro auth login',
      });
    },
    remove() {
      keychain.remove(account);
      files.remove(path);
    },
  };
}

/** Keeps a key in one place, and in that one only. @throws MacroError when the place does not take it */
function putKey(
  world: KeyWorld,
  owner: KeyOwner,
  { baseUrl, key, place }: { readonly baseUrl: string; readonly key: string; readonly place: KeyPlace },
): StoredKey {
  const { files, keychain } = world;
  const [stem] = keyStems(owner, baseUrl);
  const read = readApiKey(key);
  if (read === undefined) throw new Error('an empty key is none to keep');
  files.makeFolder(join(owner.folders.state, 'keys'), 0o700);
  if (place === 'file') {
    files.write(`${stem}.key`, `${read.reveal()}\n`, PRIVATE);
    keyInKeychain(world, owner, stem)?.remove();
  } else {
    keychain.write(accountOf(owner, stem), read.reveal());
    files.write(`${stem}.keychain`, `${JSON.stringify({ fingerprint: fingerprint(read) })}\n`, PRIVATE);
    keyInFile(world, `${stem}.key`)?.remove();
  }
  const stored = storedKey(world, owner, baseUrl);
  if (stored) return stored;
  throw new Error('a key that was just stored is not there');
}

/** Paths without their ending, that of the profile before that of the origin. A profile has keys for its own service only. */
function keyStems({ folders, config, profile }: KeyOwner, baseUrl: string): readonly [string, ...string[]] {
  const origin = join(folders.state, 'keys', originFileName(baseUrl));
  const name = profile.value;
  const own = name === undefined ? undefined : config.profiles[name]?.baseUrl;
  if (name === undefined || own === undefined || baseUrlOrigin(own) !== baseUrlOrigin(baseUrl)) return [origin];
  return [`${origin}@${fileNamePart(name)}`, origin];
}

/** Two folders of settings never share an entry. */
function accountOf({ folders }: KeyOwner, stem: string): string {
  return `${stem.slice(join(folders.state, 'keys').length + 1)} (${folders.state})`;
}
