import { waitText } from '../../client/text.ts';
import type { JsonObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { wordList } from '../../contract/words/words.ts';
import calendar from '../../endpoints/calendar/calendar.ts';
import type { App } from '../app/app.ts';
import { readCount } from '../parse/options.ts';
import { wrongWords } from '../parse/question.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { ASKING, currencyWord, GENERAL, indicatorWord, ROWS } from './common-options.ts';
import { partRows, printJoined, readPart } from './endpoint/ask-parts.ts';
import { askForecasts, type Expectations } from './endpoint/forecasts.ts';

export default [
  {
    path: ['next'],
    summary: 'Show the next releases of a currency, and how long until then',
    words: [currencyWord('currency of the releases'), { ...indicatorWord('one indicator'), optional: true }],
    options: [`--limit N [Rows and formats]: number of releases; default 10`, ROWS, ASKING, GENERAL],
    examples: ['next usd', 'next usd inflation --offline'],
    rows: `in text, announcement_datetime time, local time?, indicator text, name text?, event_importance text?,
      confirmed flag, seconds_left number?, reference_period text?, period text?, calendar_event_id text?,
      forecast? number?, forecast_by? text?`,
    run: showNext,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = wordList(
  'in announcement_datetime local indicator name forecast forecast_by event_importance confirmed',
);
const SPARE = ['confirmed', 'name', 'local', 'forecast_by', 'event_importance'] as const;
const DEFAULT_LIMIT = 10;

/** Prints the next releases of a currency or indicator. @throws MacroError of kind `usage`. */
async function showNext(app: App, call: Call): Promise<void> {
  const [currency, indicator, ...rest] = call.words;
  if (currency === undefined || rest.length > 0)
    throw wrongWords(
      'macro next takes a currency and, if only one series matters, its indicator.',
      'For example: macro next usd inflation',
    );
  const limit = readCount(call.options, 'limit', 1) ?? DEFAULT_LIMIT;
  const now = app.platform.clock.now();
  const { limit: _, ...options } = call.options;
  const answer = await readPart(
    app,
    calendar,
    { words: [currency], options: { ...options, ...(indicator !== undefined && { indicator }) } },
    now,
  );
  await printJoined(app, { questions: [answer], now, what: 'times' }, async (scheduled) => {
    const releases = releasesIn(scheduled.flatMap(partRows), now / 1000).slice(0, limit);
    const code = String(answer.question.args.currency);
    const indicators = [
      ...new Set(releases.flatMap((row) => (typeof row.indicator === 'string' ? [row.indicator] : []))),
    ];
    const expected = await askForecasts(app, { currency: code, indicators, options, now });
    const rows = releases.map(({ at: _, ...row }) => withForecast(row, expected));
    return {
      more: expected?.parts ?? [],
      columns: expected ? COLUMNS : COLUMNS.filter((name) => !name.startsWith('forecast')),
      spare: SPARE,
      rows,
      end: releases.at(-1)?.at,
      title: ['Next releases', code, ...(rows.length === 0 ? ['none is scheduled'] : [])],
      beside: { currency: code },
    };
  });
}

/** Null where nobody expects anything, or where the mark says that nobody here knows. */
function withForecast(row: Omit<ReturnType<typeof releasesIn>[number], 'at'>, expected: Expectations | undefined) {
  if (!expected) return row;
  const found = expected.of(String(row.indicator), String(row.period));
  return { ...row, forecast: found?.forecast ?? null, forecast_by: found?.forecast_by ?? null };
}

/** Releases still ahead, the nearest first. */
function releasesIn(data: readonly JsonObject[], now: number) {
  return data
    .filter((row) => momentOf(row) > now)
    .sort((a, b) => momentOf(a) - momentOf(b))
    .map((row) => ({
      at: momentOf(row),
      in: waitText(momentOf(row) - now),
      announcement_datetime: isoSeconds(momentOf(row)),
      local: row.announcement_datetime_local ?? null,
      indicator: row.release ?? null,
      name: row.name ?? null,
      event_importance: row.event_importance ?? null,
      confirmed: row.release_date_confirmed ?? null,
      seconds_left: Math.round(momentOf(row) - now),
      reference_period: row.reference_period ?? null,
      period: row.date ?? null,
      calendar_event_id: row.calendar_event_id ?? null,
    }));
}

/** Unix seconds. */
const momentOf = ({ announcement_datetime: at }: JsonObject): number => (typeof at === 'number' ? at : 0);
