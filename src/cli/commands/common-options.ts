import { AVAILABILITIES } from '../../contract/time/moments.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { THEMES } from '../parse/options.ts';
import { FORMATS } from '../print/format.ts';
import type { Heading, OptionSpec, WordSpec } from './command.ts';

function under(heading: Heading, options: readonly OptionSpec[]): readonly OptionSpec[] {
  return options.map((option) => ({ ...option, heading }));
}

/** Options of every command. */
export const GENERAL: readonly OptionSpec[] = [
  {
    name: 'format',
    value: 'FMT',
    words: FORMATS,
    doc: 'form of the output; default: table on a terminal, tsv in a pipe',
    heading: 'Rows and formats',
  },
  ...under('Source', [
    { name: 'profile', value: 'NAME', doc: 'service profile to use', from: 'profiles' },
    { name: 'base-url', value: 'URL', doc: 'address of the service' },
    {
      name: 'mirror',
      value: 'FILE',
      doc: 'mirror to use: a file, or postgres://user@host/database',
      file: true,
    },
  ]),
  ...under('General', [
    { name: 'quiet', doc: 'no notes and no progress' },
    { name: 'verbose', doc: 'show each request' },
    {
      name: 'trace',
      value: 'FILE',
      doc: 'write the requests and answers, without keys and secrets, as a HAR file',
      file: true,
    },
    {
      name: 'record',
      value: 'DIR',
      doc: 'keep the answers of the service in a folder, without keys and secrets',
      file: true,
    },
    { name: 'replay', value: 'DIR', doc: 'answer from such a folder in place of the service', file: true },
    { name: 'no-color', doc: 'no colours' },
    { name: 'yes', doc: 'answer yes to every question' },
  ]),
];

export const WITH_TEXT: OptionSpec = {
  name: 'with-text',
  doc: 'in Parquet, each number also as the text that was published',
  heading: 'Rows and formats',
};

export const ROWS: readonly OptionSpec[] = under('Rows and formats', [
  {
    name: 'output',
    short: 'o',
    value: 'FILE',
    doc: 'write a file; its ending gives the format (.csv .json .ndjson .tsv .md .parquet .xlsx .svg .png .html)',
    file: true,
  },
  WITH_TEXT,
  { name: 'fields', value: 'A,B,C', doc: 'columns to print; a dot goes into a value' },
  { name: 'sort', value: 'FIELD', doc: 'order the rows by a field' },
  { name: 'reverse', doc: 'turn the order of the rows around' },
  { name: 'no-header', doc: 'csv and tsv without the header line' },
  { name: 'no-pager', doc: 'print long output without a pager ($MACRO_PAGER, $PAGER, less -FRX)' },
]);

/** Of commands whose rows can be drawn. */
export function drawing(doc: string): readonly OptionSpec[] {
  return under('Rows and formats', [
    { name: 'chart', doc },
    { name: 'title', value: 'TEXT', doc: 'title of a chart; its subject and dates then stand below' },
    {
      name: 'size',
      value: 'WxH',
      doc: 'size of a chart: pixels as in 1200x800, on a terminal characters as in 100x30',
    },
    { name: 'theme', value: 'T', doc: "colours of a picture; default the reader's own, of a PNG light", words: THEMES },
  ]);
}

/** How many rows of an answer. */
const WINDOW: readonly OptionSpec[] = under('Rows and formats', [
  { name: 'limit', value: 'N', doc: 'number of rows; more than a page is fetched page by page' },
  { name: 'offset', value: 'N', doc: 'rows to skip' },
  { name: 'page', value: 'N', doc: 'page number from 1; beats --offset' },
  { name: 'all', doc: 'every row; an incomplete result is an error' },
  ...drawing('draw the whole window over time; with -o x.svg, x.png or x.html a picture, with --fields the named ones'),
]);

/** How much may be spent, and how long it may take, of every command that sends requests. */
export const SPENDING: readonly OptionSpec[] = under('Source', [
  {
    name: 'budget',
    value: 'N',
    doc: 'send at most N requests, then stop with exit 5; 60/min,5000/day bounds each window',
  },
  { name: 'wait', doc: 'wait for quota, and for a sync of another program, as long as it takes or as --max-wait says' },
  {
    name: 'max-time',
    value: 'DUR',
    doc: 'end the whole command with exit 6 after so long: 90s, 15m; a single request has 30 s with all its tries',
  },
  {
    name: 'max-wait',
    value: 'DUR',
    doc: 'wait for quota at most so long, with or without --wait; default 5s, sync 65s',
  },
]);

export const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];

export const REMOTE: readonly OptionSpec[] = [...ROWS, ...SPENDING, ...GENERAL];

/** Of every command that changes something; what adds it is the list of commands. */
export const DRY_RUN: OptionSpec = { name: 'dry-run', doc: 'say what would be changed, and change nothing' };

export const STREAM_ADDRESS: OptionSpec = {
  name: 'stream-url',
  value: 'URL',
  doc: 'address of the event stream, where it is not that of the service',
  heading: 'Source',
};

/** Takes the exit code of a partial answer away, not its mark. */
export const ALLOW_PARTIAL: OptionSpec = {
  name: 'allow-partial',
  doc: 'exit 0 for a partial answer; the data still says so',
  heading: 'Source',
};

/** Who answers, and how. */
export const ASKING: readonly OptionSpec[] = [
  ...under('Source', [
    { name: 'live', doc: 'ask the service only' },
    { name: 'offline', doc: 'ask the mirror only' },
    ALLOW_PARTIAL,
    { name: 'max-age', value: 'DUR', doc: 'accept mirrored rows this old: 90s, 15m, 6h, 2d; a bare number is seconds' },
    {
      name: 'param',
      value: 'NAME=VALUE',
      many: true,
      doc: 'a query parameter that this tool does not know; may be repeated',
    },
  ]),
  ...SPENDING,
];

/** Whose knowledge of a moment counts. */
export const AVAILABILITY: OptionSpec = {
  name: 'availability',
  value: 'WORD',
  doc: 'when a value counts as known: public, once published; captured, once the service had it; mirrored, once this mirror had it; default public',
  words: AVAILABILITIES,
  heading: 'Source',
};

/** Which of several sources answers. */
export const ORIGIN: OptionSpec = {
  name: 'origin',
  value: 'NAME',
  doc: 'one source of the mirror alone: the publisher of a file, such as ECB, or service; default: the best one for each date',
  heading: 'Source',
};

/** Options of every question about what the mirror keeps. */
export const PAST: readonly OptionSpec[] = [
  {
    name: 'as-of',
    value: 'T',
    doc: 'answer as it was known at this moment: 2026-11-01 (midnight UTC), 2026-11-01T13:30:00Z, -6h, -30min, -30d (midnight), or now (without rows that are dated later)',
    heading: 'Source',
  },
  AVAILABILITY,
];

/** Asks a second question, so nobody pays for it who did not say so. */
export const FORECASTS: OptionSpec = {
  name: 'forecasts',
  doc: 'show the forecast beside each value; --chart draws both',
  heading: 'Rows and formats',
};

/** Asks for all forecasts and first prints, whatever the window. */
export const SURPRISE: OptionSpec = {
  name: 'surprise',
  doc: 'with --forecasts: the first print less the newest forecast before it, also in deviations of the earlier surprises of that forecaster (null before eight)',
  heading: 'Rows and formats',
};

/** Shows every vintage of a period, instead of a row for each period. */
export const TRIANGLE: OptionSpec = {
  name: 'triangle',
  doc: 'periods down and vintages across, each cell the value then in force; --chart and --output FILE.svg draw the vintages',
  heading: 'Rows and formats',
};

/** Describes the rows of a command instead of asking for them. */
export const SCHEMA: OptionSpec = {
  name: 'schema',
  doc: 'print the JSON Schema of the rows and ask nobody',
  heading: 'Rows and formats',
};

export const QUESTION: readonly OptionSpec[] = [...WINDOW, ...ASKING];

/** Currencies as people type them. */
export const CURRENCY_WORDS: readonly string[] = MAIN_CURRENCIES.map((code) => code.toLowerCase());

export function currencyWord(doc: string): WordSpec {
  return { name: 'currency', doc, words: CURRENCY_WORDS };
}

/** An indicator behind a currency. */
export function indicatorWord(doc: string): WordSpec {
  return { name: 'indicator', doc, words: INDICATORS, from: 'indicators' };
}

/** The series that a command is about. */
export const SELECTION: WordSpec = {
  name: 'words',
  doc: 'words of a query command, a currency, a pair, or what macro import fetches: ecb, fred PAYEMS; commas separate several',
  words:
    'announcements calendar catalogue commodities cot curve differential factor fx predictions press prices sentiment settlement'.split(
      ' ',
    ),
  from: 'selection',
  many: true,
};

/** Who gets the events, and what remembers how far they came. */
export const CONSUMING: readonly OptionSpec[] = [
  {
    name: 'exec',
    value: 'CMD',
    doc: 'run this for each event, which it reads as JSON on standard input; exit 0 means done',
  },
  {
    name: 'exec-timeout',
    value: 'DUR',
    doc: 'end a command of --exec that takes longer for an event, which counts as failed: 30s, 10m; default 5m',
  },
  {
    name: 'exec-env',
    value: 'NAMES',
    doc: 'variables that a command of --exec gets although they hold a secret, comma separated: MACRO_API_KEY, MACRO_WEBHOOK_SECRET, PGPASSWORD',
  },
  { name: 'forward', value: 'URL', doc: 'post each event as JSON to this address; 2xx means done' },
  {
    name: 'consumer',
    value: 'NAME',
    from: 'consumers',
    doc: 'name of the reader, which continues where it stopped; default: one for each command and filter',
  },
];

export const NO_FETCH: OptionSpec = {
  name: 'no-fetch',
  doc: 'leave the series that an event names to the next macro sync',
};

/** Which events, by the words that they carry. */
export const EVENT_FILTERS: readonly OptionSpec[] = [
  { name: 'currencies', value: 'A,B', doc: 'currencies, comma separated; g10 or all', from: 'currencies' },
  { name: 'indicators', value: 'X,Y', doc: 'indicators, comma separated', from: 'indicators' },
];
