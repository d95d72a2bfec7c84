import { type Endpoint, freshFor } from '../../../contract/endpoint.ts';
import { dateOf, isoSeconds } from '../../../contract/time/time.ts';
import { dateRangesOf, timeRangesOf } from '../../../coverage/intervals.ts';
import { MacroError, unlessRefused } from '../../../errors.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { KeyValue, SeriesKey, StoredCoverage, StoredSeries } from '../../../mirror/api/series.ts';
import type { SeriesFinding, Verification } from '../../../mirror/api/verification.ts';
import { withoutUndone } from '../../../mirror/rules/as-of/undone.ts';
import { missedReleases, momentsText } from '../../../source/missed-releases.ts';
import type { App } from '../../app/app.ts';
import { noteVerified } from '../../app/verified.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import { instantText } from '../../print/rows.ts';
import { chosenBy, nameOfSeries, noneChosen, seriesByEndpoint, storedName } from '../../print/series.ts';
import { namesText } from '../../print/text.ts';
import { type Call, type CommandDeclaration, fieldNames, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';
import { requireFile, requireMirror } from '../require.ts';

const SERIES =
  'series text, origin text, rows count, from text?, to text?, as_of time?, proven text?, proven_ranges list';

/** Commands about the mirror itself. */
export default [
  {
    path: ['mirror', 'status'],
    summary: 'List the stored series with rows, range and coverage',
    examples: ['mirror status', 'mirror status --format json'],
    rows: SERIES,
    run: showMirror,
  },
  {
    path: ['mirror', 'path'],
    summary: 'Print the path of the mirror file',
    examples: ['mirror path', 'mirror path --mirror rates.db'],
    run: async (app) => app.printText(requireFile(app, 'mirror path', 'macro config get mirror prints its address.')),
  },
  {
    path: ['mirror', 'verify'],
    summary:
      'Check every row, checksum and coverage record of the mirror, offline: exit 0 as written, 9 altered, 8 damaged',
    words: `[words...]: only series whose name has all of these words`,
    examples: ['mirror verify', 'mirror verify fx eur --format json'],
    rows: 'level text, series text?, row text?, finding text, detail text?',
    run: runVerify,
  },
  {
    path: ['mirror', 'backup'],
    summary: 'Copy the mirror into one file, also while a sync writes it',
    words: `file: the new file; an existing file is replaced with --yes only`,
    changes: true,
    examples: ['mirror backup macro-backup.db', 'mirror backup /tmp/macro-backup.db --yes'],
    rows: 'file text, bytes count, series count, commits count',
    run: lazy(() => import('./upkeep.ts'), 'runBackup'),
  },
  {
    path: ['mirror', 'restore'],
    summary: 'Replace the mirror with a backup, after checking its every row',
    words: `file: the backup; needs --yes over an existing mirror, which is renamed, not deleted`,
    changes: true,
    examples: ['mirror restore macro-backup.db', 'mirror restore /tmp/macro-backup.db --yes'],
    changesWords: true,
    rows: 'file text, bytes count, series count, commits count, replaced text?',
    run: lazy(() => import('./upkeep.ts'), 'runRestore'),
  },
  {
    path: ['mirror', 'compact'],
    summary: 'Give unused room of the mirror file back to the disk',
    changes: true,
    examples: ['mirror compact', 'mirror compact --mirror rates.db'],
    rows: 'file text, before count, after count',
    run: lazy(() => import('./upkeep.ts'), 'runCompact'),
  },
  {
    path: ['mirror', 'rebuild'],
    summary: 'Rebuild the columns of all tables from the stored texts, without a request',
    changes: true,
    examples: ['mirror rebuild', 'mirror rebuild --mirror rates.db'],
    changesWords: true,
    rows: 'table text, rows count',
    run: lazy(() => import('./upkeep.ts'), 'runRebuild'),
  },
  {
    path: ['mirror', 'prepare'],
    summary: 'Make all tables and views of a mirror on a server, for users who may not make any',
    options: [`--grant-to ROLE: let this role of the server read and write the mirror`, LISTING],
    changes: true,
    examples: ['mirror prepare --grant-to desk', 'mirror prepare --mirror postgres://owner@db.example/markets'],
    rows: 'schema text, tables count, views count, role text?',
    run: lazy(() => import('./prepare.ts'), 'runPrepare'),
  },
  {
    path: ['mirror', 'bind'],
    summary: 'Bind the mirror to a new address of its service, if its answers equal the stored rows',
    words: `url: the new address; it is asked for a few stored rows`,
    options: [`--accept-different: bind also where the new address says otherwise`, LISTING],
    changes: true,
    examples: ['mirror bind https://api.example.com', 'mirror bind https://api.example.com --accept-different'],
    rows: 'series text, row text, result text',
    run: lazy(() => import('./bind.ts'), 'runBind'),
  },
] satisfies readonly CommandDeclaration[];

const SPARE = ['as_of', 'proven'] as const;
/** All ranges, where the column of a row names a few. */
const RANGES = 'proven_ranges';
type StatusRow = Readonly<Record<string, string | number | null | readonly ProvenRange[]>>;

/** How many ranges a cell names; JSON has all of them. */
const MOST_NAMED = 3;

/** A range of which every row is stored: dates, or moments where the series goes by them; null is no bound. */
interface ProvenRange {
  readonly from: string | null;
  readonly to: string | null;
}

type Line = Readonly<Record<'level' | 'series' | 'row' | 'finding' | 'detail', string | null>>;
type Chosen = (series: SeriesKey) => boolean;

/** Prints one row a series: how many rows, their dates, when they were last confirmed, and the covered range. */
async function showMirror(app: App): Promise<void> {
  const path = app.settings.mirror.value;
  const { mirror } = await requireMirror(app);
  const stamp = await mirror.stamp();
  const rows = await mirror.snapshot((reader) => readStatus(withoutUndone(reader)));
  const facts = [stamp.service ?? 'no service', stamp.nature ?? 'empty', `${rows.length} series`];
  await app.list({
    columns: fieldNames(SERIES).filter((name) => name !== RANGES),
    // Two sources of one series differ by nothing else.
    spare: new Set(rows.map(({ origin }) => origin)).size > 1 ? SPARE : [...SPARE, 'origin'],
    provenance: new Set([RANGES]),
    rows,
    title: [path, ...facts],
    beside: {
      ...{ mirror: path, id: stamp.id, service: stamp.service ?? null, nature: stamp.nature ?? null },
      ...(stamp.bindings && { bindings: stamp.bindings.map((one) => ({ ...one, at: instantText(one.at) })) }),
    },
  });
}

async function readStatus(reader: MirrorReader): Promise<readonly StatusRow[]> {
  const rows: StatusRow[] = [];
  for (const { endpoint, series } of await seriesByEndpoint(reader)) {
    const listed: StatusRow[] = [];
    for (const one of series) listed.push(await statusOf(reader, endpoint, one));
    rows.push(...listed.sort(byName));
  }
  return rows;
}

/** As a person would list them, whichever series came first: 2 before 10. */
function byName(a: StatusRow, b: StatusRow): number {
  return inOrder.compare(String(a.series), String(b.series)) || inOrder.compare(String(a.origin), String(b.origin));
}

const inOrder = new Intl.Collator('en', { numeric: true });

async function statusOf(reader: MirrorReader, endpoint: Endpoint, series: StoredSeries): Promise<StatusRow> {
  const count = await reader.count(series, {});
  const edges = await Promise.all(
    [0, count - 1].map(async (offset) =>
      count > 0 ? (await reader.rows(series, {}, { limit: 1, offset }))[0] : undefined,
    ),
  );
  const windowed = endpoint.mirror?.window !== undefined;
  const [from = null, to = null] = windowed ? edges.map((row) => dateText(row?.key[0])).sort() : [];
  const ranges = provenRanges(await reader.coveredRanges(series, 'keyless'));
  return {
    series: storedName(endpoint, series),
    origin: series.origin,
    rows: count,
    from,
    to,
    as_of: instantText(series.checkedAt),
    proven: provenText(ranges),
    [RANGES]: ranges,
  };
}

function dateText(value: KeyValue | undefined): string {
  return typeof value === 'number' ? dateOf(value * 1000) : (value ?? '');
}

/** The date ranges that are covered of a series, oldest first. */
export function provenRanges(coveredRanges: readonly StoredCoverage[]): readonly ProvenRange[] {
  // A series without a window is covered as a whole.
  if (coveredRanges.some(({ to }) => to === '')) return [{ from: null, to: null }];
  if (coveredRanges.every(({ from }) => typeof from === 'string'))
    return dateRangesOf(coveredRanges).map(({ from, to }) => ({ from, to }));
  return timeRangesOf(coveredRanges).map(({ from, to }) => ({ from: isoSeconds(from), to: isoSeconds(to) }));
}

/** The same for people, by days: `2004-01-06..2004-12-28, 2025-01-07..2025-01-21`. */
function provenText(ranges: readonly ProvenRange[]): string | null {
  if (ranges.length === 0) return null;
  const named = ranges.slice(0, MOST_NAMED).map(rangeText).join(', ');
  return ranges.length > MOST_NAMED ? `${named} … and ${ranges.length - MOST_NAMED} more` : named;
}

function rangeText({ from, to }: ProvenRange): string {
  return from === null || to === null ? 'whole' : `${from.slice(0, DAY)}..${to.slice(0, DAY)}`;
}

const DAY = '2004-01-06'.length;

/** Checks the mirror offline; problems end with exit 9. @throws MacroError of kind `notFound` or `verification`. */
async function runVerify(app: App, call: Call): Promise<void> {
  const { mirror } = await requireMirror(app);
  const only = chosenBy(call.words);
  const bar = openProgressBar(app, app.platform.clock);
  const onSeries = (done: number, of: number) =>
    bar.show({ share: done / Math.max(of, 1), what: `${done} of ${of} series checked` });
  const verification = await unlessRefused(
    () => mirror.verify({ only, signal: app.signal, onSeries }),
    async (error) => {
      // A monitor asks for the result of the check, and a damaged page ends it.
      if (error.code === 'mirror_damaged')
        await unlessRefused(
          () => noteVerified(app, mirror, 1),
          () => undefined,
        );
      throw error;
    },
  );
  bar.show({ share: 1, what: `${verification.series} series checked` });
  if (verification.series === 0 && call.words.length > 0) throw noneChosen(call.words);
  const late = await mirror.snapshot((reader) => lateNotes(reader, { only, now: app.platform.clock.now() }));
  const lines = [...verification.findings.map(lineOf), ...late];
  const { series, rows, hash } = verification;
  const [problemCount, noteCount] = ['problem', 'note'].map(
    (wanted) => lines.filter((one) => one.level === wanted).length,
  );
  const path = app.settings.mirror.value;
  await app.list({
    rows: lines,
    title: [path, counted(verification), `${problemCount} problems`, `${noteCount} notes`],
    beside: { mirror: path, series, rows, hash, problems: problemCount, notes: noteCount },
  });
  const problems = lines.filter(({ level }) => level === 'problem');
  if (call.words.length === 0) await noteVerified(app, mirror, problems.length);
  if (problems.length > 0) throw contradicted(mirror.name, problems);
  await app.note(`${counted(verification)} hold: every row is as it was received.`, 'verified');
}

function lineOf({ level, series, what, key, detail }: SeriesFinding): Line {
  return { level, series: series ? nameOfSeries(series) : null, row: key?.join(' ') ?? null, finding: what, detail };
}

async function lateNotes(reader: MirrorReader, scope: { only: Chosen; now: number }): Promise<readonly Line[]> {
  const missed = (await missedReleases(reader, scope.now)).filter(({ series }) => scope.only(series));
  return [
    ...missed.map(({ series, due }): Line => {
      const detail = `no row of the releases that were due at ${momentsText(due)}`;
      return { level: 'note', series: nameOfSeries(series), row: null, finding: 'gap', detail };
    }),
    ...(await staleNotes(reader, scope)),
  ];
}

/** Notes for each endpoint how many series are older than their answers stay fresh; feeds are never fresh. */
async function staleNotes(reader: MirrorReader, { only, now }: { only: Chosen; now: number }) {
  const lines: Line[] = [];
  for (const { endpoint, series: stored } of await seriesByEndpoint(withoutUndone(reader), only)) {
    const freshMs = freshFor(endpoint, now) * 1000;
    const stale = stored.filter(({ checkedAt }) => freshMs > 0 && now - checkedAt > freshMs);
    const [first] = stale;
    if (!first) continue;
    const oldest = instantText(Math.min(...stale.map(({ checkedAt }) => checkedAt)));
    const series = stale.length === 1 ? nameOfSeries(first) : (endpoint.cli?.words ?? [endpoint.id]).join(' ');
    const detail = `${stale.length} of ${stored.length} series may have changed since; last confirmed ${oldest === null ? 'never' : `${oldest} at the earliest`}`;
    lines.push({ level: 'note', series, row: null, finding: 'stale', detail });
  }
  return lines;
}

function counted({ series, rows }: Verification): string {
  return `${series} series with ${rows} rows`;
}

function contradicted(path: string, problems: readonly Line[]): MacroError {
  const series = [...new Set(problems.map((line) => line.series ?? 'the file'))];
  return new MacroError('verification', `The mirror ${path} is not as it was written: ${namesText(series)}.`, {
    code: 'mirror_altered',
    hint: 'Rely on none of it: restore a backup, or bring the series into a new file with macro sync --mirror FILE.',
  });
}
