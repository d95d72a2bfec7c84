/** Brings official files into the mirror. */
import { isJsonObject, type JsonObject, parseObject } from '../contract/json/json.ts';
import { addDays } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { CommitReport, ImportCommit, RowCounts } from '../mirror/api/page-commit.ts';
import { commitsOf, originOf } from './commits.ts';
import { type FileSeries, type ImportFormat, nameOfFileSeries } from './format.ts';
import { storedByKey } from './past-imports.ts';
import { commonFactor, MIN_PAIRS, type ValuePair } from './read/transforms.ts';
import { areTimedByRule, type ReleaseTimesOf, readReleaseTimes, withRealTimes } from './releases/release-times.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

export interface ImportOptions {
  /** Files that were checked. */
  readonly surveys: readonly Survey[];
  readonly mirror: Pick<Mirror, 'find' | 'rows' | 'commitStream' | 'rehearseStream'>;
  /** Find out what it would do, and leave the mirror as it is. */
  readonly isRehearsal?: boolean;
  /** The files are newer than the mirror, even if one ends earlier or all its values differ by one factor. */
  readonly areNewer?: boolean;
  /** Milliseconds. */
  readonly now: number;
  /** Called when a part of the rows is handed over: how many of all. */
  readonly onRows?: (done: number, of: number) => void;
}

export interface ImportReport extends RowCounts {
  readonly format: string;
  readonly file: string;
  readonly series: number;
  readonly rows: number;
  /** First and last date that the file speaks about. */
  readonly from: string;
  readonly to: string;
}

/** Writes checked files, all of them or none: new rows are added, changed ones become revisions, missing ones vanish. */
export async function runImport(options: ImportOptions): Promise<readonly ImportReport[]> {
  const { surveys, mirror, now, onRows, isRehearsal = false } = options;
  // The later of two states of one series reaches further.
  const ordered = surveys.toSorted((a, b) => (a.to < b.to ? -1 : Number(a.to > b.to)));
  await requireSuccessors(ordered, { mirror, areNewer: options.areNewer });
  const stored = await heldSeries(surveys, mirror);
  const all = surveys.flatMap(({ series }) => [...series.values()]);
  const timesOf = await readReleaseTimes(
    mirror,
    all.flatMap(({ series }) => series.scope.currency ?? []),
    now,
  );
  /** The file of each commit, in the order of the commits. */
  const owners: Survey[] = [];
  const series = new Map(surveys.map((survey) => [survey, new Set<string>()]));
  const whole = surveys.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  function* commits(): Generator<ImportCommit> {
    for (const survey of ordered) {
      const isHeld = (one: FileSeries) => stored.has(storedName(survey, one));
      for (const commit of commitsOf(survey, { now, isHeld })) {
        owners.push(survey);
        series.get(survey)?.add(nameOfFileSeries(commit.series));
        stored.add(storedName(survey, commit.series));
        done += commit.rows.length;
        onRows?.(done, whole);
        yield inRealTime(commit, timesOf);
      }
    }
  }
  const endpoints = endpointsIn(surveys);
  const reports = await (isRehearsal
    ? mirror.rehearseStream(endpoints, commits())
    : mirror.commitStream(endpoints, commits()));
  return surveys.map((survey) => ({
    format: survey.format.id,
    file: survey.file.name,
    series: series.get(survey)?.size ?? 0,
    rows: survey.rows,
    ...totalOf(reports.filter((_, place) => owners[place] === survey)),
    from: survey.from,
    to: survey.to,
  }));
}

/** The rows with the real times of their releases, where calendars have them. */
function inRealTime(commit: ImportCommit, timesOf: ReleaseTimesOf): ImportCommit {
  const times = timesOf(commit.series.scope);
  if (!times) return commit;
  const isByRule = areTimedByRule(commit.envelope ? parseObject(commit.envelope.text) : {});
  return { ...commit, rows: commit.rows.map((row) => withRealTimes(row, times, isByRule) ?? row) };
}

async function heldSeries(surveys: readonly Survey[], mirror: ImportOptions['mirror']): Promise<Set<string>> {
  const found = await Promise.all(endpointsIn(surveys).map((endpoint) => mirror.find({ endpoint, scope: {} })));
  return new Set(found.flat().map((one) => `${one.origin} ${nameOfFileSeries(one)}`));
}

function endpointsIn(surveys: readonly Survey[]): readonly string[] {
  return [...new Set(surveys.flatMap((one) => [...one.series.values()].map(({ series }) => series.endpoint)))];
}

function storedName({ format }: Survey, series: Pick<FileSeries, 'endpoint' | 'scope'>): string {
  return `${originOf(format)} ${nameOfFileSeries(series)}`;
}

function totalOf(reports: readonly CommitReport[]) {
  const total = { added: 0, revised: 0, vanished: 0, unchanged: 0 };
  for (const { added, revised, vanished, unchanged } of reports) {
    total.added += added;
    total.revised += revised;
    total.vanished += vanished;
    total.unchanged += unchanged;
  }
  return total;
}

type MirrorReads = Pick<Mirror, 'find' | 'rows'>;

/** Refuses older states, other quantities, and cells that have moved. Files that reach further come last. */
async function requireSuccessors(
  surveys: readonly Survey[],
  { mirror, areNewer = false }: { readonly mirror: MirrorReads; readonly areNewer?: boolean | undefined },
): Promise<void> {
  requireOneBase(surveys);
  for (const [place, survey] of surveys.entries()) {
    await requireSameBase(survey, mirror);
    if (areNewer) continue;
    const windows = await windowsOfMirror(survey, mirror);
    await requireNewerState(survey, windows);
    await requireSameScale(survey, [
      ...windows,
      ...surveys.slice(0, place).flatMap((one) => windowsOfFile(survey, one)),
    ]);
  }
}

/** The stored values of the dates of a series whose file says no times. */
interface Window {
  readonly one: SurveyedSeries;
  /** Newest date that the mirror has. */
  readonly end: string;
  /** Values by date, or so many of them. */
  held(limit?: number): Promise<ReadonlyMap<string, unknown>>;
}

interface SharedValue extends ValuePair {
  readonly date: string;
  readonly line: number;
}

interface Compared extends Window {
  readonly shared: readonly SharedValue[];
}

interface Rescaled extends Compared {
  readonly factor: number;
}

/** Rows of each series that are compared first: enough to tell a revision from another base. */
const SAMPLE_ROWS = 24;

/** Refuses a file that would replace newer values by older ones. @throws MacroError of kind `usage`. */
async function requireNewerState(survey: Survey, windows: readonly Window[]): Promise<void> {
  const ended = windows.filter(({ one, end }) => end > one.newest);
  for (const { end, shared } of await comparedAmong(survey, ended)) {
    const other = shared.find(({ held, val }) => held !== val);
    if (other)
      throw notImported(
        'bad_import',
        `Line ${other.line} of ${survey.file.name}`,
        `${other.date} is ${other.val} here and ${other.held} in the mirror, which has the series until ${end}. ` +
          'The file ends earlier, so it may be older.',
        'If the file is the newer one although it ends earlier, add --newer.',
      );
  }
}

/** Refuses a file of another base or area, unless it replaces everything. @throws MacroError of kind `usage`. */
async function requireSameBase(survey: Survey, mirror: MirrorReads): Promise<void> {
  for (const one of survey.series.values()) {
    const stored = one.rows > 0 ? await heldSeriesOf(one, survey.format, mirror) : undefined;
    const members = stored?.envelope && parseObject(stored.envelope.text);
    if (!stored || !members || isSameQuantity(members, one.series.envelope)) continue;
    const rows = (await mirror.rows(stored, {})).map(({ key, text }) => ({ date: String(key[0]), text }));
    const dates = rows.map(({ date }) => date).sort();
    const [from = '', to = ''] = [dates.at(0), dates.at(-1)];
    if (from === '') continue;
    const own = nameBeside(one.series.envelope, members);
    const held = nameBeside(members, one.series.envelope);
    const difference = `it has ${own} and the mirror has ${held}`;
    if (from < one.oldest || to > one.newest)
      throw otherBase(
        survey,
        `${difference} from ${from} to ${to}, of which it would replace a part`,
        `Give a file of ${held}, or one of ${own} from ${from} to ${to}. ` +
          'Or undo the imports of the other one, which this shows: macro import list',
      );
    const heldSince = Math.max(...rows.map(({ text }) => lastVintage(parseObject(text)) ?? Number.NEGATIVE_INFINITY));
    if (oldestVintage(survey, one) < heldSince)
      throw otherBase(
        survey,
        `${difference}, which is newer`,
        'Undo the newer imports, import this file, and then theirs again. This shows them: macro import list',
      );
  }
}

/** Refuses files of one command that have several bases or areas of one series. @throws MacroError of kind `usage`. */
function requireOneBase(surveys: readonly Survey[]): void {
  const known = new Map<string, JsonObject>();
  for (const survey of surveys)
    for (const { series } of survey.series.values()) {
      const name = `${survey.format.publisher} ${nameOfFileSeries(series)}`;
      const other = known.get(name);
      if (other && !isSameQuantity(other, series.envelope))
        throw otherBase(
          survey,
          `it has ${nameBeside(series.envelope, other)} and another file has ${nameBeside(other, series.envelope)}`,
          'Import one of them. Then import the other, if it is newer and has every date of the first.',
        );
      known.set(name, series.envelope);
    }
}

/** Two series of a publisher that are described in the same words are the same numbers, whatever it calls them. */
function isSameQuantity(a: JsonObject, b: JsonObject): boolean {
  const isSameId = a.source_series_id === b.source_series_id;
  // A publisher goes from thousands to millions under the same id. Tables that a person describes have none.
  if (isSameId && (a.source_series_id === undefined || a.unit === undefined || b.unit === undefined)) return true;
  return a.unit === b.unit && (isSameId || a.name === b.name);
}

/** A name that tells a quantity from another one. */
const nameBeside = ({ source_series_id: id, unit }: JsonObject, other: JsonObject): string =>
  id === undefined || id !== other.source_series_id ? String(id ?? unit) : `${String(id)} in ${String(unit)}`;

/** Unix seconds since when the value of a row is known; undefined where it lists no vintage. */
function lastVintage(row: JsonObject): number | undefined {
  const last = Object.values(row).find(Array.isArray)?.at(-1);
  return isJsonObject(last) && typeof last.epoch === 'number' ? last.epoch : undefined;
}

/** Values without a vintage are those of the import: nothing is newer. */
function oldestVintage({ format, file }: Survey, { series }: SurveyedSeries): number {
  const name = nameOfFileSeries(series);
  let oldest = Number.POSITIVE_INFINITY;
  for (const { rows } of format.read(file))
    for (const { series: of, row } of rows)
      if (nameOfFileSeries(of) === name) oldest = Math.min(oldest, lastVintage(row.value) ?? oldest);
  return oldest;
}

function otherBase({ file }: Survey, difference: string, advice: string): MacroError {
  const reason = `${difference}. Another base, unit or area is another series.`;
  return notImported('other_base', file.name, reason, advice);
}

/**
 * Refuses a rebased part of a series (all values times one factor), since stored rows stay on the old base. Refuses
 * changed values that their publisher never revises.
 * @throws MacroError of kind `usage`.
 */
async function requireSameScale(survey: Survey, windows: readonly Window[]): Promise<void> {
  const sample = await comparedAmong(survey, windows, SAMPLE_ROWS);
  const other = survey.format.publication.revised === 'never' ? sample.find(isOtherData) : undefined;
  if (other) throw changedThroughout(survey, other);
  const [found] = rescaledAmong(await comparedAmong(survey, rescaledAmong(sample)));
  if (found) throw rescaled(survey, found);
}

/** Corrections are few. */
const isOtherData = ({ shared }: Compared): boolean =>
  shared.length >= MIN_PAIRS && 2 * shared.filter(({ held, val }) => held !== val).length > shared.length;

/** Series of which the mirror has rows before the first or behind the last value of the file. They would stay. */
async function windowsOfMirror({ format, series }: Survey, mirror: MirrorReads): Promise<readonly Window[]> {
  const windows: Window[] = [];
  for (const one of series.values()) {
    const stored = one.isUndated ? await heldSeriesOf(one, format, mirror) : undefined;
    if (!stored) continue;
    const ask = async (range: { from?: string; to?: string }, limit?: number) =>
      mirror.rows(stored, range, limit === undefined ? undefined : { limit, offset: 0 });
    const end = String((await ask({}, 1))[0]?.key[0] ?? '');
    if (end <= one.newest && (await ask({ to: addDays(one.oldest, -1) }, 1)).length === 0) continue;
    const held = async (limit?: number) => {
      const rows = await ask({ from: one.oldest, to: one.newest }, limit);
      return new Map(rows.map(({ key, text }) => [String(key[0]), parseObject(text).val]));
    };
    windows.push({ one, end, held });
  }
  return windows;
}

/** For another file: the dates that both have. */
function windowsOfFile({ format, series }: Survey, other: Survey): readonly Window[] {
  if (other.format.publisher !== format.publisher) return [];
  const found = new Map<string, Window & { readonly values: Map<string, unknown> }>();
  for (const [name, one] of series) {
    const theirs = other.series.get(name);
    if (!theirs || !one.isUndated || theirs.newest < one.oldest || theirs.oldest > one.newest) continue;
    if (theirs.oldest >= one.oldest && theirs.newest <= one.newest) continue;
    const values = new Map<string, unknown>();
    found.set(name, { one, end: '', values, held: async () => values });
  }
  if (found.size === 0) return [];
  for (const { date, rows } of other.format.read(other.file))
    for (const { series: of, row } of rows) {
      const window = found.get(nameOfFileSeries(of));
      if (window && date >= window.one.oldest && date <= window.one.newest) window.values.set(date, row.value.val);
    }
  return [...found.values()];
}

/** The values (all, or the first `limit`) of each window beside those of the file. */
async function comparedAmong(
  { format, file }: Survey,
  windows: readonly Window[],
  limit?: number,
): Promise<readonly Compared[]> {
  const compared = await Promise.all(
    windows.map(async (window) => ({ ...window, before: await window.held(limit), shared: [] as SharedValue[] })),
  );
  const bySeries = Map.groupBy(compared, ({ one }) => nameOfFileSeries(one.series));
  if (bySeries.size === 0) return [];
  for (const { number: line, date, rows } of format.read(file))
    for (const { series, row } of rows)
      for (const { before, shared } of bySeries.get(nameOfFileSeries(series)) ?? []) {
        const [held, val] = [before.get(date), row.value.val];
        if (typeof held === 'number' && typeof val === 'number') shared.push({ held, val, date, line });
      }
  return compared;
}

/** Those whose values differ by the same factor. */
const rescaledAmong = (compared: readonly Compared[]): readonly Rescaled[] =>
  compared.flatMap((one) => {
    const factor = commonFactor(one.shared);
    return factor === undefined ? [] : [{ ...one, factor }];
  });

function changedThroughout({ file, format }: Survey, { one: { series }, shared }: Compared): MacroError {
  const count = shared.filter(({ held, val }) => held !== val).length;
  return notImported(
    'other_data',
    file.name,
    `${count} of ${shared.length} values of ${idOf(series)} differ from the stored ones, and ${format.publisher} does ` +
      'not revise them. Cells may have moved to other columns.',
    'Get the file of the publisher. If it corrected them, add --newer.',
  );
}

function rescaled({ file }: Survey, { one: { series, oldest, newest }, factor, shared }: Rescaled): MacroError {
  return notImported(
    'other_base',
    file.name,
    `it seems to have ${idOf(series)} on another base. All ${shared.length} values that are there already would become ` +
      `${Number(factor.toPrecision(5))} times as large. Those outside of ${oldest} to ${newest} would stay.`,
    'Import a file with the whole series. If the publisher corrected these values on the same base, add --newer.',
  );
}

const idOf = ({ envelope, scope }: FileSeries): string =>
  String(envelope.source_series_id ?? Object.values(scope).join('/'));

/** The series of the same publisher in the mirror; undefined where it has none. */
const heldSeriesOf = ({ series: { endpoint, scope } }: SurveyedSeries, format: ImportFormat, mirror: MirrorReads) =>
  storedByKey(mirror, { endpoint, scope, origin: originOf(format) });

/** The error of a file that is no later state of the stored series. `place` is the file, or a line of it. */
const notImported = (code: string, place: string, reason: string, hint: string): MacroError =>
  new MacroError('usage', `${place} cannot be imported: ${reason}`, { code, hint: `Nothing was written. ${hint}` });
