import { join, resolve } from 'node:path';
import { isJsonObject, type JsonObject, objectIn, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { PublisherSettings } from '../../imports/fetch/units.ts';
import { fileError } from '../../platform/file-error.ts';
import type { Files, Platform } from '../../platform/platform.ts';

/** A service that the user chose: its address, and what differs there. */
export interface Profile {
  readonly baseUrl: string;
  /** Address of the event stream, where it is another one. */
  readonly streamUrl?: string | undefined;
  readonly mirror?: string | undefined;
  /** Stands before the names of the service's own headers. */
  readonly headerPrefix?: string | undefined;
  /** The default selections of `macro sync`: words of query commands. */
  readonly tracks?: readonly string[] | undefined;
}

/** The user's own configuration. Never contains a key. */
export interface Config {
  readonly format?: string;
  readonly fields?: string;
  readonly profile?: string;
  readonly mirror?: string;
  /** The tracked series without a profile, and of a profile that has not chosen. */
  readonly tracks?: readonly string[] | undefined;
  /** Changes to how this program finds the files of publishers, by format. */
  readonly publishers?: PublisherSettings | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NAME = 'config';

/** Where the program keeps its things, all absolute. */
export interface Folders {
  readonly config: string;
  readonly state: string;
  readonly mirrors: string;
  /** Keys that servers issued, in a folder for each mirror. */
  readonly serve: string;
}

export function configPath(folders: Folders): string {
  return join(folders.config, `${NAME}.json`);
}

/** Reads the configuration; an absent file is an empty one. */
export function readConfig(files: Files, folders: Folders): Config {
  const path = configPath(folders);
  if (!files.exists(path)) return { profiles: {} };
  const found = parseConfig(files.readText(path), path);
  const profiles = objectIn(found.profiles);
  return {
    ...settingTexts(found, ['format', 'fields', 'profile', 'mirror'], path),
    ...tracksOf(found, path),
    ...(found.publishers !== undefined && { publishers: publishersIn(found.publishers, path) }),
    profiles: Object.fromEntries(Object.entries(profiles).map(([name, value]) => [name, profileOf(name, value, path)])),
  };
}

function profileOf(name: string, value: unknown, path: string): Profile {
  if (!isJsonObject(value) || typeof value.baseUrl !== 'string')
    throw brokenConfig(path, `profile '${name}' has no baseUrl`);
  return {
    baseUrl: value.baseUrl,
    ...settingTexts(value, ['streamUrl', 'mirror', 'headerPrefix'], path),
    ...tracksOf(value, path),
  };
}

/** The members of these names, each of which must be a text. @throws MacroError of kind `usage`. */
export function settingTexts<const N extends string>(
  found: JsonObject,
  names: readonly N[],
  path: string,
): { readonly [K in N]?: string } {
  const texts: { [K in N]?: string } = {};
  for (const name of names) {
    const value = found[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw brokenConfig(path, `'${name}' is not a text`);
    texts[name] = value;
  }
  return texts;
}

/** Addresses and contacts by format: `{"ecb": {"address": "https://..."}}`. @throws MacroError of kind `usage`. */
export function publishersIn(found: unknown, path: string): PublisherSettings {
  if (!isJsonObject(found)) throw brokenConfig(path, 'what it says of publishers is not a JSON object');
  return Object.fromEntries(
    Object.entries(found).map(([format, value]) => {
      if (!isJsonObject(value)) throw brokenConfig(path, `what it says of '${format}' is not a JSON object`);
      return [format, settingTexts(value, ['address', 'contact'], path)];
    }),
  );
}

/** The tracked selections; files of earlier versions call them `selection`. */
function tracksOf(found: JsonObject, path: string): { readonly tracks?: readonly string[] } {
  const tracks = listOf(found, 'tracks', path) ?? listOf(found, 'selection', path);
  return tracks ? { tracks } : {};
}

/** A member that is a list of texts, or one text; undefined when absent. @throws MacroError of kind `usage`. */
export function listOf(found: JsonObject, name: string, path: string): readonly string[] | undefined {
  const value = found[name];
  if (value === undefined) return undefined;
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) throw brokenConfig(path, `'${name}' is not a list of texts`);
  return list.map((words: unknown) => {
    if (typeof words !== 'string') throw brokenConfig(path, `'${name}' is not a list of texts`);
    return words;
  });
}

export function parseConfig(text: string, path: string): JsonObject {
  try {
    const found: unknown = readJson(text);
    if (isJsonObject(found)) return found;
  } catch (error) {
    throw brokenConfig(path, 'it is not valid JSON', error);
  }
  throw brokenConfig(path, 'it is not a JSON object');
}

export function brokenConfig(path: string, why: string, cause?: unknown): MacroError {
  return new MacroError('usage', `Cannot use ${path}: ${why}.`, {
    code: 'bad_config',
    hint: 'Correct the file or remove it.',
    cause,
  });
}

/** Writes the configuration, readable by its owner only. */
export async function writeConfig(files: Files, folders: Folders, config: Config): Promise<void> {
  files.makeFolder(folders.config, 0o700);
  const { default: Conf } = await import('conf');
  try {
    const store = new Conf<Record<string, unknown>>({
      projectName: 'macro',
      cwd: folders.config,
      configName: NAME,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    store.store = { ...config };
  } catch (error) {
    throw fileError('write', configPath(folders), error);
  }
}

/** `MACRO_HOME` contains everything; without it, the default folders of the platform. */
export function foldersOf({ env, cwd, home, os }: Pick<Platform, 'env' | 'cwd' | 'home' | 'os'>): Folders {
  const within = (config: string, local = config) => ({
    config,
    state: join(local, 'state'),
    mirrors: join(local, 'mirrors'),
    serve: join(local, 'serve'),
  });
  if (env.MACRO_HOME) return within(resolve(cwd, env.MACRO_HOME));
  if (os === 'macos') return within(join(home, 'Library', 'Application Support', 'macro'));
  if (os === 'windows')
    return within(
      join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'macro'),
      join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'macro'),
    );
  const xdg = (name: string, ...otherwise: string[]) => join(absolute(env[name]) ?? join(home, ...otherwise), 'macro');
  const state = xdg('XDG_STATE_HOME', '.local', 'state');
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    state,
    mirrors: join(xdg('XDG_DATA_HOME', '.local', 'share'), 'mirrors'),
    serve: join(state, 'serve'),
  };
}

/** The XDG rules ignore a relative path. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined;
}

/** @throws MacroError for a name that a profile cannot have */
export function checkProfileName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name) && name !== '__proto__') return;
  throw new MacroError('usage', `'${name}' cannot be the name of a profile.`, {
    hint: 'Names are letters, digits, dots, dashes and underscores, at most 40.',
  });
}
