import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { FIRST_DATE } from '../../../contract/time/coverage.ts';
import { addDays, isoSeconds } from '../../../contract/time/time.ts';
import { ENDPOINTS, MAPPINGS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import { IMPORT_FORMATS } from '../../../imports/formats.ts';
import type { SnapshotReader } from '../../../mirror/api/mirror.ts';
import type { KnownTextsAsk, SourceCommit, Stamp, StoredSeries } from '../../../mirror/api/series.ts';
import { withoutUndone } from '../../../mirror/rules/as-of/undone.ts';
import { scopeText } from '../../../mirror/rules/system-rows.ts';
import { quote, tableOf } from '../../../mirror/rules/tables.ts';
import { lockFile } from '../../../mirror/sqlite/lock.ts';
import type { Files } from '../../../platform/platform.ts';
import { type App, warnSynthetic } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import type { FileCell } from '../../print/file.ts';
import { parquetWriter } from '../../print/parquet.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import type { Call } from '../command.ts';
import { provenRanges } from '../mirror/mirror.ts';
import { onlyWord, requireMirror, underLock } from '../require.ts';
import { type LakeKind, lakeKind, partColumns } from './columns.ts';
import {
  type LakeCommit,
  type LakeFile,
  type LakeSeries,
  type Manifest,
  readManifest,
  writeManifest,
} from './manifest.ts';

/** Writes what became known since the last run; the manifest comes last. */
export async function runLakeExport(app: App, call: Call): Promise<void> {
  const { platform } = app;
  const folder = resolve(platform.cwd, onlyWord(call, 'lake export', 'the folder of the lake'));
  const { mirror } = await requireMirror(app);
  const stamp = await mirror.stamp();
  if (stamp.nature === 'synthetic') await warnSynthetic(app);
  const wanted = { withText: isOn(call.options, 'with-text'), withRow: isOn(call.options, 'with-row') };
  const begin = () => {
    const before = readManifest(platform.files, folder);
    if (before) requireSameLake(before, { stamp, folder, ...wanted });
    return { app, folder, stamp, before, ...wanted };
  };
  begin();
  const done = await app.change(`add the rows of ${mirror.name} to the lake ${folder}`, () =>
    alone(app, folder, () => mirror.snapshot((reader) => exportLake(reader, begin()))),
  );
  if (!done) return;
  const { files, rows, commit } = done.result;
  const what = files === 0 ? 'Nothing is new since the last run' : `${rows} rows in ${files} new files`;
  await app.note(`${what}: the lake ${folder} goes up to commit ${commit}.`, 'exported');
}

/** Does work while no other program exports into a folder. @throws MacroError of kind `busy`. */
async function alone<T>({ platform }: App, folder: string, work: () => Promise<T>): Promise<T> {
  platform.files.makeFolder(folder);
  const lock = lockFile(join(folder, '.lock'));
  if (!lock)
    throw new MacroError('busy', `Another program exports into the lake ${folder}.`, {
      code: 'lake_busy',
      hint: 'Run the command again when it is done.',
    });
  return underLock(lock, work);
}

interface Run {
  readonly app: App;
  readonly folder: string;
  readonly stamp: Stamp;
  readonly before: Manifest | undefined;
  readonly withText: boolean;
  readonly withRow: boolean;
}

async function exportLake(reader: SnapshotReader, run: Run) {
  const { app, folder, stamp, before } = run;
  const { files, clock } = app.platform;
  const commit = await reader.commit();
  if (!commit)
    throw new MacroError('notFound', 'The mirror has no rows.', {
      code: 'not_held',
      hint: 'macro sync or macro import FILE fills it.',
    });
  if (before && !(await isSameHistory(reader, before)))
    throw new MacroError(
      'usage',
      `The mirror was restored since the lake ${folder} was written: its commits are others.`,
      { code: 'lake_of_another_history', hint: NEW_LAKE },
    );
  const from = (before?.commit.number ?? 0) + 1;
  const nature = stamp.nature ?? 'real';
  const facts = {
    generator: 'macro-data',
    mirror: stamp.id,
    service: stamp.service ?? '',
    nature,
    ...(nature === 'synthetic' && { synthetic: 'true' }),
  };
  const prefix = nature === 'synthetic' ? 'synthetic=true/' : '';
  const parts = openParts({ files, folder, prefix, facts, from, to: commit.number });
  const all = await storedIn(reader, run);
  const bar = openProgressBar(app, clock);
  let written: readonly LakeFile[];
  try {
    for (const [i, one] of all.entries()) {
      app.signal.throwIfAborted();
      const of = { series: one.series, nature, run: commit.number };
      const changed = one.isChanged ? await reader.knownTexts(one.series, one.ask) : [];
      for (const row of changed) parts.write(one.kind, one.kind.rows(of, row));
      bar.show({ share: (i + 1) / all.length, what: `${i + 1} of ${all.length} series` });
    }
    written = parts.finish();
  } finally {
    parts.discard();
  }
  const listed = [...(before?.files ?? []), ...written];
  const kinds = [...new Map(all.map(({ kind }) => [kind.name, kind])).values()];
  files.write(join(folder, 'views.sql'), viewsSql(kinds, listed));
  const series: LakeSeries[] = [];
  for (const one of all) series.push(await described(reader, one));
  writeManifest(files, folder, {
    ...{ mirror: stamp.id, service: stamp.service ?? null, nature, synthetic: nature === 'synthetic' },
    ...{ with_text: run.withText, with_row: run.withRow, written_at: isoSeconds(Math.floor(clock.now() / 1000)) },
    ...{ commit: lakeCommit(commit), files: listed, series, publishers: publishersOf(all) },
  });
  const rows = written.reduce((sum, file) => sum + file.rows, 0);
  return { files: written.length, rows, commit: commit.number };
}

export interface LakeStored {
  readonly series: StoredSeries;
  readonly kind: LakeKind;
  readonly ask: KnownTextsAsk;
  readonly history: string;
  readonly isChanged: boolean;
}

/** Every series that there ever was, by kind and scope, with its new rows. */
export async function storedIn(
  reader: SnapshotReader,
  { before, withText, withRow }: Pick<Run, 'before' | 'withText' | 'withRow'>,
): Promise<readonly LakeStored[]> {
  const known = new Map(before?.series.map((one) => [one.id, one]));
  const all: LakeStored[] = [];
  for (const { id } of ENDPOINTS) {
    const mapping = MAPPINGS[id];
    if (!mapping) continue;
    const found = await reader.find({ endpoint: id, scope: {} }, 'ever');
    const table = tableOf(id, mapping);
    const kind = lakeKind(table, { withText, withRow });
    const left = new Set((await withoutUndone(reader).find({ endpoint: id, scope: {} }, 'ever')).map((one) => one.id));
    const own = found.map((series): LakeStored => {
      const { closedAt } = series;
      const last = known.get(series.id);
      // Its imports were taken back: nothing of it was ever known.
      const isUndone = !left.has(series.id);
      const closes = isUndone ? 0 : closedAt;
      const history = isUndone ? '' : series.chain;
      const hasMoved = last !== undefined && (last.closed_at !== isoOf(closedAt) || (last.history === '') !== isUndone);
      const after = last && !hasMoved ? (before?.commit.number ?? 0) : 0;
      const opens = openedAt(series, found);
      const ask = { after, ...(opens !== undefined && { opens }), ...(closes !== undefined && { closes }) };
      const isChanged = last ? hasMoved || last.history !== history : !isUndone;
      return { series, kind, ask, history, isChanged };
    });
    all.push(...own.filter(({ history, series }) => history !== '' || known.has(series.id)).sort(inOrder));
  }
  return all;
}

/** One order for every run: `verify` reads the files of all runs side by side. */
function inOrder({ series: a }: LakeStored, { series: b }: LakeStored): number {
  const [left, right] = [scopeText(a.scope), scopeText(b.scope)];
  return left === right ? a.id - b.id : left < right ? -1 : 1;
}

/** When the name began to mean this series: when the one before it was closed. */
function openedAt(series: StoredSeries, found: readonly StoredSeries[]): number | undefined {
  const name = `${scopeText(series.scope)} ${series.origin}`;
  const end = series.closedAt ?? Number.POSITIVE_INFINITY;
  const earlier = found.flatMap((one) =>
    one.closedAt !== undefined && one.closedAt < end && `${scopeText(one.scope)} ${one.origin}` === name
      ? one.closedAt
      : [],
  );
  return earlier.length === 0 ? undefined : Math.max(...earlier);
}

async function described(reader: SnapshotReader, { series, kind, history }: LakeStored): Promise<LakeSeries> {
  const { id, endpoint, scope, origin, closedAt } = series;
  const coverage = provenRanges(await reader.coveredRanges(series, 'keyless'));
  const names = { id, kind: kind.name, endpoint, scope, origin };
  return { ...names, history, closed_at: isoOf(closedAt), coverage, missing: missingBetween(coverage) };
}

const NOT_COVERED = 'not covered by any sync or import';
const AFTER_LAST = 'after the last covered date';

/** The ranges before, between and after covered ones. */
function missingBetween(coverage: LakeSeries['coverage']): LakeSeries['missing'] {
  if (coverage.length === 0) return [{ from: null, to: null, reason: NOT_COVERED }];
  return coverage.flatMap(({ from, to }, i) => {
    const before = coverage[i - 1]?.to ?? null;
    const isFirst = i === 0 && from !== null && from > FIRST_DATE;
    const earlier =
      isFirst || i > 0
        ? [{ from: before && nextTo(before, 1), to: from && nextTo(from, -1), reason: NOT_COVERED }]
        : [];
    const isLast = i === coverage.length - 1 && to !== null;
    return [...earlier, ...(isLast ? [{ from: nextTo(to, 1), to: null, reason: AFTER_LAST }] : [])];
  });
}

/** The date beside another one; of an instant, the second. */
function nextTo(bound: string, step: number): string {
  return bound.includes('T') ? isoSeconds(Date.parse(bound) / 1000 + step) : addDays(bound, step);
}

const isoOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

function lakeCommit({ number, at }: SourceCommit): LakeCommit {
  return { number, at: new Date(at).toISOString() };
}

function publishersOf(all: readonly LakeStored[]): Manifest['publishers'] {
  const terms = new Map(IMPORT_FORMATS.map((format) => [`import:${format.publisher}`, format.terms]));
  return [...new Set(all.map(({ series }) => series.origin))].sort().map((origin) => ({
    origin,
    terms: terms.get(origin) ?? 'Those of whoever you have it from.',
  }));
}

/** @throws MacroError of kind `usage`. */
function requireSameLake(
  before: Manifest,
  { stamp, folder, withText, withRow }: Pick<Run, 'stamp' | 'folder' | 'withText' | 'withRow'>,
): void {
  if (before.mirror !== stamp.id)
    throw new MacroError('usage', `The lake ${folder} is of another mirror.`, {
      code: 'lake_of_another_mirror',
      hint: NEW_LAKE,
    });
  if (before.with_text === withText && before.with_row === withRow) return;
  const options = [...(before.with_text ? ['--with-text'] : []), ...(before.with_row ? ['--with-row'] : [])];
  throw new MacroError('usage', `The lake ${folder} was begun with other columns.`, {
    code: 'lake_columns',
    hint: `Add to it with ${options.join(' ') || 'neither --with-text nor --with-row'}. ${NEW_LAKE}`,
  });
}

const NEW_LAKE = 'Name a new folder to begin another lake.';

/** Does the mirror still have the commit that the lake reaches? A restored one has none of this number, or another. */
export async function isSameHistory(reader: SnapshotReader, { commit }: Manifest): Promise<boolean> {
  const found = await reader.commit(commit.number);
  return found !== undefined && lakeCommit(found).at === commit.at;
}

/** Statements that make the views in DuckDB, run with the folder of the lake as the current one. */
function viewsSql(kinds: readonly LakeKind[], files: readonly LakeFile[]): string {
  const views = kinds.flatMap((kind) => {
    const paths = files.filter((file) => file.kind === kind.name).map(({ path }) => path);
    return paths.length === 0 ? [] : [...knownView(kind, paths), ...currentView(kind)];
  });
  return [HEAD, ...views, ''].join('\n');
}

const HEAD = `-- Views of this lake for DuckDB. Run it with the folder of this file as the current one.
-- v_NAME has the rows as they are; v_NAME_known every text that a row had. As of a moment T, in public:
--   where known_from <= T and (known_to is null or known_to > T) and not is_withdrawn
set timezone = 'UTC';`;

/** Every text of every row; the newest run that has a row has all of its texts. */
function knownView({ name, identity }: LakeKind, paths: readonly string[]): readonly string[] {
  const row = ['series', ...identity].map(quote).join(', ');
  const list = paths.map((path) => `  '${path}'`).join(',\n');
  const until = (from: string, to: string) =>
    `  case when ${from} is not null then lead(${from}) over (partition by ${row} order by ${from} nulls last) end as ${to}`;
  return [
    `create or replace view ${quote(`v_${name}_known`)} as select * exclude (exported_to, newest_run),`,
    `${until('known_from', 'known_to')},`,
    until('captured_from', 'captured_to'),
    `from (select *, max(exported_to) over (partition by ${row}) as newest_run from read_parquet([`,
    list,
    '], union_by_name = true, hive_partitioning = false)) where exported_to = newest_run;',
  ];
}

function currentView({ name, columns }: LakeKind): readonly string[] {
  const own = partColumns(columns).map(quote).join(', ');
  return [
    `create or replace view ${quote(`v_${name}`)} as select ${own} from ${quote(`v_${name}_known`)} where is_current;`,
  ];
}

/** Max rows of a file, 100 to 300 MB: further rows go to another file. */
const MAX_FILE_ROWS = 5_000_000;

interface PartsOptions {
  readonly files: Files;
  readonly folder: string;
  /** Folder of the kinds below that of the lake; ends with a slash where there is one. */
  readonly prefix: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
}

/** Writes the files of one run, one of each kind, in which rows come series by series; `finish` gives the names. */
function openParts(options: PartsOptions) {
  const written: LakeFile[] = [];
  let open: ReturnType<typeof openPart> | undefined;
  const finish = () => {
    if (open) written.push(open.finish());
    open = undefined;
  };
  return {
    /** Rows of a kind, all of them before those of another. */
    write(kind: LakeKind, rows: readonly (readonly FileCell[])[]): void {
      if (open && (open.kind !== kind || open.rows() >= MAX_FILE_ROWS)) finish();
      open ??= openPart(options, kind, written.filter((one) => one.kind === kind.name).length);
      open.add(rows);
    },
    finish(): readonly LakeFile[] {
      finish();
      return written;
    },
    discard: () => open?.discard(),
  };
}

/** `earlier`: files of the kind that this run has written. */
function openPart({ files, folder, prefix, facts, from, to }: PartsOptions, kind: LakeKind, earlier: number) {
  const own = `part-${from}-`;
  const path = `${prefix}${kind.name}/${own}${to}${earlier > 0 ? `-${earlier + 1}` : ''}.parquet`;
  const place = join(folder, prefix, kind.name);
  files.makeFolder(place);
  // Files of a killed run begin at the same commit.
  if (earlier === 0)
    for (const left of files.list(place).filter((name) => name.replace(/^\./, '').startsWith(own)))
      files.remove(join(place, left));
  const file = files.grow(join(folder, path));
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const writer = parquetWriter({
    ...{ columns: kind.columns, facts, now: 0 },
    write(piece) {
      hash.update(piece);
      bytes += piece.length;
      file.write(piece);
    },
  });
  return {
    kind,
    rows: () => rows,
    add(cells: readonly (readonly FileCell[])[]): void {
      writer.write(cells);
      rows += cells.length;
    },
    discard: () => file.discard(),
    finish(): LakeFile {
      writer.end();
      file.finish();
      const sha256 = hash.digest('hex');
      return { path, kind: kind.name, rows, bytes, sha256, from_commit: from, to_commit: to };
    },
  };
}
