import type { Endpoint } from '../../../contract/endpoint.ts';
import { cutBody } from '../../../contract/json/body.ts';
import { type JsonText, objectText, toJsonText } from '../../../contract/json/json.ts';
import type { App } from '../../app/app.ts';
import { wrongWords } from '../../parse/question.ts';
import { fieldsOf, rawAt } from '../../print/rows.ts';
import type { Call } from '../command.ts';
import { type AnswerPart, printJoined, readPart } from './ask-parts.ts';

/** The curve of a currency at several dates, side by side: one question a date, joined by maturity, slope or segment. */

const MAX_DATES = 12;

/** The member that names a row of a view, and the years that order the rows; slopes keep the order of the answer. */
const VIEWS: Readonly<Record<string, { readonly name: string; readonly along?: string }>> = {
  nodes: { name: 'maturity', along: 'maturity_years' },
  slopes: { name: 'slope' },
  forwards: { name: 'segment', along: 'end_tenor_years' },
};

/** Prints one row a maturity, slope or segment, one column a date. @throws MacroError of kind `usage`. */
export async function askDates(app: App, call: Call, endpoint: Endpoint, dates: readonly string[]): Promise<void> {
  if (dates.length > MAX_DATES)
    throw wrongWords(
      `Curves of up to ${MAX_DATES} dates are compared.`,
      'For example: macro curve usd --date today,-1y,-2y --chart',
    );
  const now = app.platform.clock.now();
  const questions = [];
  for (const date of dates)
    questions.push(await readPart(app, endpoint, { words: call.words, options: { ...call.options, date } }, now));
  const { currency, view } = questions[0]?.question.args ?? {};
  const { name, along } = VIEWS[String(view)] ?? { name: 'maturity' };
  await printJoined(app, { questions, now }, (parts) => {
    const curves = parts.map((part) => curveOf(part, name, along));
    const columns = curves.map(({ date }) => date);
    const of = view === 'nodes' ? '' : `, ${view}`;
    const title = `Government bond curve of ${currency}${of}: ${columns.join(', ')}`;
    return {
      sources: curves.flatMap(({ sources }) => sources),
      columns: [name, ...columns, ...(columns.length === 2 ? ['change'] : [])],
      computed: new Set([...columns, 'change']),
      texts: joinByName(curves, name, along),
      title: [title, '%'],
      lasting: [title],
      beside: { currency, view, dates: columns },
      ...(along !== undefined && { chart: { at: along, along: 'years', panels: [{ unit: '%', values: columns }] } }),
    };
  });
}

/** The rows of a curve by name: years and rate as they are spelled. */
function curveOf({ parsed: { question }, reply }: AnswerPart, name: string, along = '') {
  const rows = reply ? cutBody(question.endpoint.body, reply.body).rows : [];
  return {
    date: String(question.args.date),
    sources: rows.map(({ value }) => value.source),
    rates: new Map(
      rows.map(({ text, value }) => {
        const fields = fieldsOf(text);
        return [String(value[name]), { years: rawAt(fields, along), val: rawAt(fields, 'val') ?? 'null' }];
      }),
    ),
  };
}

/** A row that a curve does not have is null there. Two dates have the change between them, with the decimals of the rates. */
function joinByName(curves: readonly ReturnType<typeof curveOf>[], name: string, along = ''): readonly JsonText[] {
  const years = new Map(curves.flatMap(({ rates }) => [...rates].map(([row, rate]) => [row, rate.years] as const)));
  const rows = [...years.keys()].sort((a, b) => Number(years.get(a) ?? 0) - Number(years.get(b) ?? 0));
  const all = curves.flatMap(({ rates }) => [...rates.values()].map(({ val }) => val.split('.')[1]?.length ?? 0));
  return rows.map((row) => {
    const vals = curves.map(({ rates }) => rates.get(row)?.val ?? 'null');
    const [before, after] = vals.map(Number);
    const change = Number(after) - Number(before);
    return objectText([
      [name, toJsonText(row)],
      [along, years.get(row)],
      ...curves.map(({ date }, i) => [date, vals[i]] as const),
      ...(vals.length === 2
        ? [['change', Number.isFinite(change) ? change.toFixed(Math.max(...all)) : 'null'] as const]
        : []),
    ]);
  });
}
