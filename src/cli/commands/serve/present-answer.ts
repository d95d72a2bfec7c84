// An answer as the explorer shows it, and as the file that it offers.

import type { Missing } from '../../../contract/answer-members.ts';
import type { AsOf } from '../../../contract/time/moments.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { missingTexts } from '../../../coverage/partial-mark.ts';
import type { PresentedAnswer } from '../../../serve/pages/page-data.ts';
import type { PageFileFormat } from '../../../serve/pages/page-parts.ts';
import type { Question, Reply } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';
import { optionName } from '../../parse/options.ts';
import { listAnswer } from '../../print/answer.ts';
import { listingFile } from '../../print/file.ts';
import { renderListing } from '../../print/format.ts';
import type { Listing } from '../../print/listing.ts';
import { cureOf } from '../../print/partial.ts';
import { type Fields, fieldsOf, isNumber, markdownColumns, rawAt, tableCell } from '../../print/rows.ts';
import { shellWord } from '../../print/text.ts';
import { isFromFile } from '../endpoint/answer-question.ts';
import { assumedTimeNotes, emptyWindowNotes } from '../endpoint/ask.ts';
import { withOrigins } from '../endpoint/vintages.ts';

interface PresentOptions {
  readonly asOf: AsOf | undefined;
  readonly now: number;
  readonly isSandbox: boolean;
}

/** The answer with the columns, cells and notes of the terminal, and the columns that its chart draws. */
export async function presentAnswer(
  app: App,
  question: Question,
  reply: Reply,
  { asOf, now, isSandbox }: PresentOptions,
): Promise<PresentedAnswer> {
  // A sandbox is not the mirror of the settings.
  const imported = !isSandbox && (await isFromFile(app, question));
  const listing = listAnswer(question, reply, { now, imported });
  const rows = Array.from(listing.lines ?? listing.rows, fieldsOf);
  const chart = chartOver(listing, rows);
  const drawn = chart?.panels.flatMap(({ lines }) => lines.map(({ column }) => column)) ?? [];
  const columns = [...new Set([...markdownColumns(listing, rows), ...drawn])];
  const missing = reply.partial?.mark.missing ?? [];
  return {
    // Missing parts have a place of their own.
    title: (listing.view?.title ?? []).filter((part) => !part.startsWith('PARTIAL')).join(' · '),
    columns,
    rows: rows.map((row) => columns.map((name) => tableCell(row, name, listing))),
    chart,
    notes: [
      ...reply.notes,
      ...emptyWindowNotes(question, reply, now),
      ...(asOf?.by === 'public' ? assumedTimeNotes(reply) : []),
    ],
    command: commandOf(question, asOf),
    ...addressOf(question, { asOf, rows: rows.length }),
    isSynthetic: reply.synthetic,
    isPartial: reply.partial !== undefined,
    missing: missingTexts(missing),
    missingRanges: missing.flatMap(missingRangeOf),
    cure: isSandbox || !reply.partial ? '' : await cureOf(app, reply.partial),
    checkedAt: isoSeconds(Math.floor(reply.asOf / 1000)),
    asOf: asOf && isoSeconds(Math.floor(asOf.at / 1000)),
  };
}

/** The panels of a chart over time without lines that have no number. */
function chartOver(listing: Listing, rows: readonly Fields[]): PresentedAnswer['chart'] {
  if (listing.chart === undefined || listing.chart.along === 'years') return undefined;
  const { at } = listing.chart;
  const names = Object.assign({}, ...listing.chart.panels.map((panel) => panel.names));
  const panels = listing.chart.panels.map(({ name, unit, values, steps = [] }) => ({
    label: [name, unit].filter(Boolean).join(', '),
    lines: values
      .filter((field) => rows.some((row) => isNumber(rawAt(row, field))))
      .map((field) => ({
        column: field,
        name: names[field] ?? (field === 'val' ? 'value' : field.replaceAll('_', ' ')),
        isSteps: steps.includes(field),
      })),
  }));
  const drawn = panels.filter(({ lines }) => lines.length > 0);
  return drawn.length === 0 ? undefined : { at, panels: drawn };
}

function missingRangeOf({ series, from, to }: Missing): readonly { from: string; to: string }[] {
  if (series !== undefined || from === undefined || to === undefined) return [];
  const text = (bound: string | number) => (typeof bound === 'number' ? isoSeconds(bound) : bound);
  return [{ from: text(from), to: text(to) }];
}

/** The command that asks the same of the mirror. */
function commandOf(question: Question, asOf: AsOf | undefined): string {
  const { args, endpoint } = question;
  const { at, cli } = endpoint;
  const words = Object.keys(at).map((name) => String(args[name]).toLowerCase());
  const options = chosenArguments(question).map(([name, value]) =>
    `--${optionName(name)} ${value === true ? '' : shellWord(String(value))}`.trim(),
  );
  const past = asOf ? [`--as-of ${isoSeconds(Math.floor(asOf.at / 1000))}`, `--availability ${asOf.by}`] : [];
  return ['macro', ...(cli?.words ?? [endpoint.id]), ...words, ...options, '--all', ...past, '--offline'].join(' ');
}

/** The given arguments that differ from the defaults of the service, or whose default depends on its clock. */
function chosenArguments({ endpoint: { query }, args, given }: Question): readonly (readonly [string, unknown])[] {
  return Object.entries(query)
    .filter(([name]) => name !== 'limit' && given?.has(name) && !PLACES.has(name))
    .filter(([name, param]) => param.fromToday || args[name] !== param.fallback?.(''))
    .map(([name]) => [name, args[name]]);
}

/** The route that answers the same, in pages as large as they may be. */
function addressOf(
  question: Question,
  { asOf, rows }: { readonly asOf: AsOf | undefined; readonly rows: number },
): Pick<PresentedAnswer, 'address' | 'pages'> {
  const { endpoint, args } = question;
  const knowsMoment = asOf?.by !== 'mirrored' && 'as_of' in endpoint.query && 'availability' in endpoint.query;
  if (asOf && !knowsMoment) return { address: undefined, pages: 0 };
  const query = new URLSearchParams(
    chosenArguments(question).map(([name, value]): [string, string] => [name, String(value)]),
  );
  if (asOf) query.set('as_of', isoSeconds(Math.floor(asOf.at / 1000)));
  if (asOf) query.set('availability', asOf.by);
  const { paging } = endpoint;
  if (paging.kind !== 'none' && rows > paging.size) query.set('limit', String(paging.max));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
  const text = query.toString().replaceAll('%2C', ',');
  return {
    address: text === '' ? path : `${path}?${text}`,
    pages: paging.kind === 'none' ? 1 : Math.ceil(rows / paging.max),
  };
}

const PLACES: ReadonlySet<string> = new Set(['offset', 'page', 'cursor', 'dataset_version']);

export async function answerFile(
  question: Question,
  reply: Reply,
  { format, now }: { readonly format: PageFileFormat; readonly now: number },
): Promise<Uint8Array> {
  const listing = withOrigins({ reply, listing: listAnswer(question, reply, { now }) });
  const shape = { fields: undefined, sort: undefined, reverse: false };
  if (format === 'parquet') return listingFile(listing, { ...shape, format, now });
  const plain = { header: true, color: false, toTerminal: false, width: undefined };
  return Buffer.from(await renderListing(listing, { ...shape, ...plain, format }));
}
