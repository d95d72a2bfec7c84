import type {
  HeadOfRows,
  HookContext,
  LoadedColumns,
  LoadedSeries,
  PlaceRange,
  WantedSeries,
} from '../contract/hooks.ts';
import { asJsonText } from '../contract/json/json.ts';
import type { Args } from '../contract/params/param.ts';
import { FULL_COVERAGE } from '../contract/time/coverage.ts';
import { accessOfCaller } from '../coverage/intervals.ts';
import type { SeriesCoverage } from '../coverage/series-coverage.ts';
import { LOADED_MAPPINGS, loadedEndpoint } from '../endpoints/find.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type { StoredRow, StoredSeries } from '../mirror/api/series.ts';
import type { MirrorQuestion } from './answer/answer.ts';
import { membersOf } from './answer/envelope.ts';
import { keptSince, keptValues } from './answer/view.ts';
import { knownSpansOf } from './known-spans.ts';
import { coverageQuestion, seriesCoverage } from './read-coverage.ts';
import { rangeWithin } from './row-columns.ts';

/** How often a hook is asked which more rows it needs, before it gets all. */
const MAX_ROUNDS = 4;

/** Loads all picked series. `coverages`: the coverage of each, if it is known already. */
export function loadAll(
  ask: MirrorQuestion,
  picked: readonly StoredSeries[],
  coverages?: readonly (SeriesCoverage | undefined)[],
): Promise<readonly LoadedSeries[]> {
  return Promise.all(
    picked.map(async (series, i) =>
      loadSeries(ask, series, coverages ? coverages[i] : await coverageOfInput(ask, series)),
    ),
  );
}

/** The picked series with as many of their rows as the hook needs. `known` are the first of them, loaded before. */
export async function loadEnough(
  ask: MirrorQuestion,
  picked: readonly StoredSeries[],
  { known, context }: { readonly known: readonly LoadedSeries[]; readonly context: HookContext<Args> },
): Promise<readonly LoadedSeries[]> {
  const { compose } = ask.question.endpoint;
  let loaded: readonly LoadedSeries[] = [...known, ...(await loadAll(ask, picked.slice(known.length)))];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const more = compose?.moreNeeded?.(loaded, context);
    if (!more || more.size === 0) return loaded;
    loaded = await eachAgain(picked, loaded, async (series, before) => {
      const needed = more.get(before);
      return needed ? loadMore(ask, { series, before, needed }) : before;
    });
  }
  return eachAgain(picked, loaded, async (series, before) =>
    before.isHead ? loadMore(ask, { series, before, needed: undefined }) : before,
  );
}

function eachAgain(
  picked: readonly StoredSeries[],
  loaded: readonly LoadedSeries[],
  load: (series: StoredSeries, before: LoadedSeries) => Promise<LoadedSeries>,
): Promise<readonly LoadedSeries[]> {
  return Promise.all(
    loaded.map(async (before, i) => {
      const series = picked[i];
      return series ? load(series, before) : before;
    }),
  );
}

/** A series for a hook. */
async function loadSeries(
  ask: MirrorQuestion,
  series: StoredSeries,
  covered: SeriesCoverage | undefined,
): Promise<LoadedSeries> {
  const { reader, visible } = ask;
  const { args, cutoff } = visible;
  const needed = ask.question.endpoint.compose?.rowsNeeded?.(args, series);
  const part = await readPart(ask, series, needed);
  const { rows } = part;
  const since = needed && 'kept' in needed ? needed.since : undefined;
  const kept =
    since !== undefined
      ? await keptValues(reader, series, since)
      : cutoff !== undefined && (await keptSince(reader, series, { rows, moment: cutoff }));
  return {
    ref: series,
    envelope: membersOf(ask, series),
    ...part,
    coverage: covered?.coverage ?? FULL_COVERAGE,
    ...(covered?.checked && { checked: covered.checked }),
    // Today's coverage says nothing about a moment of the past, unless the question is about public knowledge.
    proven: covered?.checkedAt !== undefined && (!ask.asOf || ask.asOf.by === 'public'),
    ...(since !== undefined && ask.asOf?.by !== 'mirrored' && { knownSpans: await pastSpansOf(ask, series) }),
    ...(kept && { kept }),
  };
}

/** Nobody knows the values of a future moment, not even of generated data. */
async function pastSpansOf({ present, presentAt }: MirrorQuestion, series: StoredSeries) {
  const spans = await knownSpansOf(series, present);
  return spans.map(({ from, to }) => ({ from, to: Math.min(to, presentAt) }));
}

/** How far a series covers what the answer needs of it. */
function coverageOfInput(ask: MirrorQuestion, series: StoredSeries) {
  const window = ask.question.endpoint.compose?.vouches?.(ask.visible.args, [series])?.window;
  return seriesCoverage(coverageQuestion(ask, window), series, accessOfCaller(ask.caller));
}

/** The same series with more of its newest rows. */
async function loadMore(
  ask: MirrorQuestion,
  { series, before, needed }: { series: StoredSeries; before: LoadedSeries; needed: HeadOfRows | undefined },
): Promise<LoadedSeries> {
  const { columns: _, isHead: __, column: ___, ...others } = before;
  const part = await readPart(ask, series, needed);
  const { cutoff } = ask.visible;
  const kept = cutoff !== undefined && (await keptSince(ask.reader, series, { rows: part.rows, moment: cutoff }));
  return { ...others, ...part, ...(kept && { kept }) };
}

type Part = Pick<LoadedSeries, 'columns' | 'shown' | 'range' | 'isHead' | 'column'> & {
  readonly rows: readonly StoredRow[];
};

async function readPart(ask: MirrorQuestion, series: StoredSeries, needed: WantedSeries | undefined): Promise<Part> {
  const { reader, state } = ask;
  /** Columns that follow from the rows of now, named by the rows that were read. */
  const column = (rows: readonly StoredRow[]): Pick<LoadedSeries, 'column'> =>
    ask.asOf
      ? {}
      : {
          column: (name, make) =>
            state.column([series], `${name} of ${JSON.stringify(needed) ?? 'all'} ${rows.length}`, make),
        };
  if (needed && 'head' in needed) {
    const { head, values } = needed;
    const rows = await (ask.asOf ? reader.rows(series, {}, { limit: head, offset: 0 }) : state.heads(series, head));
    return {
      rows,
      ...column(rows),
      ...(rows.length >= head && { isHead: true }),
      ...(values && { columns: await reader.columns(series, {}, values) }),
    };
  }
  const names = needed?.columns;
  const whole = names && (await loadWhole(ask, series, names));
  if (needed && 'from' in needed) {
    if (whole) return { rows: [], columns: whole.columns, shown: whole.shown, column: whole.column };
    const { from, to } = needed;
    const columns: LoadedColumns = await reader.columns<string>(series, {}, needed.columns);
    return { rows: [], columns, shown: { to, texts: await reader.texts(series, { from, to }) } };
  }
  const { newest, since } = needed ?? {};
  const range = whole && rangeSince(series, whole, since);
  if (whole && range) return { rows: [], columns: whole.columns, shown: whole.shown, column: whole.column, range };
  const limit = newest === undefined ? undefined : { limit: newest, offset: 0 };
  const rows = since === undefined ? await reader.rows(series, {}, limit) : await rowsSince(reader, series, since);
  return names ? { rows: [], ...columnsOfRows(rows, names) } : { rows, ...column(rows) };
}

/** Columns and texts of all rows of a series; undefined if they are not cached. */
async function loadWhole({ state, asOf }: MirrorQuestion, series: StoredSeries, names: readonly string[]) {
  const whole = asOf ? undefined : await state.wholeTexts(series);
  if (!whole) return undefined;
  const column: LoadedSeries['column'] = (name, make) => state.column([series], name, make);
  const columns: LoadedColumns = await state.columns(series, {}, columnsIn(series, names));
  return { length: whole.length, columns, shown: { at: whole.text }, column };
}

/** Those of the columns that the rows of an endpoint have. */
function columnsIn({ endpoint }: StoredSeries, names: readonly string[]): readonly string[] {
  const { key = [], columns = [] } = LOADED_MAPPINGS[endpoint] ?? {};
  return names.filter((name) => [...key, ...columns].some((column) => column.name === name));
}

/** The rows from a date on; of a series that ends before it the newest one, which tells how old it is. */
function rangeSince(
  { endpoint }: StoredSeries,
  { columns, length }: { readonly columns: LoadedColumns; readonly length: number },
  since: string | undefined,
): PlaceRange | undefined {
  if (since === undefined) return { start: 0, end: length };
  const { key, window, order = 'newest' } = LOADED_MAPPINGS[endpoint] ?? {};
  const keys = columns[window?.column ?? key?.[0]?.name ?? ''] ?? [];
  const range = rangeWithin({ keys, length: keys.length, order }, { from: since, to: undefined });
  if (!range || range.start < range.end || keys.length === 0) return range;
  return order === 'newest' ? { start: 0, end: 1 } : { start: keys.length - 1, end: keys.length };
}

function columnsOfRows(rows: readonly StoredRow[], names: readonly string[]): Omit<Part, 'rows'> {
  const columns = names.map((name) => [name, rows.map((row) => row.columns[name] ?? null)]);
  return {
    columns: Object.fromEntries(columns),
    shown: { at: (place) => rows[place]?.text ?? asJsonText('') },
    range: { start: 0, end: rows.length },
  };
}

async function rowsSince(reader: MirrorReader, series: StoredSeries, since: string) {
  const rows = await reader.rows(series, { from: since });
  if (rows.length > 0) return rows;
  // A series that ends before that date still tells how old it is.
  const last = loadedEndpoint(series.endpoint)?.mirror?.order === 'oldest' ? (await reader.count(series, {})) - 1 : 0;
  return reader.rows(series, {}, { limit: 1, offset: Math.max(0, last) });
}
