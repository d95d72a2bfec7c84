import type { Settings } from '../app/settings/settings.ts';
import { markdownTable } from './table.ts';

type SettingName = Exclude<keyof Settings, 'folders' | 'config' | 'warnings'>;

interface SettingDoc {
  readonly name: string;
  readonly doc: string;
  readonly option?: string;
  readonly variable?: string;
  /** Whether a `.macrorc.json` may say it, a profile keeps it, `macro config set` keeps it. */
  readonly kept: readonly ('project' | 'profile' | 'config')[];
  readonly otherwise: string;
}

/** Every setting and where it may be given; a setting without an entry does not compile. */
const DOCS: Readonly<Record<SettingName, SettingDoc>> = {
  profile: {
    name: 'profile',
    doc: 'The service to use, by the name of its profile.',
    option: 'profile',
    variable: 'MACRO_PROFILE',
    kept: ['project', 'config'],
    otherwise: 'none',
  },
  baseUrl: {
    name: 'base-url',
    doc: 'The address of the service.',
    option: 'base-url',
    variable: 'MACRO_BASE_URL',
    kept: ['profile'],
    otherwise: 'none: only the mirror answers',
  },
  streamUrl: {
    name: 'stream-url',
    doc: 'The address of the event stream, where it is another one.',
    option: 'stream-url',
    variable: 'MACRO_STREAM_URL',
    kept: ['profile'],
    otherwise: 'the address of the service',
  },
  headerPrefix: {
    name: 'header-prefix',
    doc: "What stands before the names of the service's own headers.",
    kept: ['profile'],
    otherwise: 'X-SVC',
  },
  mirror: {
    name: 'mirror',
    doc: 'The mirror: a file, or `postgres://user@host/database`.',
    option: 'mirror',
    variable: 'MACRO_MIRROR',
    kept: ['profile', 'config'],
    otherwise: '`PROFILE.db` in the folder of mirrors',
  },
  tracks: {
    name: 'tracks',
    doc: 'What `macro sync` keeps up to date (`selection` in a `.macrorc.json`).',
    kept: ['project', 'profile', 'config'],
    otherwise: 'nothing',
  },
  format: {
    name: 'format',
    doc: 'The form of the output.',
    option: 'format',
    kept: ['project', 'config'],
    otherwise: 'table on a terminal, tsv in a pipe',
  },
  fields: {
    name: 'fields',
    doc: 'The columns to print.',
    option: 'fields',
    kept: ['project', 'config'],
    otherwise: 'those of the command',
  },
};

const KEPT = { project: '`.macrorc.json`', profile: 'profile', config: '`macro config set`' } as const;

export function settingTable(): string {
  const rows = Object.values(DOCS).map(({ name, doc, option, variable, kept, otherwise }) => [
    `\`${name}\``,
    doc,
    option === undefined ? '' : `\`--${option}\``,
    variable === undefined ? '' : `\`${variable}\``,
    kept
      .map((place) => (name === 'tracks' && place !== 'project' ? '`macro track add`' : KEPT[place]))
      .filter(isFirst)
      .join(', '),
    otherwise,
  ]);
  return markdownTable(['setting', 'what it is', 'option', 'variable', 'kept in', 'otherwise'], rows);
}

function isFirst(place: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(place) === index;
}
