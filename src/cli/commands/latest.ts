import { cutBody } from '../../contract/json/body.ts';
import { type JsonText, objectText, readJson, toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import latest from '../../endpoints/announcements/latest.ts';
import calendar from '../../endpoints/calendar/calendar.ts';
import type { App } from '../app/app.ts';
import { readCount } from '../parse/options.ts';
import { type Fields, fieldsOf, isNumber, rawAt } from '../print/rows.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { ASKING, currencyWord, GENERAL, ROWS } from './common-options.ts';
import { type AnswerPart, partRows, printJoined, readPart } from './endpoint/ask-parts.ts';
import { onlyWord } from './require.ts';

/** The newest value of every indicator of a currency beside its next release: two answers, joined by indicator. */
export default [
  {
    path: ['latest'],
    summary: 'Show every indicator of a currency: newest and previous value, change, last and next release',
    words: [currencyWord('currency of the indicators')],
    options: [`--limit N [Rows and formats]: number of indicators; default all`, ROWS, ASKING, GENERAL],
    examples: ['latest usd --limit 10', 'latest eur --offline --format csv'],
    rows: `indicator text, name text?, value number?, unit text?, period text?, previous number?, previous_period text?,
      change number?, released time?, next_release time?, frequency text?, source text?`,
    run: showLatest,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = ['indicator', 'value', 'unit', 'period', 'previous', 'change', 'released', 'next_release'] as const;
/** Columns that a narrow table drops, first to last: the release time goes last, the period never. */
const SPARE = ['previous', 'change', 'next_release', 'unit', 'released'] as const;

/** Digits behind the point. */
const LONGEST = 15;

async function showLatest(app: App, call: Call): Promise<void> {
  const words = [onlyWord(call, 'latest', 'CURRENCY')];
  const now = app.platform.clock.now();
  const { limit: _, ...options } = call.options;
  const limit = readCount(call.options, 'limit', 1);
  const newest = await readPart(app, latest, { words, options }, now);
  const coming = await readPart(app, calendar, { words, options }, now);
  const currency = String(newest.question.args.currency);
  await printJoined(app, { questions: [newest, coming], now }, ([values, releases]) => {
    const next = releases ? nextReleases(releases, now / 1000) : new Map<string, number>();
    const shown = values?.reply ? cutBody(latest.body, values.reply.body).rows.slice(0, limit) : [];
    return {
      sources: shown.map(({ value }) => value.source),
      columns: COLUMNS,
      spare: SPARE,
      texts: shown.map(({ text }) => rowOf(fieldsOf(text), next)),
      title: [`Latest ${currency}`],
      beside: { currency },
    };
  });
}

/** The nearest release of each indicator that is still ahead, in Unix seconds. */
function nextReleases(releases: AnswerPart, now: number): ReadonlyMap<string, number> {
  const next = new Map<string, number>();
  for (const { release, announcement_datetime: at } of partRows(releases)) {
    if (typeof release !== 'string' || typeof at !== 'number' || at <= now) continue;
    next.set(release, Math.min(at, next.get(release) ?? at));
  }
  return next;
}

/** Numbers keep the spelling that they have in the answer. */
function rowOf(entry: Fields, next: ReadonlyMap<string, number>): JsonText {
  const [value, previous] = [rawAt(entry, 'latest.val'), rawAt(entry, 'previous.val')];
  const indicator = rawAt(entry, 'indicator');
  const at = next.get(String(readJson(indicator ?? '""')));
  const members = {
    indicator,
    name: rawAt(entry, 'name'),
    value,
    unit: rawAt(entry, 'unit'),
    period: rawAt(entry, 'latest.date'),
    previous,
    previous_period: rawAt(entry, 'previous.date'),
    change: isNumber(value) && isNumber(previous) ? differenceText(String(value), String(previous)) : undefined,
    released: timeText(rawAt(entry, 'latest.announcement_datetime')),
    next_release: at === undefined ? undefined : toJsonText(isoSeconds(at)),
    frequency: rawAt(entry, 'frequency'),
    source: rawAt(entry, 'source'),
  };
  return objectText(Object.entries(members).map(([name, raw]) => [name, raw ?? 'null']));
}

function timeText(raw: string | undefined): string | undefined {
  return raw !== undefined && isNumber(raw) ? toJsonText(isoSeconds(Number(raw))) : undefined;
}

/** `0.1` for `3.2` and `3.1`, which binary arithmetic makes `0.10000000000000009`. */
export function differenceText(value: string, before: string): string {
  const digits = Math.min(LONGEST, Math.max(digitsOf(value), digitsOf(before)));
  const text = (Number(value) - Number(before)).toFixed(digits);
  // A minus before nothing but zeros says a fall where there is none.
  return Number(text) === 0 ? text.replace('-', '') : text;
}

function digitsOf(spelled: string): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(spelled) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
