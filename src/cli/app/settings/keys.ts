import { fingerprint, readApiKey } from '../../../client/http/key.ts';
import { MacroError } from '../../../errors.ts';
import { type KeyOwner, type KeyPlace, type KeyWorld, putKey, type StoredKey, storedKey } from './key-places.ts';
import { taken } from './setting.ts';

export type { KeyOwner } from './key-places.ts';

/** Environment names of a key, in the order in which they are looked at. */
export const KEY_VARIABLES = ['MACRO_API_KEY', 'FXMACRODATA_API_KEY', 'FXMD_API_KEY'] as const;

export interface FoundKey {
  readonly key: string;
  /** Where it came from, for people; never the key. */
  readonly from: string;
}

/**
 * The key for a service: the environment's, else the one stored for the profile, else the one stored for its origin. An empty
 * one is none.
 * @throws MacroError of kind `auth`.
 */
export function findKey(world: KeyWorld, owner: KeyOwner, baseUrl: string): FoundKey | undefined {
  const typed = keyOfEnvironment(world);
  if (typed) return typed;
  const stored = storedKey(world, owner, baseUrl);
  if (!stored) return undefined;
  const { from } = stored;
  const key = stored.read();
  return key === '' ? undefined : { key: taken({ value: key, from }, keyText), from };
}

function keyOfEnvironment({ env }: KeyWorld): FoundKey | undefined {
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

/** Where a key is going to be kept, and why there. */
export interface ChosenPlace {
  readonly place: KeyPlace;
  /** Why it is no keychain, where that has to be told. */
  readonly why: string | undefined;
  /** The person named it, so no other place will do. */
  readonly isAsked: boolean;
}

/**
 * The place for a key: the one that was asked for, else the keychain of the system, else a file. `MACRO_HOME` holds
 * everything, and scheduled runs have no desktop session: both mean a file.
 */
export function choosePlace(
  { env, keychain }: KeyWorld,
  { option, isScheduled }: { readonly option: KeyPlace | undefined; readonly isScheduled: boolean },
): ChosenPlace {
  if (option !== undefined) return { place: option, why: undefined, isAsked: true };
  const inFile = (why: string | undefined) => ({ place: 'file', why, isAsked: false }) as const;
  if (env.MACRO_HOME) return inFile(undefined);
  if (isScheduled) return inFile('A scheduled sync has to read it without a desktop session.');
  const lack = keychain.lack();
  return lack === undefined ? { place: 'keychain', why: undefined, isAsked: false } : inFile(lack);
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

export { type KeyPlace, type StoredKey, storedKey } from './key-places.ts';
