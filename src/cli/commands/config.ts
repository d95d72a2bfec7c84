import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { checkMirrorName } from '../../mirror/rules/engine.ts';
import type { App } from '../app/app.ts';
import { type Config, configPath, foldersOf, readConfig, writeConfig } from '../app/config-file.ts';
import { findKey } from '../app/keys.ts';
import { readSettingFields, type Setting, type Settings } from '../app/settings.ts';
import { FORMATS, readFormat } from '../print/format.ts';
import type { Call, CommandDeclaration } from './command.ts';

/** Commands about settings. */
export default [
  {
    path: ['config', 'get'],
    summary: 'Print the value of one setting',
    words: `name (format|fields|profile|base-url|mirror|tracks): name of the setting`,
    examples: ['config get mirror', 'config get format'],
    run: getSetting,
  },
  {
    path: ['config', 'set'],
    summary: 'Store a setting; without a value, remove it',
    words: `name (format|fields|profile|mirror): name of the setting; publishers.FORMAT.address and publishers.FORMAT.contact say where a publisher is asked, and as whom
      [value]: its value`,
    changes: true,
    examples: ['config set format csv', 'config set fields date,val'],
    run: setSetting,
  },
  {
    path: ['config', 'explain'],
    summary: 'Show every setting and where its value comes from',
    examples: ['config explain', 'config explain --format json'],
    rows: 'name text, value any, from text',
    run: explainSettings,
  },
] satisfies readonly CommandDeclaration[];

type Shown = Readonly<Record<'name' | 'from', string> & Record<'value', string | null>>;

const SETTABLE = ['format', 'fields', 'profile', 'mirror'] as const;
type Settable = (typeof SETTABLE)[number];

/** Prints every setting with where it comes from. Only the place of the key, never the key. */
async function explainSettings(app: App): Promise<void> {
  const { settings, platform } = app;
  const { folders, baseUrl } = settings;
  const key = baseUrl.value === undefined ? undefined : findKey(platform, settings, baseUrl.value);
  const from = platform.env.MACRO_HOME ? 'MACRO_HOME' : 'default';
  const rows: Shown[] = [
    ...shownSettings(settings),
    { name: 'key', value: key ? 'present' : null, from: key?.from ?? 'default' },
    { name: 'config file', value: configPath(folders), from },
    { name: 'state folder', value: folders.state, from },
    { name: 'folder of mirrors', value: folders.mirrors, from },
  ];
  for (const warning of settings.warnings) await app.warn(warning, 'settings');
  await app.list({ rows, title: ['Settings'] });
}

async function getSetting(app: App, call: Call): Promise<void> {
  const shown = shownSettings(app.settings);
  const names = shown.map(({ name }) => name);
  const chosen = oneOf(names, call.words, 'config get');
  await app.printText(shown.find(({ name }) => name === chosen)?.value ?? '');
}

async function setSetting(app: App, call: Call): Promise<void> {
  const config = readConfig(app.platform.files, foldersOf(app.platform));
  if (call.words[0]?.startsWith('publishers.')) return setPublisher(app, call, config);
  const name = oneOf(SETTABLE, call.words.slice(0, 1), 'config set');
  const value = call.words.slice(1).join(' ').trim();
  const { [name]: _before, ...rest } = config;
  await keepSetting(app, { name, value }, value === '' ? rest : { ...rest, ...settingOf(config, name, value) });
}

/** Stores a setting, or removes it if the value is empty. */
async function keepSetting(app: App, { name, value }: { name: string; value: string }, config: Config): Promise<void> {
  const folders = foldersOf(app.platform);
  const path = configPath(folders);
  const would = value === '' ? `forget the setting ${name}` : `keep ${name} = ${value} in ${path}`;
  if (!(await app.change(would, () => writeConfig(app.platform.files, folders, config)))) return;
  await app.note(value === '' ? `${name} is forgotten.` : `${name} is stored in ${path}.`, 'setting_kept');
}

/** Stores the address of the files of a format, or the contact that its publisher asks for. */
async function setPublisher(app: App, { words }: Call, config: Config): Promise<void> {
  const [name = '', ...values] = words;
  const [, format = '', member = ''] = /^publishers\.([^.]+)\.(address|contact)$/.exec(name) ?? [];
  const { FETCHABLE_FORMATS } = await import('../../imports/fetch/units.ts');
  if (!FETCHABLE_FORMATS.includes(format))
    throw new MacroError('usage', `There is no setting '${name}'.`, {
      code: 'unknown_setting',
      hint: `Settings of publishers are publishers.FORMAT.address and publishers.FORMAT.contact. Formats: ${FETCHABLE_FORMATS.join(', ')}.`,
    });
  const value = values.join(' ').trim();
  if (member === 'address' && value !== '') (await import('../../client/http/file.ts')).checkedAddress(value);
  if (member === 'contact' && !/^[\x20-\x7e]*$/.test(value))
    throw new MacroError('usage', 'A contact is plain ASCII, as it stands in a header.', { code: 'bad_arguments' });
  const { [member]: _before, ...rest }: Record<string, string> = { ...config.publishers?.[format] };
  const publishers = { ...config.publishers, [format]: value === '' ? rest : { ...rest, [member]: value } };
  await keepSetting(app, { name, value }, { ...config, publishers });
}

function settingOf(config: Config, name: Settable, value: string): Partial<Config> {
  if (name === 'mirror') return { mirror: checkMirrorName(value) };
  if (name === 'format') return { format: readFormat(value) };
  if (name === 'fields') return { fields: readSettingFields({ value, from: `'${value}'` }).join(',') };
  if (name === 'profile' && !Object.hasOwn(config.profiles, value)) {
    const names = Object.keys(config.profiles);
    throw new MacroError('usage', `There is no profile '${value}'.`, {
      hint:
        names.length > 0 ? `Profiles are ${names.join(', ')}.` : 'Add one with macro profile add NAME --base-url URL.',
    });
  }
  return { [name]: value };
}

function shownSettings(settings: Settings): readonly Shown[] {
  const { format, fields, profile, baseUrl, streamUrl, mirror, tracks, headerPrefix, publishers } = settings;
  const shown = (name: string, { value = null, from }: Setting<string | null | undefined>) => ({ name, value, from });
  const { from } = publishers;
  const own = Object.entries(publishers.value).flatMap(([id, members]) =>
    Object.entries(members).map(([name, value]) => shown(`publishers.${id}.${name}`, { value: String(value), from })),
  );
  return [
    shown('format', format),
    shown('fields', { value: fields.value?.join(','), from: fields.from }),
    shown('tracks', { value: tracks.value.join(', ') || null, from: tracks.from }),
    shown('profile', profile),
    shown('base-url', baseUrl),
    shown('stream-url', streamUrl),
    shown('header-prefix', headerPrefix),
    shown('mirror', mirror),
    ...own,
  ];
}

function oneOf<const N extends string>(names: readonly N[], words: readonly string[], command: string): N {
  const [word = ''] = words;
  const known = names.find((name) => name === word.toLowerCase());
  if (known !== undefined && words.length === 1) return known;
  if (word.toLowerCase() === 'selection' || word.toLowerCase() === 'tracks')
    throw new MacroError('usage', 'Tracked series are not set here.', {
      code: 'unknown_setting',
      hint: 'macro track add fx eur usd adds to it; macro track list shows it.',
    });
  const formats = names.some((name) => name === 'format') ? `; formats are ${FORMATS.join(', ')}` : '';
  throw new MacroError('usage', word === '' ? `macro ${command} needs a name.` : `There is no setting '${word}'.`, {
    code: 'unknown_setting',
    hint: hintFor(word, names, `Settings are ${names.join(', ')}${formats}.`),
  });
}
