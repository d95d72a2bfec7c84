/** The history of one indicator for several currencies, joined by reference period. */
import { cutBody } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import { MacroError } from '../../../errors.ts';
import { type App, warnSynthetic } from '../../app/app.ts';
import { isOn, readCount, textOption } from '../../parse/options.ts';
import { isDrawn } from '../../print/format.ts';
import { listTexts } from '../../print/listing.ts';
import { endIfPartial } from '../../print/partial.ts';
import { fieldsOf, rawAt } from '../../print/rows.ts';
import type { Call } from '../command.ts';
import { type AnswerPart, answerOf, askParts, readPart, shortfallOfParts } from '../endpoint/ask-parts.ts';
import { partsView } from '../endpoint/parts-view.ts';
import { emptySides } from './empty-sides.ts';

const DEFAULT_PERIODS = 12;
const MAX_CURRENCIES = 18;

/** Prints one row a period, one column a currency. */
export async function compareCurrencies(app: App, call: Call): Promise<void> {
  const { options } = call;
  if (isOn(options, 'origins')) {
    const { compareOrigins } = await import('./compare-origins.ts');
    return compareOrigins(app, call);
  }
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
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const parts = await askParts(app, questions, now);
  if (parts.some(({ reply }) => reply?.synthetic)) await warnSynthetic(app);
  const shortfall = shortfallOfParts(parts);
  const series = parts.map(seriesOf);
  const view = partsView(parts, { sources: series.map(({ source }) => source), shortfall, now });
  const columns = series.map(({ currency }) => currency);
  const slug = String(questions[0]?.question.args.indicator ?? indicator);
  const units = [...new Set(series.flatMap(({ unit }) => (unit === null ? [] : [unit])))];
  const title = [`${slug} of ${columns.map((name) => name.toUpperCase()).join(', ')}`];
  const shown = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort().reverse().slice(0, periods);
  await app.print({
    ...listTexts({
      columns: ['date', ...columns],
      texts: shown.map((date) => rowText(date, series)),
      title: [...title, ...units, ...view.title],
      lasting: [...title, ...view.lasting],
      beside: {
        indicator: slug,
        series: series.map(({ values: _, newest: __, ...described }) => described),
        ...view.beside,
      },
      facts: view.facts,
    }),
    chart: { at: 'date', panels: [{ values: columns, ...(units.length === 1 && { unit: units[0] ?? '' }) }] },
  });
  // Of a part that is not covered nobody knows: the mark names it.
  const certain = series.filter((_, i) => parts[i]?.reply !== undefined && parts[i].shortfall === undefined);
  for (const note of emptySides(
    certain.map(({ currency, ...one }) => ({ ...one, name: currency })),
    shown,
  ))
    await app.note(note, 'about_answer');
  if (units.length > 1)
    await app.warn(
      `The units differ: ${series.map(({ currency, unit }) => `${currency} ${unit ?? 'unknown'}`).join(', ')}.`,
      'units_differ',
    );
  await endIfPartial(app, { shortfall });
}

function readWhat({ words }: Call): { codes: readonly string[]; indicator: string } {
  const [list, indicator, ...rest] = words;
  const codes = [...new Set((list ?? '').split(',').map((code) => code.trim().toLowerCase()))].filter(Boolean);
  if (codes.length > 0 && codes.length <= MAX_CURRENCIES && indicator !== undefined && rest.length === 0)
    return { codes, indicator };
  throw new MacroError(
    'usage',
    `macro compare takes up to ${MAX_CURRENCIES} currencies, separated by commas, and one indicator.`,
    { code: 'bad_words', hint: 'For example: macro compare usd,eur,gbp inflation' },
  );
}

interface ComparedSeries {
  readonly currency: string;
  readonly name: string | null;
  readonly unit: string | null;
  readonly source: string | null;
  /** Values as they are spelled, by period. */
  readonly values: ReadonlyMap<string, string>;
  /** Period of the newest value, in the window or before it, where the answer tells. */
  readonly newest: string | null;
}

function seriesOf({ parsed, reply }: AnswerPart): ComparedSeries {
  const body = answerOf(reply?.body);
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

/** A period that a series does not have is null there. */
function rowText(date: string, series: readonly ComparedSeries[]): JsonText {
  const cells = series.map(({ currency, values }) => `${JSON.stringify(currency)}:${values.get(date) ?? 'null'}`);
  return asJsonText(`{"date":${JSON.stringify(date)},${cells.join(',')}}`);
}
