// These commands read the file itself and not the settings: they must work while a setting names a profile that is gone.

import { checkPrefix } from '../../client/http/wire.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { checkMirrorName } from '../../mirror/rules/engine.ts';
import type { App } from '../app/app.ts';
import {
  type Config,
  checkProfileName,
  configPath,
  foldersOf,
  type Profile,
  readConfig,
  writeConfig,
} from '../app/config-file.ts';
import { presetsPath, readPresets } from '../app/presets.ts';
import { checkBaseUrl } from '../app/settings.ts';
import { type Options, textOption } from '../parse/options.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { GENERAL, STREAM_ADDRESS } from './common-options.ts';
import { onlyWord } from './require.ts';

export const HEADER_PREFIX = '--header-prefix WORD: start of the service’s own header names; default X-SVC';

export default [
  {
    path: ['profile', 'list'],
    summary: 'List the profiles of services',
    examples: ['profile list', 'profile list --format json'],
    rows: 'name text, base_url text, mirror text?, in_use flag',
    run: listProfiles,
  },
  {
    path: ['profile', 'presets'],
    summary: 'List the services that macro init knows by name, and where to add one',
    examples: ['profile presets', 'profile presets --format json'],
    rows: 'name text, base_url text?, stream_url text?, header_prefix text?, summary text?, from text',
    run: listPresets,
  },
  {
    path: ['profile', 'use'],
    summary: 'Set the default profile',
    words: `name (<profiles>): name of a profile`,
    changes: true,
    examples: ['profile use work', 'profile use home'],
    changesWords: true,
    run: chooseProfile,
  },
  {
    path: ['profile', 'add'],
    summary: 'Add a service, or change its address',
    words: `name: name of the profile`,
    options: [STREAM_ADDRESS, HEADER_PREFIX, GENERAL],
    changes: true,
    examples: [
      'profile add work --base-url https://api.example.com',
      'profile add local --base-url http://127.0.0.1:8787 --mirror local.db',
    ],
    changesWords: true,
    run: addProfile,
  },
  {
    path: ['profile', 'remove'],
    summary: 'Remove a profile; its mirror and key stay',
    words: `name (<profiles>): name of a profile`,
    changes: true,
    examples: ['profile remove work', 'profile remove local --quiet'],
    changesWords: true,
    run: removeProfile,
  },
] satisfies readonly CommandDeclaration[];

async function listProfiles(app: App): Promise<void> {
  const { config } = read(app);
  const rows = Object.entries(config.profiles).map(([name, profile]) => ({
    name,
    base_url: profile.baseUrl,
    mirror: profile.mirror ?? null,
    in_use: config.profile === name,
  }));
  await app.list({ rows, title: ['Profiles'] });
}

/** Prints the services that macro init knows by a name, and the file in which a person adds one. */
async function listPresets(app: App): Promise<void> {
  const rows = readPresets(app.platform).map(({ name, baseUrl, streamUrl, headerPrefix, summary, file }) => ({
    ...{ name, base_url: baseUrl ?? null, stream_url: streamUrl ?? null, header_prefix: headerPrefix ?? null },
    ...{ summary: summary ?? null, from: file ?? 'package' },
  }));
  const own = presetsPath(foldersOf(app.platform));
  await app.list({
    spare: ['header_prefix', 'stream_url'],
    rows,
    title: ['Presets', `your own: ${own}`],
    beside: { own },
  });
}

async function chooseProfile(app: App, call: Call): Promise<void> {
  const { config, save } = read(app);
  const name = onlyWord(call, 'profile use', 'NAME');
  const { baseUrl } = held(config, name);
  const done = await app.change(`use profile ${name} (${baseUrl}) from now on`, () =>
    save({ ...config, profile: name }),
  );
  if (!done) return;
  await app.note(`Profile ${name} (${baseUrl}) is used from now on.`, 'profile_used');
}

async function addProfile(app: App, call: Call): Promise<void> {
  const name = onlyWord(call, 'profile add', 'NAME');
  const baseUrl = textOption(call.options, 'base-url');
  if (baseUrl === undefined)
    throw new MacroError('usage', 'macro profile add needs the address of the service.', {
      hint: `Type: macro profile add ${name} --base-url https://api.example.com`,
    });
  await saveProfile(app, name, profileOf(call.options, { baseUrl }));
}

async function removeProfile(app: App, call: Call): Promise<void> {
  const { config, save } = read(app);
  const name = onlyWord(call, 'profile remove', 'NAME');
  held(config, name);
  const { [name]: _gone, ...profiles } = config.profiles;
  const { profile, ...rest } = config;
  const left = { ...rest, ...(profile !== undefined && profile !== name && { profile }), profiles };
  if (!(await app.change(`remove profile ${name}`, () => save(left)))) return;
  await app.note(`Profile ${name} is removed; its mirror and its key stay.`, 'profile_removed');
}

/** Keeps a profile; the first one is used from then on. @throws MacroError of kind `usage`. */
export async function saveProfile(app: App, name: string, profile: Profile): Promise<void> {
  checkProfileName(name);
  const { config, save, path } = read(app);
  const first = config.profile === undefined;
  const { tracks } = (Object.hasOwn(config.profiles, name) && config.profiles[name]) || {};
  const kept = { tracks, ...profile };
  const done = await app.change(`keep profile ${name} (${profile.baseUrl}) in ${path}`, () =>
    save({ ...config, ...(first && { profile: name }), profiles: { ...config.profiles, [name]: kept } }),
  );
  if (!done) return;
  await app.note(
    `Profile ${name} (${profile.baseUrl}) is stored in ${path}${first ? ' and used from now on' : ''}.`,
    'profile_kept',
  );
}

/** The profile that options describe; what they leave out is the preset's. @throws MacroError of kind `usage`. */
export function profileOf(options: Options, preset: Partial<Profile> & { readonly baseUrl: string }): Profile {
  const read = (option: string, otherwise: string | undefined, check: (text: string) => string) => {
    const text = textOption(options, option) ?? otherwise;
    return text === undefined ? undefined : check(text);
  };
  return {
    baseUrl: checkBaseUrl(preset.baseUrl),
    streamUrl: read('stream-url', preset.streamUrl, checkBaseUrl),
    headerPrefix: read('header-prefix', preset.headerPrefix, checkPrefix),
    mirror: read('mirror', undefined, checkMirrorName),
  };
}

function read(app: App) {
  const { files } = app.platform;
  const folders = foldersOf(app.platform);
  const save = (config: Config) => writeConfig(files, folders, config);
  return { config: readConfig(files, folders), path: configPath(folders), save };
}

function held(config: Config, name: string): Profile {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile) return profile;
  const names = Object.keys(config.profiles);
  const legal =
    names.length > 0 ? `Profiles are ${names.join(', ')}.` : 'Add one with macro profile add NAME --base-url URL.';
  throw new MacroError('usage', `There is no profile '${name}'.`, {
    code: 'unknown_profile',
    hint: hintFor(name, names, legal),
  });
}
