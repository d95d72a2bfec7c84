import { MacroError } from '../../errors.ts';
import { isOn } from '../parse/options.ts';
import { API_COMMAND } from './api/api-command.ts';
import { AUTH_COMMANDS } from './auth/auth-commands.ts';
import {
  type Call,
  type CommandDeclaration,
  type CommandSpec,
  lazy,
  type OptionSpec,
  type WordSpec,
} from './command.ts';
import {
  ASKING,
  DRY_RUN,
  FORECASTS,
  GENERAL,
  LISTING,
  PAST,
  QUESTION,
  REMOTE,
  ROWS,
  SCHEMA,
} from './common-options.ts';
import { COMPARE_COMMAND } from './compare/compare-command.ts';
import { COMPLETION_COMMAND, COMPLETION_INSTALL_COMMAND } from './completion/completion-command.ts';
import { CONFIG_COMMANDS } from './config/config-commands.ts';
import { DIFF_COMMAND } from './diff/diff-command.ts';
import { endpointFaces } from './endpoint-data.ts';
import type { EndpointCommand } from './endpoint-faces.ts';
import { IMPORT_COMMAND } from './import/import-command.ts';
import { IMPORT_CSV_COMMAND } from './import/import-csv-command.ts';
import { IMPORT_HISTORY_COMMANDS } from './import/import-history-commands.ts';
import { INIT_COMMAND } from './init/init-command.ts';
import { JOURNAL_COMMAND } from './journal/journal-command.ts';
import { MANUAL_COMMAND } from './manual/manual-command.ts';
import { METRICS_COMMAND } from './metrics/metrics-command.ts';
import { EXPORT_COMMAND } from './mirror/export-command.ts';
import { MIRROR_COMMANDS } from './mirror/mirror-commands.ts';
import { noWords } from './only-word.ts';
import { PROFILE_COMMANDS } from './profile/profile-commands.ts';
import { SCHEDULE_COMMANDS } from './schedule/schedule-commands.ts';
import { SELFTEST_COMMAND } from './selftest/selftest-command.ts';
import { currencyWord, indicatorWord } from './series-words.ts';
import { SERVE_COMMAND } from './serve/serve-command.ts';
import { SETTLEMENT_COMMAND } from './settlement/settlement-command.ts';
import { SQL_COMMAND } from './sql/sql-command.ts';
import { STREAM_COMMAND } from './stream/stream-command.ts';
import { SYNC_COMMAND } from './sync/sync-command.ts';
import { TRACK_COMMANDS } from './track/track-commands.ts';
import { DELIVERY_COMMANDS } from './webhooks/delivery-commands.ts';
import { WEBHOOK_COMMANDS } from './webhooks/webhook-commands.ts';

/** Tells where a number came from. */
const WHY_COMMAND: CommandDeclaration = {
  path: ['why'],
  summary: 'Where a number came from: request, commit, revisions, publisher; offline',
  words: [
    {
      name: 'words',
      doc: 'CCY/INDICATOR, BASE/QUOTE or the words of a mirrored series (cot eur), then the date or the name of the row',
      from: 'series',
      many: true,
    },
  ],
  options: LISTING,
  examples: ['why usd/inflation 2026-09-30', 'why cot eur 2026-11-10 --format json'],
  run: lazy(() => import('./why/why.ts'), 'why'),
};

/** Tells how what is tracked stands. */
const STATUS_COMMAND: CommandDeclaration = {
  path: ['status'],
  summary: 'How what is tracked stands: freshness, gaps, the last run, what is due, quota',
  options: [
    {
      name: 'check',
      doc: 'one line for a monitor and an exit code: 6 the last run failed, 10 holes, 11 stale, 0 none of them',
    },
    { name: 'max-age', value: 'DUR', doc: 'with --check: older than this is stale; default: each series by its kind' },
    ...LISTING,
  ],
  examples: ['status', 'status --check --max-age 2h'],
  run: lazy(() => import('./status/status.ts'), 'showStatus'),
};

/** Tells which releases come next. */
const NEXT_COMMAND: CommandDeclaration = {
  path: ['next'],
  summary: 'The releases of a currency that are next, and how long until then',
  words: [currencyWord('currency of the releases'), { ...indicatorWord('one indicator'), optional: true }],
  options: [
    { name: 'limit', value: 'N', doc: 'number of releases; default 10', heading: 'Rows and formats' },
    ...ROWS,
    ...ASKING,
    ...GENERAL,
  ],
  examples: ['next usd', 'next usd inflation --offline'],
  run: lazy(() => import('./next/next.ts'), 'showNext'),
};

/** Answers programs that speak the Model Context Protocol. */
const MCP_COMMAND: CommandDeclaration = {
  path: ['mcp'],
  summary: 'Tools for language models over standard input and output (Model Context Protocol), from the mirror',
  options: [
    {
      name: 'budget',
      value: 'N',
      doc: 'ask the service where the mirror does not know, with N requests at most; default 0',
    },
    ...GENERAL,
  ],
  examples: ['mcp', 'mcp --budget 50'],
  run: lazy(() => import('./mcp/mcp.ts'), 'runMcp'),
};

/** Waits for a release. */
const WAIT_COMMAND: CommandDeclaration = {
  path: ['wait'],
  summary: 'Wait until the next period of a series is released, and print it',
  words: [currencyWord('currency of the series'), indicatorWord('indicator of the series')],
  options: [{ name: 'timeout', value: 'DUR', doc: 'give up after so long, with exit 11: 90s, 15m, 6h, 2d' }, ...REMOTE],
  examples: ['wait usd inflation --timeout 2h', 'wait usd non_farm_payrolls --format json'],
  run: lazy(() => import('./wait/wait.ts'), 'waitForRelease'),
};

/** Shows where a currency stands on one screen. */
const LATEST_COMMAND: CommandDeclaration = {
  path: ['latest'],
  summary: 'Every indicator of a currency: newest value, the one before, change, release time, next release',
  words: [currencyWord('currency of the indicators')],
  options: [...ROWS, ...ASKING, ...GENERAL],
  examples: ['latest usd', 'latest eur --offline --format csv'],
  run: lazy(() => import('./latest/latest.ts'), 'showLatest'),
};

/** Looks things up by what they are called. */
const SEARCH_COMMAND: CommandDeclaration = {
  path: ['search'],
  summary: 'Find indicators, currencies, commodities and commands by name; works offline',
  words: [{ name: 'words', doc: 'what to look for', many: true }],
  options: [{ name: 'limit', value: 'N', doc: 'rows at most; default 20' }, ...LISTING],
  examples: ['search cpi', 'search policy rate eur --format json'],
  run: lazy(() => import('./search/search.ts'), 'search'),
};

/** Checks that everything a question needs is there. */
const DOCTOR_COMMAND: CommandDeclaration = {
  path: ['doctor'],
  summary:
    'Check machine, settings, service, key, clock, quota, mirror and schedule: exit 0, or the code of the first problem',
  options: [{ name: 'offline', doc: 'leave the service alone: no request is made', heading: 'Options' }, ...LISTING],
  examples: ['doctor', 'doctor --offline --format json'],
  run: lazy(() => import('./doctor/doctor.ts'), 'diagnose'),
};

/** Tells what is left of the request budgets. */
const QUOTA_COMMAND: CommandDeclaration = {
  path: ['quota'],
  summary: 'What is left of each request budget, until when, and how that is known; works offline',
  options: [{ name: 'forget', doc: 'forget what is known, after a change of plan for example' }, ...LISTING],
  examples: ['quota', 'quota --format json'],
  run: lazy(() => import('./quota/quota.ts'), 'showQuota'),
};

/** Prints the document of the interface. */
const OPENAPI_COMMAND: CommandDeclaration = {
  path: ['openapi'],
  summary: 'The OpenAPI 3.1 document of the whole interface',
  options: LISTING,
  examples: ['openapi', 'openapi -o openapi.json'],
  run: lazy(() => import('./openapi/openapi.ts'), 'printDocument'),
};

/** Shows the tool at work. */
const DEMO_COMMAND: CommandDeclaration = {
  path: ['demo'],
  summary: 'See the tool work, without a key and without a network',
  options: GENERAL,
  examples: ['demo', 'demo --no-color'],
  run: lazy(() => import('./demo/demo.ts'), 'demo'),
};

/** What their rows are like, nobody can say before: a query has any columns, and a document is no rows. */
const WITHOUT_SCHEMA: ReadonlySet<string> = new Set(['openapi', 'sql']);

/** Commands that no endpoint stands for, as help lists them: by section. */
const DECLARED: readonly (readonly [section: string, ...(CommandDeclaration | readonly CommandDeclaration[])[]])[] = [
  ['Data catalogue', SEARCH_COMMAND, API_COMMAND],
  ['Announcements', LATEST_COMMAND, COMPARE_COMMAND],
  ['Calendar', NEXT_COMMAND, WAIT_COMMAND],
  ['Release-event delivery', STREAM_COMMAND, JOURNAL_COMMAND, WEBHOOK_COMMANDS, DELIVERY_COMMANDS],
  ['Settlement', SETTLEMENT_COMMAND],
  [
    'Mirror',
    SYNC_COMMAND,
    TRACK_COMMANDS,
    STATUS_COMMAND,
    METRICS_COMMAND,
    SCHEDULE_COMMANDS,
    IMPORT_COMMAND,
    IMPORT_CSV_COMMAND,
    IMPORT_HISTORY_COMMANDS,
  ],
  ['Mirror', MIRROR_COMMANDS, DIFF_COMMAND, WHY_COMMAND, SQL_COMMAND, EXPORT_COMMAND],
  ['Serve', SERVE_COMMAND, MCP_COMMAND, OPENAPI_COMMAND],
  [
    'This tool',
    DEMO_COMMAND,
    INIT_COMMAND,
    DOCTOR_COMMAND,
    SELFTEST_COMMAND,
    AUTH_COMMANDS,
    QUOTA_COMMAND,
    PROFILE_COMMANDS,
  ],
  ['This tool', CONFIG_COMMANDS, COMPLETION_COMMAND, COMPLETION_INSTALL_COMMAND, MANUAL_COMMAND],
];

/** Every command of the program, or those whose first word is `first`: making all of them is a tenth of a short command. */
export function commandsUnder(first?: string): readonly CommandSpec[] {
  return mergeVariants([...endpointCommands(endpointFaces(first)), ...ownCommands(first)]);
}

/** Words that only lead to other words, with what they are about. */
export const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  auth: 'Keep the key of a service',
  commodities: 'Commodity prices',
  config: 'Settings and where they come from',
  import: 'Official bulk files into the mirror',
  mirror: 'What the mirror holds',
  profile: 'Services to choose from',
  schedule: 'Let macro sync run by itself',
  settlement: 'Contracts and signed records to settle them by',
  track: 'What macro sync keeps up to date',
  webhooks: 'Have releases posted to an address',
};

/** A node of the tree: a word, the command that stands there, and the words that may follow. */
export interface CommandNode {
  readonly path: readonly string[];
  readonly command: CommandSpec | undefined;
  readonly children: readonly CommandNode[];
}

/** The commands as a tree of words, in their order. */
export function treeOf(commands: readonly CommandSpec[], path: readonly string[] = []): CommandNode {
  const under = commands.filter((command) => path.every((word, i) => command.path[i] === word));
  const next = new Set(under.flatMap((command) => command.path.slice(path.length, path.length + 1)));
  return {
    path,
    command: under.find((command) => command.path.length === path.length),
    children: [...next].map((word) => treeOf(under, [...path, word])),
  };
}

/** Words that may follow the words of a command. */
export function childWords(path: readonly string[]): readonly string[] {
  return commandsUnder(path[0]).flatMap((command) => {
    const next = command.path[path.length];
    return next !== undefined && path.every((word, i) => command.path[i] === word) ? [next] : [];
  });
}

/** The commands of endpoints, with what all such commands have in common. */
function endpointCommands(faces: readonly EndpointCommand[]): readonly CommandSpec[] {
  return faces.map(({ id, hasRows, hasPast, options, ...view }) => ({
    ...view,
    options: [
      ...options,
      ...(id === 'announcements' ? [FORECASTS] : []),
      ...(hasRows ? QUESTION : ASKING),
      ...(hasPast ? PAST : []),
      ...ROWS,
      SCHEMA,
      ...GENERAL,
    ],
    ...(id === 'catalogue' && { changesWords: true }),
    run: async (app, call) => (await import('./endpoint/ask.ts')).ask(app, call, id),
  }));
}

/**
 * Commands with the same words become one: which of them is meant is told by the number of words behind. `predictions usd`
 * and `predictions usd inflation` are two questions, and `macro predictions CURRENCY [INDICATOR]` is their command.
 */
export function mergeVariants(commands: readonly CommandSpec[]): readonly CommandSpec[] {
  const byPath = new Map<string, CommandSpec[]>();
  for (const command of commands) {
    const name = command.path.join(' ');
    const variants = byPath.get(name);
    if (variants) variants.push(command);
    else byPath.set(name, [command]);
  }
  return [...byPath.values()].map(merge);
}

function merge(given: readonly CommandSpec[]): CommandSpec {
  const variants = [...given].sort((a, b) => a.words.length - b.words.length);
  const [least, most] = [variants[0], variants.at(-1)];
  if (!least || !most) throw new Error('There is no command to merge');
  if (least === most) return least;
  return {
    ...most,
    summary: [least.summary, ...variants.slice(1).map(({ summary }) => inSentence(summary))].join('; '),
    words: most.words.map((word, i): WordSpec => (i < least.words.length ? word : { ...word, optional: true })),
    options: mergeOptions(variants),
    examples: [least.examples[0], most.examples[0]],
    run: (app, call) => {
      const chosen = variantFor(variants, call);
      refuseOthers(variants, chosen, call);
      return chosen.run(app, call);
    },
  };
}

/** The one with as many words as were typed; the nearest one tells what is wrong with any other number. */
function variantFor(variants: readonly CommandSpec[], { words }: Call): CommandSpec {
  const chosen = variants.find((variant) => variant.words.length >= words.length) ?? variants.at(-1);
  if (!chosen) throw new Error('There is no command to choose from');
  return chosen;
}

function mergeOptions(variants: readonly CommandSpec[]): readonly OptionSpec[] {
  const names = [...new Set(variants.flatMap(({ options }) => options.map(({ name }) => name)))];
  return names.flatMap((name) => {
    const having = variants.filter((variant) => optionOf(variant, name));
    const option = having[0] && optionOf(having[0], name);
    if (!option) return [];
    const forms = having.map(formOf).join(' or ');
    return [having.length === variants.length ? option : { ...option, doc: `${option.doc}; with ${forms}` }];
  });
}

function optionOf(variant: CommandSpec, name: string): OptionSpec | undefined {
  return variant.options.find((option) => option.name === name);
}

/** Options of the other question are no options of this one: they would be taken for asked and do nothing. */
function refuseOthers(variants: readonly CommandSpec[], chosen: CommandSpec, { options }: Call): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || optionOf(chosen, name)) continue;
    const other = variants.find((variant) => optionOf(variant, name)) ?? chosen;
    throw new MacroError('usage', `--${name} does not go with macro ${commandOf(chosen)}.`, {
      code: 'unknown_option',
      hint: `It belongs to: macro ${commandOf(other)}`,
    });
  }
}

function commandOf(variant: CommandSpec): string {
  return [...variant.path, formOf(variant)].join(' ').trim();
}

function formOf({ words }: CommandSpec): string {
  return words.length === 0 ? 'no words' : words.map(({ name }) => name.toUpperCase()).join(' ');
}

/** A sentence behind another one: its first letter small, unless it begins with an abbreviation. */
function inSentence(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The commands that no endpoint stands for, or those of them whose first word is `first`. */
export function ownCommands(first?: string): readonly CommandSpec[] {
  return DECLARED.flatMap(([section, ...declared]) =>
    declared
      .flat()
      .filter(({ path }) => first === undefined || path[0] === first)
      .map((command) => inSection(section, command)),
  );
}

function inSection(section: string, command: CommandDeclaration): CommandSpec {
  const hasRows = command.options.some(({ name }) => name === 'fields');
  const hasSchema = hasRows && !WITHOUT_SCHEMA.has(command.path.join(' '));
  const options = [...(command.changes ? [DRY_RUN] : []), ...command.options, ...(hasSchema ? [SCHEMA] : [])];
  return { words: [], ...command, options, section, run: runOf(command) };
}

/** `--schema` asks for nothing else. A word that a command would not look at was meant for something: it is refused in one place for all of them. */
function runOf({ path, summary, words, run }: CommandDeclaration): CommandSpec['run'] {
  return async (app, call) => {
    if (isOn(call.options, 'schema')) {
      const { printOwnSchema } = await import('./own-schema/print-schema.ts');
      return printOwnSchema(app, call, { path, summary });
    }
    if (!words) noWords(call, path.join(' '));
    await run(app, call);
  };
}
