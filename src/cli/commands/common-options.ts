import { AVAILABILITIES } from '../../contract/time/moments.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { THEMES } from '../parse/options.ts';
import { FORMATS } from '../print/format.ts';
import { type OptionSpec, optionIn, optionsIn, type WordSpec, wordIn } from './command.ts';

export const GENERAL = optionsIn(`
  --format FMT (${FORMATS.join('|')}) [Rows and formats]: form of the output; default: table on a terminal, tsv in a pipe
  --profile NAME (<profiles>) [Source]: service profile to use
  --base-url URL [Source]: address of the service
  --mirror FILE [Source]: mirror to use: a file, or postgres://user@host/database
  --quiet [General]: no notes and no progress
  --verbose [General]: show each request
  --trace FILE [General]: write the requests and answers, without keys and secrets, as a HAR file
  --record DIR [General]: keep the answers of the service in a folder, without keys and secrets
  --replay DIR [General]: answer from such a folder in place of the service
  --no-color [General]: no colours
  --yes [General]: answer yes to every question`);

const TEXT = '--with-text [Rows and formats]: in Parquet, each number also as the text that was published';

export const WITH_TEXT = optionIn(TEXT);

export const ROWS = optionsIn(`
  -o, --output FILE [Rows and formats]: write a file; its ending gives the format (.csv .json .ndjson .tsv .md .parquet .xlsx .svg .png .html)
  ${TEXT}
  --fields A,B,C [Rows and formats]: columns to print; a dot goes into a value
  --sort FIELD [Rows and formats]: order the rows by a field
  --reverse [Rows and formats]: turn the order of the rows around
  --no-header [Rows and formats]: csv and tsv without the header line
  --no-pager [Rows and formats]: print long output without a pager ($MACRO_PAGER, $PAGER, less -FRX)`);

export const drawing = (doc: string): readonly OptionSpec[] =>
  optionsIn(`
  --chart [Rows and formats]: ${doc}
  --title TEXT [Rows and formats]: title of a chart; its subject and dates then stand below
  --size WxH [Rows and formats]: size of a chart: pixels as in 1200x800, on a terminal characters as in 100x30
  --theme T (${THEMES.join('|')}) [Rows and formats]: colours of a picture; default the reader's own, of a PNG light`);

const WINDOW = [
  ...optionsIn(`
  --limit N [Rows and formats]: number of rows; default: a page of a table, md and json, else the whole window
  --offset N [Rows and formats]: rows to skip
  --page N [Rows and formats]: page number from 1; beats --offset
  --all [Rows and formats]: the whole window in a table, md and json too`),
  ...drawing('draw the whole window over time; with -o x.svg, x.png or x.html a picture, with --fields the named ones'),
];

/** How much may be spent, and how long it may take, of every command that sends requests. */
export const SPENDING = optionsIn(`
  --budget N [Source]: send at most N requests, then stop with exit 5; 60/min,5000/day bounds each window
  --wait [Source]: wait for quota, and for a sync of another program, as long as it takes or as --max-wait says
  --max-time DUR [Source]: end the whole command with exit 6 after so long: 90s, 15m; a single request has 30 s with all its tries
  --max-wait DUR [Source]: wait for quota at most so long, with or without --wait; default 5s, sync 65s`);

export const LISTING = [...ROWS, ...GENERAL];

export const REMOTE = [...ROWS, ...SPENDING, ...GENERAL];

export const STREAM_ADDRESS =
  '--stream-url URL [Source]: address of the event stream, where it is not that of the service';

/** Takes the exit code of a partial answer away, not its mark. */
export const ALLOW_PARTIAL = '--allow-partial [Source]: exit 0 for a partial answer; the data still says so';

export const ASKING = [
  ...optionsIn(`
  --live [Source]: ask the service only
  --offline [Source]: ask the mirror only
  ${ALLOW_PARTIAL}
  --max-age DUR [Source]: accept mirrored rows this old: 90s, 15m, 6h, 2d; a bare number is seconds
  --param NAME=VALUE... [Source]: a query parameter that this tool does not know; may be repeated`),
  ...SPENDING,
];

/** Whose knowledge of a moment counts. */
export const AVAILABILITY = `--availability WORD (${AVAILABILITIES.join('|')}) [Source]: when a value counts as known: public, once published; captured, once the service had it; mirrored, once this mirror had it; default public`;

export const ORIGIN = optionIn(
  '--origin NAME [Source]: one source of the mirror alone: the publisher of a file, such as ECB, or service; default: the best one for each date',
);

/** Options of every question about what the mirror keeps. */
export const PAST = optionsIn(`
  --as-of T [Source]: answer as it was known at this moment: 2026-11-01 (midnight UTC), 2026-11-01T13:30:00Z, -6h, -30min, -30d (midnight), or now (without rows that are dated later)
  ${AVAILABILITY}`);

/** Ask a second question, for all forecasts and first prints, or show every vintage: nobody pays for it who did not say so. */
export const FORECASTS = optionsIn(`
  --forecasts [Rows and formats]: show the forecast beside each value; --chart draws both
  --surprise [Rows and formats]: with --forecasts: the first print minus the newest forecast before it; also in deviations of the forecaster's earlier surprises, if there are eight
  --triangle [Rows and formats]: a row for each period and a column for each vintage; --chart and --output FILE.svg draw the vintages`);

/** Describes the rows of a command instead of asking for them. */
export const SCHEMA = optionIn('--schema [Rows and formats]: print the JSON Schema of the rows and ask nobody');

export const QUESTION: readonly OptionSpec[] = [...WINDOW, ...ASKING];

export const CURRENCY_WORDS: readonly string[] = MAIN_CURRENCIES.map((code) => code.toLowerCase());

export function currencyWord(doc: string): WordSpec {
  return { name: 'currency', doc, words: CURRENCY_WORDS };
}

export function indicatorWord(doc: string): WordSpec {
  return { name: 'indicator', doc, words: INDICATORS, from: 'indicators' };
}

export const SELECTION: WordSpec = wordIn(
  'words... (<selection>|announcements|calendar|catalogue|commodities|cot|curve|differential|factor|fx|predictions|press|prices|sentiment|settlement): words of a query command, a currency, a pair, or what macro import fetches: ecb, fred PAYEMS; commas separate several',
);

/** Who gets the events, and what remembers how far they came. */
export const CONSUMING = `
  --exec CMD: run this for each event, which it reads as JSON on standard input; exit 0 means done
  --exec-timeout DUR: end a command of --exec that takes longer for an event, which counts as failed: 30s, 10m; default 5m
  --exec-env NAMES: variables that a command of --exec gets although they hold a secret, comma separated: MACRO_API_KEY, MACRO_WEBHOOK_SECRET, PGPASSWORD
  --forward URL: post each event as JSON to this address; 2xx means done
  --consumer NAME (<consumers>): name of the reader, which continues where it stopped; default: one for each command and filter`;

export const NO_FETCH = '--no-fetch: leave the series that an event names to the next macro sync';

export const EVENT_FILTERS = `
  --currencies A,B (<currencies>): currencies, comma separated; g10 or all
  --indicators X,Y (<indicators>): indicators, comma separated`;
