/** The imports of a mirror, as the commits of files tell them. */
import { asJsonText } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import type { FileCommit, Mirror } from '../mirror/api/mirror.ts';
import type { Undo, UndoCommit } from '../mirror/api/page-commit.ts';
import type { SeriesKey, StoredSeries } from '../mirror/api/series.ts';
import { undoneBy, undoRequest } from '../mirror/rules/as-of/undone.ts';
import { FILE_ACCESS } from '../mirror/rules/coverage.ts';
import { inputsOfMembers, questionOfFile } from './commits.ts';
import { nameOfFileSeries } from './format.ts';
import { CALENDAR } from './releases/release-times.ts';
import { coveredByFile, type FileCoverage, type FileRequest, readFileRequest } from './request.ts';

/** The result of the import of one file. */
export interface PastImport extends Omit<FileRequest, 'covers' | 'members'> {
  /** Its place among the imports of the mirror, from 1. */
  readonly id: number;
  /** Number of its first commit. */
  readonly commit: number;
  /** Milliseconds. */
  readonly at: number;
  readonly publisher: string;
  readonly series: readonly ImportedSeries[];
  readonly added: number;
  readonly revised: number;
  readonly withdrawn: number;
  /** When it was undone, in milliseconds. */
  readonly undoneAt: number | undefined;
}

export interface ImportedSeries {
  readonly key: SeriesKey;
  /** Undefined for a file that came before its commits said so. */
  readonly covers: FileCoverage | undefined;
  /** Members beside the rows, as JSON; undefined where no commit says them. */
  readonly members: string | undefined;
}

interface Growing extends Omit<PastImport, 'id' | 'series' | 'undoneAt'> {
  readonly series: Map<string, ImportedSeries>;
  last: number;
  added: number;
  revised: number;
  withdrawn: number;
}

interface UndoPlan {
  readonly undone: PastImport;
  readonly commits: readonly UndoCommit[];
  /** Rows that the import brought and that go. */
  readonly withdrawn: number;
  /** Rows that the import replaced or withdrew and that come back. */
  readonly restored: number;
}

type Reads = Pick<Mirror, 'find' | 'files'>;

/** The imports in order, each the commits of one transaction and time. A file that changed nothing made no commit. */
export function importsIn(commits: readonly FileCommit[]): readonly PastImport[] {
  const found: Growing[] = [];
  const undone = new Map<number, number>();
  for (const commit of commits) {
    const undo = undoneBy(commit);
    if (undo) undone.set(undo.since, commit.at);
    const request = readFileRequest(commit.request);
    if (!request) continue;
    const last = found.at(-1);
    const one = last && continues(last, commit, request) ? last : begun(commit, request);
    if (one !== last) found.push(one);
    one.last = commit.number;
    const name = nameOfFileSeries(commit.series);
    const members = request.members ?? one.series.get(name)?.members;
    one.series.set(name, { key: commit.series, covers: request.covers, members });
    one.added += commit.added;
    one.revised += commit.revised;
    one.withdrawn += commit.vanished;
  }
  return found.map(({ last: _, series, ...one }, place) => ({
    ...one,
    id: place + 1,
    series: [...series.values()],
    undoneAt: undone.get(one.commit),
  }));
}

function begun({ number, at, series }: FileCommit, { format, file, digest, fetched }: FileRequest): Growing {
  const publisher = series.origin.replace(/^import:/, '');
  const counts = { added: 0, revised: 0, withdrawn: 0 };
  return { commit: number, at, publisher, format, file, digest, fetched, ...counts, series: new Map(), last: number };
}

function continues(one: Growing, { number, at, series }: FileCommit, { format, file, digest }: FileRequest): boolean {
  const isNext = number === one.last + 1 && at === one.at && series.origin === `import:${one.publisher}`;
  return isNext && format === one.format && file === one.file && digest === one.digest;
}

/** The plan to undo an import, refused if a later one rests on it, unnoted. @throws MacroError of kind `usage`. */
export async function planUndo(mirror: Reads, id: number, now: number): Promise<UndoPlan> {
  const imports = importsIn(await mirror.files.fileCommits());
  const undone = imports.find((one) => one.id === id);
  if (!undone) throw refusal(`The mirror has no import ${id}.`, 'macro import list shows the stored imports.');
  if (undone.undoneAt !== undefined)
    throw refusal(`Import ${id} was undone before.`, 'Importing its file again brings it back.');
  if (undone.format === CALENDAR)
    throw refusal(
      `Import ${id} is a calendar: values of other files have its times.`,
      'Import the right calendar: its times take the place of these.',
    );
  const left = imports.filter((one) => one !== undone && one.undoneAt === undefined);
  const later = left.filter((one) => one.id > id && restsOn(one, undone)).at(-1);
  if (later)
    throw refusal(
      `Import ${later.id} of ${later.file} came later and speaks of the same dates, so it may rest on import ${id}.`,
      `Undo it first: macro import undo ${later.id}`,
    );
  const plan = { undone, commits: [] as UndoCommit[], withdrawn: 0, restored: 0 };
  for (const one of undone.series) {
    const stored = await storedByKey(mirror, one.key);
    if (!stored)
      throw new MacroError('internal', `The series ${nameOfFileSeries(one.key)} of an import is not stored.`);
    const window = datesOf(one.covers);
    const before = await mirror.files.rowsBefore(stored, window, undone.commit);
    plan.commits.push({
      series: one.key,
      nature: 'real',
      access: FILE_ACCESS,
      request: undoRequest({ since: undone.commit, ...window }),
      question: questionOfFile(undone.format, one.key.scope),
      ...membersLeft(left, one),
      rows: before.rows,
      extent: 'adds',
      window,
      undo: { since: undone.commit, chain: stored.chain, ...whatIsLeft(left, one) },
      at: now,
    });
    plan.withdrawn += before.later;
    plan.restored += before.rows.length;
  }
  return plan;
}

/** Takes it back in one transaction. */
export async function runUndo(mirror: Pick<Mirror, 'commitPages'>, { commits }: UndoPlan): Promise<void> {
  await mirror.commitPages(commits);
}

function refusal(message: string, hint: string): MacroError {
  return new MacroError('usage', message, { code: 'bad_undo', hint });
}

/** The series of an origin in the mirror; undefined where it has none. */
export async function storedByKey(mirror: Pick<Mirror, 'find'>, key: SeriesKey): Promise<StoredSeries | undefined> {
  const found = await mirror.find({ endpoint: key.endpoint, scope: key.scope, exact: true });
  return found.find(({ origin }) => origin === key.origin);
}

/** The dates that a file may have changed: of a whole file, and of one of which nobody knows, all before its last. */
function datesOf(covers: FileCoverage | undefined): { readonly from: string; readonly to: string } {
  return { from: covers?.from ?? '0001-01-01', to: covers?.to ?? '9999-12-31' };
}

export function restsOn(later: PastImport, earlier: PastImport): boolean {
  return later.series.some((one) => {
    const other = sameSeries(earlier, one);
    if (!other) return false;
    const [a, b] = [datesOf(one.covers), datesOf(other.covers)];
    return a.from <= b.to && b.from <= a.to;
  });
}

function sameSeries({ series }: Pick<PastImport, 'series'>, { key }: ImportedSeries): ImportedSeries | undefined {
  const name = nameOfFileSeries(key);
  return series.find((one) => one.key.origin === key.origin && nameOfFileSeries(one.key) === name);
}

/** The members beside the rows, as the newest of the other files has them. */
function membersLeft(imports: readonly PastImport[], series: ImportedSeries): Pick<UndoCommit, 'envelope'> {
  for (const { format, digest, ...one } of imports.toReversed()) {
    const members = sameSeries(one, series)?.members;
    const question = questionOfFile(format, series.key.scope);
    if (members !== undefined)
      return { envelope: { text: asJsonText(members), inputs: inputsOfMembers(question, digest) } };
  }
  return {};
}

/** The other files' facts about a series. One of which nobody noted what it covers covers nothing any more. */
function whatIsLeft(imports: readonly PastImport[], series: ImportedSeries): Pick<Undo, 'coveredRanges' | 'checkedAt'> {
  const files = imports.flatMap((one) => {
    const same = sameSeries(one, series);
    return same ? [{ at: one.at, covers: same.covers, fetched: one.fetched }] : [];
  });
  return {
    checkedAt: Math.max(0, ...files.map(({ at }) => at)),
    coveredRanges: files.flatMap(({ at, covers, fetched }) =>
      covers ? [{ checkedAt: at, ...coveredByFile(covers, fetched) }] : [],
    ),
  };
}
