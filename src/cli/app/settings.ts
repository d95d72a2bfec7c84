import { dirname, join, resolve } from 'node:path';
import { readServiceAddress } from '../../client/http/address.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError, retold } from '../../errors.ts';
import type { PublisherSettings } from '../../imports/fetch/units.ts';
import { checkMirrorName, isServerAddress } from '../../mirror/rules/engine.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Options, textOption } from '../parse/options.ts';
import { readFormat } from '../print/format.ts';
import {
  type Config,
  configPath,
  type Folders,
  foldersOf,
  listOf,
  type Profile,
  parseConfig,
  publishersIn,
  readConfig,
  settingTexts,
} from './config-file.ts';

export interface Settings {
  readonly folders: Folders;
  readonly config: Config;
  readonly format: Setting<string | undefined>;
  readonly fields: Setting<readonly string[] | undefined>;
  /** The default selections of `macro sync`. */
  readonly tracks: Setting<readonly string[]>;
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string | undefined>;
  /** Address of the event stream, where it is not that of the service. */
  readonly streamUrl: Setting<string | undefined>;
  /** Absolute path of the mirror, or the address of the server that it is on. */
  readonly mirror: Setting<string>;
  readonly headerPrefix: Setting<string>;
  /** For formats with another address, or whose publisher requires a contact. */
  readonly publishers: Setting<PublisherSettings>;
  /** Sentences about settings that were not taken. */
  readonly warnings: readonly string[];
}

const DEFAULT_HEADER_PREFIX = 'X-SVC';

const NAME = '.macrorc.json';
const TEXTS = ['format', 'fields', 'profile'] as const;

export interface Setting<T> {
  readonly value: T;
  readonly from: string;
}

/** Resolves every setting: option, environment, project file, profile, configuration, default. */
export function readSettings(platform: Platform, options: Options): Settings {
  const { env, files, cwd } = platform;
  const folders = foldersOf(platform);
  const config = readConfig(files, folders);
  const project = readProjectFile(platform);
  const place = { project: project?.path ?? '', config: configPath(folders) };
  const option = (name: string) => found(textOption(options, name), `--${name}`);
  const variable = (name: string) => found(env[name] || undefined, name);
  const chosen = first(
    option('profile'),
    variable('MACRO_PROFILE'),
    found(project?.profile, place.project),
    found(config.profile, place.config),
  );
  const profile = chosen && profileNamed(config, chosen);
  const of = `profile ${chosen?.value}`;
  const baseUrl = first(option('base-url'), variable('MACRO_BASE_URL'), found(profile?.baseUrl, of));
  // The stream of a profile belongs to its service: with another one its key would go astray.
  const ownStream = baseUrl?.from === of ? found(profile?.streamUrl, of) : undefined;
  const streamUrl = first(option('stream-url'), variable('MACRO_STREAM_URL'), ownStream);
  const mirror = first(
    option('mirror'),
    variable('MACRO_MIRROR'),
    found(profile?.mirror, of),
    found(config.mirror, place.config),
  );
  const format = first(option('format'), found(project?.format, place.project), found(config.format, place.config));
  const fields = first(option('fields'), found(project?.fields, place.project), found(config.fields, place.config));
  return {
    folders,
    config,
    format: readAs(format, readFormat),
    fields: fields ? { ...fields, value: readSettingFields(fields) } : unset,
    tracks: first(
      found(project?.selection, place.project),
      found(profile?.tracks, of),
      found(config.tracks, place.config),
    ) ?? { value: [], from: 'default' },
    profile: chosen ?? unset,
    baseUrl: readAs(baseUrl, checkUrl),
    streamUrl: readAs(streamUrl, checkUrl),
    mirror: mirror
      ? { ...mirror, value: taken(mirror, (name) => placeOf(name, cwd)) }
      : { value: join(folders.mirrors, `${chosen?.value ?? 'default'}.db`), from: 'default' },
    headerPrefix: first(found(profile?.headerPrefix, of)) ?? { value: DEFAULT_HEADER_PREFIX, from: 'default' },
    publishers: readPublishers(platform, config, place.config),
    warnings: project?.warnings ?? [],
  };
}

/** `MACRO_PUBLISHERS_FILE` is for everybody who uses it, as inside of a company; it comes before what the configuration says. */
function readPublishers(
  { env, files, cwd }: Pick<Platform, 'env' | 'files' | 'cwd'>,
  { publishers: own = {} }: Config,
  from: string,
): Setting<PublisherSettings> {
  const name = env.MACRO_PUBLISHERS_FILE;
  if (!name) return { value: own, from: Object.keys(own).length > 0 ? from : 'default' };
  const path = resolve(cwd, name);
  const shared = publishersIn(parseConfig(files.readText(path), path), path);
  const formats = [...new Set([...Object.keys(own), ...Object.keys(shared)])];
  return {
    value: Object.fromEntries(formats.map((format) => [format, { ...own[format], ...shared[format] }])),
    from: 'MACRO_PUBLISHERS_FILE',
  };
}

function placeOf(mirror: string, cwd: string): string {
  const name = checkMirrorName(mirror);
  return isServerAddress(name) ? name : resolve(cwd, name);
}

const unset = { value: undefined, from: 'default' } as const;

function readAs<T>(setting: Setting<string> | undefined, read: (text: string) => T): Setting<T | undefined> {
  return setting ? { ...setting, value: taken(setting, read) } : unset;
}

function found<T>(value: T | undefined, from: string): Setting<T> | undefined {
  return value === undefined ? undefined : { value, from };
}

function first<T>(...candidates: readonly (Setting<T> | undefined)[]): Setting<T> | undefined {
  return candidates.find((candidate) => candidate !== undefined);
}

/** The names in a list of fields. @throws MacroError of kind `usage`. */
export function readSettingFields({ value, from }: Setting<string>): readonly string[] {
  const names = [...new Set(value.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length > 0) return names;
  throw new MacroError('usage', `${from} names no field.`, { hint: 'For example: --fields date,val' });
}

function profileNamed(config: Config, { value, from }: Setting<string>): Profile {
  const own = Object.hasOwn(config.profiles, value) ? config.profiles[value] : undefined;
  if (own) return own;
  const names = Object.keys(config.profiles);
  const legal =
    names.length > 0
      ? `Profiles are ${names.join(', ')}.`
      : 'Add one with macro init, or macro profile add NAME --base-url URL.';
  throw new MacroError('usage', `There is no profile '${value}' (from ${from}).`, {
    code: 'unknown_profile',
    hint: hintFor(value, names, legal),
  });
}

/** A folder of somebody else may bring one. */
const MAX_BYTES = 64 * 1024;

/**
 * The settings of the nearest folder upwards that has any. Nothing in them moves a key: no address, no mirror, no program.
 * `selection` replaces the tracks of the profile; members that a folder may not set are ignored, with a warning.
 */
function readProjectFile({ files, cwd }: Pick<Platform, 'files' | 'cwd'>) {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, NAME);
    if (files.exists(path)) {
      const found = parseConfig(files.readText(path, MAX_BYTES), path);
      const legal = new Set<string>([...TEXTS, 'selection']);
      const refused = Object.keys(found).filter((name) => !legal.has(name));
      const selection = listOf(found, 'selection', path);
      const warning = `${path} may not set ${refused.join(', ')}: a folder may choose format, fields, selection and a profile's name, nothing else.`;
      const warnings = refused.length === 0 ? [] : [warning];
      return { path, ...settingTexts(found, TEXTS, path), selection, warnings };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** The value of a setting. @throws MacroError that names the place of an invalid setting. */
export function taken<T>({ value, from }: Setting<string>, read: (value: string) => T): T {
  try {
    return read(value);
  } catch (error) {
    throw error instanceof MacroError ? refusalFrom(from, error) : error;
  }
}

/** The same for a setting that is checked asynchronously; `from` is undefined for a typed value. */
export async function takenLater<T>(from: string | undefined, taking: Promise<T>): Promise<T> {
  try {
    return await taking;
  } catch (error) {
    const isRefused = from !== undefined && error instanceof MacroError && error.kind === 'usage';
    throw isRefused ? refusalFrom(from, error) : error;
  }
}

/** The refusal of a setting, with where it stands. */
export function refusalFrom(from: string, error: MacroError): MacroError {
  return retold(error, `It comes from ${from}.`);
}

/** The origin that a key belongs to. */
export function baseUrlOrigin(baseUrl: string): string {
  return new URL(checkUrl(baseUrl)).origin;
}

/** An address, whatever kind of server is asked there. @throws MacroError of kind `usage`. */
function checkUrl(url: string): string {
  const text = url.trim();
  if (URL.canParse(text)) return text;
  throw new MacroError('usage', 'The service address is not a URL.', {
    code: 'bad_base_url',
    hint: 'Give an address like https://api.example.com or https://example.com/api/v1.',
  });
}

/** An address as a profile stores it; refuses an address that the client would refuse. */
export function checkBaseUrl(baseUrl: string): string {
  readServiceAddress(baseUrl, false);
  return baseUrl.trim().replace(/\/+$/, '');
}

/** A file name for an origin, one to one: letters, digits, dots and hyphens stay, `_` precedes a port, bytes else. */
export function originFileName(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrlOrigin(baseUrl));
  return `${protocol.replace(':', '')}_${fileNamePart(hostname)}${port === '' ? '' : `_${port}`}`;
}

/** A text as a part of a file name: `%5F` for `_`. Capitals are written as bytes too, because some systems ignore case. */
export function fileNamePart(text: string): string {
  return text.replace(/[^a-z0-9.-]/gu, (character) =>
    Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
}
