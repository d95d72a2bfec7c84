import { cutBody } from '../../contract/json/body.ts';
import { objectIn, objectText, readJson } from '../../contract/json/json.ts';
import announcements from '../../endpoints/announcements/series.ts';
import type { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { Selection } from '../../mirror/api/series.ts';
import { withoutUndone } from '../../mirror/rules/as-of/undone.ts';
import { knowsStateOf } from '../../source/known-spans.ts';
import { notMirrored } from '../../source/not-mirrored.ts';
import { seriesOfQuestion } from '../../source/question.ts';
import { type App, dataKindNote } from '../app/app.ts';
import { isOn, readCount, textOption } from '../parse/options.ts';
import { type ParsedQuestion, wrongWords } from '../parse/question.ts';
import { isDrawn } from '../print/format.ts';
import { fieldsOf, rawAt } from '../print/rows.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { ASKING, CURRENCY_WORDS, drawing, GENERAL, indicatorWord, PAST, ROWS } from './common-options.ts';
import { type AnswerPart, printJoined, readPart, readPlainQuestion } from './endpoint/ask-parts.ts';
import { requireOwnMirror } from './require.ts';

export default [
  {
    path: ['compare'],
    summary: 'Compare one indicator across currencies, the newest period first',
    words: [
      { name: 'currencies', doc: 'currencies, separated by commas', words: CURRENCY_WORDS },
      { ...indicatorWord('indicator; with --origins none for a pair'), optional: true },
    ],
    options: [
      `--origins: one series by its origins in the mirror, the service and files: USD INFLATION, EUR/USD, commodities gold
      --start D: first period: YYYY-MM-DD, today, ytd, -90d, -3m, -2y
      --end D: last period
      --limit N [Rows and formats]: number of periods; default 12, or all of them with --start`,
      ...drawing('draw one line a currency; with -o x.svg, x.png or x.html a picture'),
      ROWS,
      ASKING,
      PAST,
      GENERAL,
    ],
    examples: ['compare usd,eur,gbp inflation', 'compare eur/usd --origins --start -30d'],
    rows: 'date text, ^[a-z]{3}$ number?',
    run: compareCurrencies,
  },
] satisfies readonly CommandDeclaration[];

const DEFAULT_DATES = 12;

const DEFAULT_PERIODS = 12;
const MAX_CURRENCIES = 18;

/** Prints one row a period, one column a currency. */
async function compareCurrencies(app: App, call: Call): Promise<void> {
  const { options } = call;
  if (isOn(options, 'origins')) return compareOrigins(app, call);
  const { codes, indicator } = readWhat(call);
  const limit = readCount(options, 'limit', 1);
  const isWhole =
    options.start !== undefined || isDrawn({ chart: isOn(options, 'chart'), file: textOption(options, 'output') });
  const periods = limit ?? (isWhole ? undefined : DEFAULT_PERIODS);
  const { limit: _, ...others } = options;
  const asking = { ...others, ...(periods === undefined ? { all: true as const } : { limit: String(periods) }) };
  const now = app.platform.clock.now();
  const questions = [];
  for (const code of codes)
    questions.push(await readPart(app, announcements, { words: [code, indicator], options: asking }, now));
  const slug = String(questions[0]?.question.args.indicator ?? indicator);
  await printJoined(app, { questions, now }, (parts) => {
    const series = parts.map(seriesOf);
    const columns = series.map(({ currency }) => currency);
    const units = [...new Set(series.flatMap(({ unit }) => (unit === null ? [] : [unit])))];
    const title = `${slug} of ${columns.map((name) => name.toUpperCase()).join(', ')}`;
    const shown = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort().reverse().slice(0, periods);
    const sides = series.map(({ currency, values, newest }) => ({ name: currency, values, newest }));
    // An uncovered part is unknown: the mark names it.
    const certain = sides.filter((_, i) => parts[i]?.reply !== undefined && parts[i].partial === undefined);
    return {
      sources: series.map(({ source }) => source),
      columns: ['date', ...columns],
      texts: shown.map((date) => rowText(date, sides)),
      title: [title, ...units],
      lasting: [title],
      beside: { indicator: slug, series: series.map(({ values: _, newest: __, ...described }) => described) },
      chart: {
        at: 'date',
        panels: [{ values: columns, names: upperCased(columns), ...(units.length === 1 && { unit: units[0] ?? '' }) }],
      },
      async after() {
        for (const note of emptySides(certain, shown)) await app.note(note, 'about_answer');
        if (units.length > 1)
          await app.warn(
            `The units differ: ${series.map(({ currency, unit }) => `${currency} ${unit ?? 'unknown'}`).join(', ')}.`,
            'units_differ',
          );
      },
    };
  });
}

const upperCased = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name.toUpperCase()]));

function readWhat({ words }: Call): { codes: readonly string[]; indicator: string } {
  const [list, indicator, ...rest] = words;
  const codes = [...new Set((list ?? '').split(',').map((code) => code.trim().toLowerCase()))].filter(Boolean);
  if (codes.length > 0 && codes.length <= MAX_CURRENCIES && indicator !== undefined && rest.length === 0)
    return { codes, indicator };
  throw wrongWords(
    `macro compare takes up to ${MAX_CURRENCIES} currencies, separated by commas, and one indicator.`,
    'For example: macro compare usd,eur,gbp inflation',
  );
}

/** Values as they are spelled, by period; `newest` is the period of the newest one, in the window or before it, if known. */
function seriesOf({ parsed, reply }: AnswerPart) {
  const body = objectIn(reply && readJson(reply.body));
  const rows = reply ? cutBody(announcements.body, reply.body).rows : [];
  // A row from before an empty window is no row of the window.
  const own = rows.filter(({ value }) => value.outside_requested_window !== true);
  return {
    currency: String(parsed.question.args.currency).toLowerCase(),
    name: textOf(body.name),
    unit: textOf(body.unit),
    source: textOf(body.source),
    values: new Map(own.map(({ text, value }) => [String(value.date), rawAt(fieldsOf(text), 'val') ?? 'null'])),
    newest: textOf(body.latest_available_date),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A period that a side does not have is null there. */
function rowText(date: string, sides: readonly Omit<Side, 'newest'>[], more: Readonly<Record<string, string>> = {}) {
  const cells = sides.map(({ name, values }) => [name, values.get(date) ?? 'null'] as const);
  return objectText([['date', JSON.stringify(date)], ...cells, ...Object.entries(more)]);
}

type OriginValues = Awaited<ReturnType<typeof valuesByOrigin>>[number];

/** Prints one row a date, one column an origin. @throws MacroError of kinds `usage` and `notFound`. */
async function compareOrigins(app: App, call: Call): Promise<void> {
  const { options } = call;
  const limit = readCount(options, 'limit', 1);
  const { limit: _, ...others } = options;
  const parsed = readOne(call, others, app.platform.clock.now());
  for (const note of parsed.notes) await app.note(note, 'about_question');
  const mirror = await requireOwnMirror(app);
  const origins = await mirror.snapshot((reader) =>
    valuesByOrigin(withoutUndone(reader), parsed, { isWhole: others.start === undefined }),
  );
  const known = origins.filter(({ isKnown }) => isKnown);
  for (const { name } of origins.filter(({ isKnown }) => !isKnown))
    await app.note(`The mirror cannot tell what ${name} said then.`, 'about_answer');
  const dates = [...new Set(known.flatMap(({ values }) => [...values.keys()]))].sort().reverse();
  const shown = dates.slice(0, limit ?? (others.start === undefined ? DEFAULT_DATES : undefined));
  const columns = known.map(({ name }) => name);
  const subject = call.words.join(' ').toUpperCase();
  await app.list({
    columns: ['date', ...columns, 'differs'],
    texts: shown.map((date) => rowText(date, known, { differs: String(differs(date, known)) })),
    title: [`${subject} by origin`, `${shown.length} of ${dates.length} dates`],
    beside: { series: subject, origins: columns },
    facts: await dataKindNote(app, mirror),
  });
  for (const note of emptySides(known, shown)) await app.note(note, 'about_answer');
}

/** `usd inflation`, `eur/usd`, or the words of a command, such as `commodities gold`. */
function readOne({ words }: Call, options: Call['options'], now: number): ParsedQuestion {
  const readOptions = { ...options, all: true as const, origins: undefined };
  const [first = '', second = '', further] = words;
  if (first === '' || first.includes(',')) throw noSeries();
  const pair = words.length === 1 ? first.split('/') : isPair(first, second) && further === undefined ? words : [];
  const whole = pair.length === 2 ? ['fx', ...pair] : words;
  const parsed =
    readPlainQuestion(whole, readOptions, now) ?? readPlainQuestion(['announcements', ...whole], readOptions, now);
  if (!parsed) throw noSeries();
  return parsed;
}

const noSeries = (): MacroError =>
  wrongWords(
    'macro compare --origins takes one series.',
    'For example: macro compare usd inflation --origins, macro compare eur/usd --origins',
  );

const isPair = (first: string, second: string): boolean =>
  [first, second].every((word) => CURRENCY_WORDS.includes(word.toLowerCase()));

/** Values as they are spelled, by date; `isKnown`: the mirror knows what this origin said at the moment in question. */
async function valuesByOrigin(
  reader: MirrorReader,
  { question, asOf }: ParsedQuestion,
  { isWhole }: { readonly isWhole: boolean },
) {
  const { endpoint, args } = question;
  const found = await reader.find({ ...seriesOfQuestion(endpoint, args), exact: true });
  if (found.length === 0) throw notMirrored(question);
  const selection: Selection = {
    ...(!isWhole && { from: String(args.start_date) }),
    to: String(args.end_date),
    ...(asOf && { asOf }),
  };
  return Promise.all(
    found.map(async (series) => {
      const isKnown = asOf === undefined || (await knowsStateOf(series, asOf, reader));
      const rows = isKnown ? await reader.rows(series, selection) : [];
      const values = rows.map(({ key, text }) => [String(key[0]), rawAt(fieldsOf(text), 'val') ?? 'null'] as const);
      const { to: _, from: __, ...then } = selection;
      const [last] = isKnown ? await reader.rows(series, then, { limit: 1, offset: 0 }) : [];
      const newest = last ? String(last.key[0]) : null;
      return { name: series.origin.replace(/^import:/, ''), isKnown, values: new Map(values), newest };
    }),
  );
}

function differs(date: string, origins: readonly OriginValues[]): boolean {
  const texts = origins.flatMap(({ values }) => values.get(date) ?? []);
  return new Set(texts.filter((text) => text !== 'null').map(Number)).size > 1;
}

type Side = Pick<OriginValues, 'name' | 'values' | 'newest'>;

/** Says which sides have no value in the periods of a table: an empty column alone would pass for a fault. */
function emptySides(sides: readonly Side[], shown: readonly string[]): readonly string[] {
  return sides
    .filter(({ values }) => shown.every((period) => !values.has(period)))
    .map(({ name, newest }) => {
      const known = newest === null ? '' : ` Its newest is that of ${newest}.`;
      return `${name} has no value in the rows shown.${known}`;
    });
}
