import type { Endpoint } from '../../../contract/endpoint.ts';
import { cutBody } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import type { App } from '../../app/app.ts';
import { textOption } from '../../parse/options.ts';
import { wrongWords } from '../../parse/question.ts';
import { fieldsOf, rawAt } from '../../print/rows.ts';
import type { Call } from '../command.ts';
import { type AnswerPart, printJoined, readPart } from './ask-parts.ts';

/** The curve of a currency at several dates, side by side: one question a date, joined by maturity. */

const MAX_DATES = 12;

/** Prints one row a maturity, one column a date. @throws MacroError of kind `usage`. */
export async function askDates(app: App, call: Call, endpoint: Endpoint, dates: readonly string[]): Promise<void> {
  const view = textOption(call.options, 'view') ?? 'nodes';
  if (dates.length > MAX_DATES || view !== 'nodes')
    throw wrongWords(
      `Curves of up to ${MAX_DATES} dates are compared, and their nodes only.`,
      'For example: macro curve usd --date today,-1y,-2y --chart',
    );
  const now = app.platform.clock.now();
  const questions = [];
  for (const date of dates)
    questions.push(await readPart(app, endpoint, { words: call.words, options: { ...call.options, date } }, now));
  const currency = String(questions[0]?.question.args.currency);
  await printJoined(app, { questions, now }, (parts) => {
    const curves = parts.map(curveOf);
    const columns = curves.map(({ date }) => date);
    const title = `Government bond curve of ${currency}: ${columns.join(', ')}`;
    return {
      sources: curves.flatMap(({ sources }) => sources),
      columns: ['maturity', ...columns, ...(columns.length === 2 ? ['change'] : [])],
      texts: joinByMaturity(curves),
      title: [title, '%'],
      lasting: [title],
      beside: { currency, dates: columns },
      chart: { at: 'maturity_years', along: 'years', panels: [{ unit: '%', values: columns }] },
    };
  });
}

/** The nodes of a curve by maturity: years and yield as they are spelled. */
function curveOf({ parsed: { question }, reply }: AnswerPart) {
  const rows = reply ? cutBody(question.endpoint.body, reply.body).rows : [];
  return {
    date: String(question.args.date),
    sources: rows.map(({ value }) => value.source),
    nodes: new Map(
      rows.map(({ text, value }) => {
        const fields = fieldsOf(text);
        const node = { years: rawAt(fields, 'maturity_years') ?? 'null', val: rawAt(fields, 'val') ?? 'null' };
        return [String(value.maturity), node];
      }),
    ),
  };
}

/** A maturity that a curve does not have is null there. */
function joinByMaturity(curves: readonly ReturnType<typeof curveOf>[]): readonly JsonText[] {
  const years = new Map(curves.flatMap(({ nodes }) => [...nodes].map(([name, node]) => [name, node.years] as const)));
  const names = [...years.keys()].sort((a, b) => Number(years.get(a)) - Number(years.get(b)));
  return names.map((name) => {
    const cells = curves.map(({ date, nodes }) => `${JSON.stringify(date)}:${nodes.get(name)?.val ?? 'null'}`);
    const head = `"maturity":${JSON.stringify(name)},"maturity_years":${years.get(name) ?? 'null'}`;
    return asJsonText(`{${head},${cells.join(',')}${changeOf(curves.map(({ nodes }) => nodes.get(name)?.val))}}`);
  });
}

/** The change from the first of two dates to the second, in percentage points, with the decimals of the yields. */
function changeOf([before, after, ...others]: readonly (string | undefined)[]): string {
  if (before === undefined || after === undefined || others.length > 0) return '';
  const places = Math.max(...[before, after].map((val) => val.split('.')[1]?.length ?? 0));
  const change = Number(after) - Number(before);
  return `,"change":${Number.isFinite(change) ? change.toFixed(places) : 'null'}`;
}
