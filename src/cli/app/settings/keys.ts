import { join } from 'node:path';
import { fingerprint, readApiKey } from '../../../client/http/key.ts';
import { MacroError } from '../../../errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { baseUrlOrigin } from './base-url.ts';
import { fileNamePart, originFileName } from './file-name.ts';
import { taken } from './setting.ts';
import type { Settings } from './settings.ts';

/** Environment names of a key, in the order in which they are looked at. */
export const KEY_VARIABLES = ['MACRO_API_KEY', 'FXMACRODATA_API_KEY', 'FXMD_API_KEY'] as const;

export interface FoundKey {
  readonly key: string;
  /** Where it came from, for people; never the key. */
  readonly from: string;
}

type World = Pick<Platform, 'env' | 'files' | 'os'>;

/** What decides where a key is kept. */
export type KeyOwner = Pick<Settings, 'folders' | 'config'> & { readonly profile: Pick<Settings['profile'], 'value'> };

const PRIVATE = 0o600;

/**
 * The key for a service: the environment's, else the one stored for the profile, else the one stored for its origin. An empty
 * one is none.
 */
export function findKey(world: World, owner: KeyOwner, baseUrl: string): FoundKey | undefined {
  for (const name of KEY_VARIABLES) {
    const key = world.env[name]?.trim();
    if (key) return { key: taken({ value: key, from: name }, keyText), from: name };
  }
  const path = keyPaths(owner, baseUrl).find((one) => world.files.exists(one));
  if (path === undefined) return undefined;
  const mode = world.files.mode(path) ?? 0;
  if (world.os !== 'windows' && (mode & 0o077) !== 0)
    throw new MacroError('auth', `Others can read the key file ${path}.`, {
      code: 'key_file_exposed',
      hint: `Run chmod 600 ${path}, and make a new key if others use this machine.`,
    });
  const key = world.files.readText(path).trim();
  return key === '' ? undefined : { key: taken({ value: key, from: path }, keyText), from: path };
}

const keyText = (key: string): string => readApiKey(key)?.reveal() ?? '';

/** Under which access the service is asked: keyless, or by the fingerprint of the key. */
export function accessWith(world: World, owner: KeyOwner, baseUrl: string): 'keyless' | `key:${string}` {
  const key = readApiKey(findKey(world, owner, baseUrl)?.key);
  return key ? `key:${fingerprint(key)}` : 'keyless';
}

/** Keeps a key for the profile, or else for the origin of the service, readable by its owner only. Gives the path. */
export function storeKey(world: World, owner: KeyOwner, stored: { baseUrl: string; key: string }): string {
  const [path] = keyPaths(owner, stored.baseUrl);
  const key = readApiKey(stored.key)?.reveal();
  if (key === undefined)
    throw new MacroError('usage', 'No key was given.', { hint: 'Give it at the prompt, or on standard input.' });
  world.files.makeFolder(join(owner.folders.state, 'keys'), 0o700);
  world.files.write(path, `${key}\n`, PRIVATE);
  return path;
}

/** Forgets the stored key; gives its path, or undefined when there was none. */
export function forgetKey(world: World, owner: KeyOwner, baseUrl: string): string | undefined {
  const path = keyPaths(owner, baseUrl).find((one) => world.files.exists(one));
  if (path !== undefined) world.files.remove(path);
  return path;
}

/** The files of a key, that of the profile before that of the origin. A profile has keys for its own service only. */
function keyPaths({ folders, config, profile }: KeyOwner, baseUrl: string): readonly [string, ...string[]] {
  const origin = join(folders.state, 'keys', originFileName(baseUrl));
  const name = profile.value;
  const own = name === undefined ? undefined : config.profiles[name]?.baseUrl;
  if (name === undefined || own === undefined || baseUrlOrigin(own) !== baseUrlOrigin(baseUrl))
    return [`${origin}.key`];
  return [`${origin}@${fileNamePart(name)}.key`, `${origin}.key`];
}
