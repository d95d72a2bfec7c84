import type { Settings } from '../src/cli/app/settings.ts';
import type { CommandSpec, OptionSpec } from '../src/cli/commands/command.ts';
import { commandsUnder } from '../src/cli/commands/tree.ts';
import { SHELLS } from '../src/cli/completion/shells.ts';
import {
  describeCommand,
  markdownTable,
  optionHelp,
  optionRow,
  sharedOptions,
  usageOf,
  wordHelp,
} from '../src/cli/print/help.ts';
import { INTERFACE } from '../src/endpoints/index.ts';
import { type ErrorKind, EXIT_CODES } from '../src/errors.ts';
import type { Appearance } from '../src/imports/fetch/download.ts';
import { IMPORT_FORMATS } from '../src/imports/formats.ts';
import { SHARED_DECISIONS } from '../src/openapi/document.ts';
import { OPENAPI_ENDPOINT } from '../src/openapi/endpoint.ts';
import { CAPABILITIES, type Capabilities, type Capability, serviceCapabilities } from './capabilities.ts';
import { completionScript } from './completion/script.ts';

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
    doc: "The prefix of the service's own headers.",
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
    doc: 'Series that `macro sync` keeps up to date (`selection` in a `.macrorc.json`).',
    kept: ['project', 'profile', 'config'],
    otherwise: 'nothing',
  },
  publishers: {
    name: 'publishers.FORMAT.address',
    doc: 'The address of the files of a format. `publishers.FORMAT.contact` is the contact that its publisher gets. The variable names a JSON file for all: `{"ecb": {"address": "https://..."}}`.',
    variable: 'MACRO_PUBLISHERS_FILE',
    kept: ['config'],
    otherwise: 'the address of the publisher, and no contact',
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

function settingTable(): string {
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
  return markdownTable(['setting', 'meaning', 'option', 'variable', 'stored in', 'default'], rows);
}

function isFirst(place: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(place) === index;
}

const COMMANDS = await commandsUnder();

/** Parts of the documents that are made from the program itself, by the name of their markers. */
export const GENERATED_TABLES: Readonly<Record<string, () => string>> = {
  endpoints: endpointTable,
  decisions: decisionTable,
  commands: commandIndex,
  settings: settingTable,
  publishers: publisherTable,
  'publication-rules': publicationTable,
  'exit-codes': exitCodeTable,
};

/** Pages of commands by what a person wants to do, each with the first words of its commands. */
const COMMAND_PAGES = [
  {
    name: 'releases',
    title: 'Releases and forecasts',
    about: 'Ask for published values, their release times and revisions, and for forecasts.',
    words: ['announcements', 'latest', 'compare', 'panel', 'predictions', 'factor', 'press', 'catalogue'],
  },
  {
    name: 'calendar',
    title: 'Calendar and sessions',
    about: 'See which releases come when, wait for one, and see which markets are open.',
    words: ['calendar', 'next', 'wait', 'sessions'],
  },
  {
    name: 'rates',
    title: 'Exchange rates, yields, prices and positions',
    about: 'Ask for rates of pairs with indicators, yield curves, commodities, and positions of traders.',
    words: ['fx', 'curve', 'differential', 'prices', 'commodities', 'cot', 'sentiment'],
  },
  {
    name: 'events',
    title: 'Events as they happen',
    about: 'Follow the stream of releases, run a script for each, and receive or send webhooks.',
    words: ['stream', 'journal', 'webhooks'],
  },
  {
    name: 'fill',
    title: 'Fill the mirror',
    about: 'Bring data into the mirror from a service or from official files, and keep it up to date.',
    words: ['sync', 'track', 'import', 'schedule', 'status', 'metrics'],
  },
  {
    name: 'mirror',
    title: 'Examine and export the mirror',
    about: 'Find where a number came from, query and export rows, verify and back up the file.',
    words: ['why', 'diff', 'sql', 'mirror', 'lake'],
  },
  {
    name: 'serve',
    title: 'Serve and settle',
    about: 'Serve the mirror to programs and language models, and check settlement records.',
    words: ['serve', 'mcp', 'openapi', 'settlement'],
  },
  {
    name: 'program',
    title: 'Set up the program',
    about: 'Choose a service, store a key, diagnose problems, and search for names.',
    words: [
      ...['demo', 'init', 'auth', 'profile', 'config', 'doctor', 'quota', 'search', 'manual'],
      ...['completion', 'selftest', 'ping', 'health', 'api'],
    ],
  },
] as const;

/** The commands of a page, in its order. @throws Error for a command without a page. */
function commandsOn(page: (typeof COMMAND_PAGES)[number]): readonly CommandSpec[] {
  return page.words.flatMap((word) => COMMANDS.filter(({ path }) => path[0] === word));
}

function commandIndex(): string {
  const missing = COMMANDS.filter(
    ({ path }) => !COMMAND_PAGES.some(({ words }) => words.some((one) => one === path[0])),
  );
  if (missing.length > 0) throw new Error(`No page has macro ${missing.map(({ path }) => path.join(' ')).join(', ')}`);
  const pages = COMMAND_PAGES.flatMap((page) => [
    `## ${page.title}`,
    '',
    `${page.about} [Words and options](commands/${page.name}.md)`,
    '',
    markdownTable(
      ['command', 'what it does'],
      commandsOn(page).map(({ path, summary }) => [`\`macro ${path.join(' ')}\``, summary]),
    ),
    '',
  ]);
  return pages.join('\n').trimEnd();
}

/** Pages of docs/commands, by their path. */
function commandPages(): Readonly<Record<string, string>> {
  const shared = sharedOptions(COMMANDS);
  const options = [
    '# Options that many commands share',
    '',
    '`macro COMMAND --help` shows which of them a command has.',
    '',
    markdownTable(['option', 'what it does'], shared.map(optionRow)),
  ];
  const pages = COMMAND_PAGES.map((page): readonly [string, readonly string[]] => {
    const commands = commandsOn(page).flatMap((command) => ['', describeCommand(command, shared)]);
    const about = `${page.about} [Options that many commands share](options.md)`;
    return [page.name, [`# ${page.title}`, '', about, ...commands]];
  });
  const files = [['options', options] as const, ...pages];
  return Object.fromEntries(files.map(([name, lines]) => [`docs/commands/${name}.md`, `${lines.join('\n')}\n`]));
}

const DAYS = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ');

/** What a person can have of each publisher, by which command, how fresh it is, and on which terms. */
function publisherTable(): string {
  const rows = IMPORT_FORMATS.flatMap(({ id, doc, terms, download }) => {
    if (!download) return [];
    const { ids, vintages, address, page, file, termsPage, appears } = download;
    const words = ids?.example === undefined ? '' : ` ${ids.example}`;
    const command = `${id}${words}${vintages ? ' --vintages 2020-01..' : ''}`;
    const isFetched = address !== undefined;
    const how = isFetched ? `\`macro import ${command}\`` : `\`macro import ${file}\`, from [its page](${page})`;
    // The names of its files stand in brackets, for those who have one.
    return [
      [
        doc.replace(/ \([^)]*\)/, ''),
        how,
        isFetched ? newStates(appears) : '',
        `[${terms.replace(/\.$/, '')}](${termsPage})`,
      ],
    ];
  });
  return markdownTable(['what you can have', 'the command', 'fresh from', 'terms'], rows);
}

/** When values of each format count as known. */
function publicationTable(): string {
  const rows = IMPORT_FORMATS.map(({ id, publication }) => [`\`${id}\``, publication.rule]);
  return markdownTable(['format', 'a value is'], rows);
}

function newStates({ at, zone, weekdays, daysOfMonth }: Appearance): string {
  const names = weekdays.map((day) => DAYS[day - 1]);
  const days = names.length === 5 ? 'Mon to Fri' : names.join(', ');
  const month = daysOfMonth === undefined ? '' : `, day ${daysOfMonth.join(' to ')} of the month`;
  return `${days} ${at} ${zone.replace(/^.*\//, '').replaceAll('_', ' ')}${month}`;
}

const ACCESS = { public: 'nobody needs a key', usd: 'USD without a key', keyed: 'with a key' } as const;

/** Every endpoint and how it is offered. A reason why something is missing stands once below the table, by its number. */
function endpointTable(): string {
  const reasons: string[] = [];
  const rows = [...INTERFACE, OPENAPI_ENDPOINT].map((endpoint) => [
    `\`${endpoint.path}\``,
    endpoint.doc.summary,
    ACCESS[endpoint.access.class],
    ...CAPABILITIES.map((facet) => cellOf(facet, serviceCapabilities(endpoint)[facet], reasons)),
  ]);
  const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return [markdownTable(['path', 'answer', 'access', ...CAPABILITIES], rows), '', ...notes].join('\n');
}

/** `yes` or what there is; else the number of the reason, which joins the list where it is new. */
function cellOf(facet: Capability, { there, text }: Capabilities, reasons: string[]): string {
  if (facet === 'provisional') return there ? text : `*${text}*`;
  if (there) return facet === 'command' ? commandsOf(text) : 'yes';
  if (!reasons.includes(text)) reasons.push(text);
  return `no (${reasons.indexOf(text) + 1})`;
}

function commandsOf(words: string): string {
  return words
    .split(', ')
    .map((word) => `\`macro ${word}\``)
    .join(', ');
}

function decisionTable(): string {
  const rows = Object.entries(SHARED_DECISIONS).map(([name, decided]) => [`\`${name}\``, decided]);
  return markdownTable(['in every answer that has it', 'provisional'], rows);
}

/** What a script may conclude from an exit code. */
const EXIT_MEANINGS: Readonly<Record<ErrorKind, string>> = {
  internal: 'A bug of the program, or no build.',
  usage: 'A word, an option or a value is wrong. The message names the legal ones.',
  notFound: 'The service or the mirror has no such thing.',
  auth: 'A key is missing, refused or not enough, or no service is configured.',
  quota: 'The quota is spent. The message says when it frees.',
  upstream: 'The network failed, a time limit passed, or the service answered with errors after four tries.',
  protocol: 'The answer of the service breaks the interface. Nothing of it was stored.',
  mirror: 'The mirror is locked, damaged, full, of another service, or newer than the program.',
  verification: 'A signature, a digest or a stored row does not verify.',
  incomplete:
    'A part is missing: a partial answer, failed series of a sync, or a read that was stopped early. The message names the command that brings it.',
  stale: 'A release did not come in time, a stream was silent too long, or events are missing for good.',
  busy: 'Another sync of this mirror, or another program of the same consumer, is running.',
  interrupted: 'Ctrl-C.',
};

function exitCodeTable(): string {
  const rows = Object.entries(EXIT_CODES).map(([kind, code]) => [String(code), kind, meaningOf(kind)]);
  const ends = [
    ['0', '', 'Done. An empty answer is an answer.'],
    ...rows,
    ['143', 'interrupted', 'Ended by the system (SIGTERM).'],
  ];
  return markdownTable(['code', 'kind', 'meaning'], ends);
}

function meaningOf(kind: string): string {
  return new Map(Object.entries(EXIT_MEANINGS)).get(kind) ?? '';
}

/** The text with each marked stretch replaced by its table. Throws on a marker whose table is unknown. */
export function fillTables(text: string): string {
  return text.replace(
    /(<!-- generated:([a-z-]+) -->)[\s\S]*?(<!-- \/generated -->)/g,
    (_whole, open: string, name: string, close: string) => {
      const table = Object.hasOwn(GENERATED_TABLES, name) ? GENERATED_TABLES[name] : undefined;
      if (!table) throw new Error(`No table is named ${name}`);
      return `${open}\n${table()}\n${close}`;
    },
  );
}

/** The manual page of the program, in the language of man, from what --help is made of. */
const ENDINGS = { bash: 'bash', zsh: 'zsh', fish: 'fish', powershell: 'ps1' } as const;

/** Documents of which a marked part is made from the program. */
const DOCUMENTS = ['commands', 'endpoints', 'exit-codes', 'imports', 'publication-times', 'settings'].map(
  (name) => `docs/${name}.md`,
);

/** Every committed file that is made from the program: its path and content. `read` gives a file as it is now. */
export function generatedFiles(read: (path: string) => string): Readonly<Record<string, string>> {
  const scripts = SHELLS.map((shell) => [`completions/macro.${ENDINGS[shell]}`, completionScript(shell, COMMANDS)]);
  const documents = DOCUMENTS.map((path) => [path, fillTables(read(path))]);
  return { 'man/macro.1': manualPage(), ...Object.fromEntries([...scripts, ...documents]), ...commandPages() };
}

function manualPage(): string {
  const sections = [...new Set(COMMANDS.map(({ section }) => section))];
  const lines = [
    '.TH MACRO 1',
    '.SH NAME',
    'macro \\- macroeconomic data of the major currencies: asked, mirrored, served',
    '.SH SYNOPSIS',
    '.B macro',
    '.I COMMAND\n[options]',
    '.SH OPTIONS THAT MANY COMMANDS SHARE',
    ...sharedOptions(COMMANDS).flatMap(optionLines),
    ...sections.flatMap((section) => [
      `.SH ${roff(section.toUpperCase())}`,
      ...COMMANDS.filter((command) => command.section === section).flatMap(described),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function optionLines(option: OptionSpec): readonly string[] {
  const { name, short, value } = option;
  const spelled = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return ['.TP', `.B ${roff(spelled)}`, roff(optionHelp(option))];
}

function described(command: CommandSpec): readonly string[] {
  const shared = new Set(sharedOptions(COMMANDS).map(optionHelp));
  return [
    `.SS macro ${roff([...command.path, usageOf(command)].join(' '))}`,
    `${roff(command.summary)}.`,
    ...command.words.flatMap((word) => ['.TP', `.I ${roff(word.name.toUpperCase())}`, roff(wordHelp(word))]),
    ...command.options.filter((option) => !shared.has(optionHelp(option))).flatMap(optionLines),
    '.PP',
    'Examples:',
    '.nf',
    ...command.examples.map((example) => `  ${roff(`macro ${example}`)}`),
    '.fi',
  ];
}

/** A dash is a minus as it is typed, and no text begins a request of the language. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
