/** Fetches the files of publishers and brings them into the mirror: the same checks and the same importers as for a file. */
import { join } from 'node:path';
import type { FileClient, FileReply } from '../../client/http/file.ts';
import { detailsOf, MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { ImportCommit } from '../../mirror/api/page-commit.ts';
import { FILE_ACCESS } from '../../mirror/rules/coverage.ts';
import type { Files } from '../../platform/platform.ts';
import { questionOfFile } from '../commits.ts';
import { nameOfFileSeries } from '../format.ts';
import { type ImportReport, runImport } from '../import.ts';
import { type OpenedFile, openFile } from '../read/open-file.ts';
import { coveredByFile, fileRequest } from '../request.ts';
import { type Survey, surveyFile } from '../survey.ts';
import { MAX_DOWNLOAD_BYTES } from './download.ts';
import { type FetchTime, filesBehind, type PlannedFetch, planUnit } from './plan.ts';
import { type PastFetch, seriesOfImport, type UnitState } from './state.ts';
import type { FetchUnit, PublisherSettings } from './units.ts';

export interface FetchOptions extends Omit<FetchTime, 'now'> {
  readonly client: FileClient;
  readonly files: Pick<Files, 'grow' | 'makeFolder' | 'pieces' | 'readText' | 'remove'>;
  /** Folder that takes what arrives until it is imported. */
  readonly folder: string;
  readonly settings: PublisherSettings;
  readonly clock: { now(): number };
  /** The files are newer than the mirror's, even if one is shorter. */
  readonly areNewer?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request. */
  readonly onFetch?: (planned: PlannedFetch) => void;
}

/** The rows of one unit that are not written yet. */
export interface FetchedUnit {
  readonly unit: FetchUnit;
  readonly surveys: readonly Survey[];
  /** Files that are still what they were, and when that was found (milliseconds). */
  readonly unchanged: readonly { readonly past: PastFetch; readonly at: number }[];
  /** Sentences about files that are not there yet. */
  readonly notes: readonly string[];
  /** Removes what arrived. */
  discard(): void;
}

/**
 * Fetches the due files of a unit and checks them. A fault leaves no file behind.
 * @throws MacroError whose message begins with the unit.
 */
export async function fetchUnit(unit: FetchUnit, state: UnitState, options: FetchOptions): Promise<FetchedUnit> {
  const arrived: string[] = [];
  const discard = () => {
    for (const path of arrived.splice(0)) options.files.remove(path);
  };
  try {
    return { ...(await fetchPlanned(unit, state, options, arrived)), unit, discard };
  } catch (error) {
    discard();
    throw error instanceof MacroError && error.kind !== 'interrupted' ? named(unit, error) : error;
  }
}

async function fetchPlanned(unit: FetchUnit, state: UnitState, options: FetchOptions, arrived: string[]) {
  const { clock, files, areNewer = false } = options;
  const time = { now: clock.now(), isNamed: options.isNamed, full: options.full };
  const surveys: Survey[] = [];
  const unchanged: { past: PastFetch; at: number }[] = [];
  const notes: string[] = [];
  const queue = [...planUnit(unit, state, time)];
  for (let planned = queue.shift(); planned; planned = queue.shift()) {
    options.onFetch?.(planned);
    const path = join(options.folder, `${arrived.length}-${planned.file}`);
    arrived.push(path);
    const at = clock.now();
    const { isMoving } = planned;
    const reply = await get(unit, planned, { ...options, path }).catch((error: unknown) => {
      const isAbsent = error instanceof MacroError && error.kind === 'notFound';
      if (!planned || !isAbsent || !(isMoving || isYearToCome(planned, at))) throw error;
      return undefined;
    });
    if (!reply && isMoving) {
      // The small file has moved: the large one has the same dates.
      queue.push(...planUnit(unit, { ...state, dates: [] }, time));
    } else if (!reply) {
      notes.push(`${planned.file} is not there yet.`);
    } else if (reply.isUnchanged) {
      if (planned.last) unchanged.push({ past: planned.last, at });
    } else if (planned.kind === 'page') {
      const behind = filesBehind(unit, state, planned, { text: files.readText(path), time });
      if (behind.length === 0) notes.push(...nothingBehind(unit, state, planned, { unchanged, at }));
      queue.push(...behind);
    } else {
      const facts = unit.as === undefined ? {} : { as: unit.as };
      const file = openFile({ name: planned.file, pieces: () => files.pieces(path) }, facts);
      surveys.push(checkedSurvey(unit, planned, { file, reply, at, areNewer }));
    }
  }
  return { surveys, unchanged, notes };
}

function get(
  { download, format }: FetchUnit,
  { address, validators }: PlannedFetch,
  { client, files, folder, path, settings, signal }: FetchOptions & { readonly path: string },
): Promise<FileReply> {
  const contact = settings[format.id]?.contact;
  if (download.needsContact && contact === undefined)
    throw new MacroError('usage', `The publisher refuses whoever names no contact, and none is set.`, {
      code: 'no_contact',
      hint: `macro config set publishers.${format.id}.contact you@example.com. It is sent to this publisher alone.`,
    });
  files.makeFolder(folder, 0o700);
  return client.fetchFile({
    url: address,
    hosts: download.hosts ?? [],
    ...validators,
    maxBytes: MAX_DOWNLOAD_BYTES,
    contact,
    grow: () => files.grow(path),
    signal,
  });
}

/** In the first days of a year its file may not be there. */
function isYearToCome({ address, until = '' }: PlannedFetch, now: number): boolean {
  if (!until.endsWith('-12-31')) return false;
  const days = (now - Date.parse(`${until.slice(0, 4)}-01-01`)) / 86_400_000;
  return days >= 0 && days < 15 && address.includes(until.slice(0, 4));
}

/** For a page that lists nothing new: its earlier list is still true. */
function nothingBehind(
  { download, name }: FetchUnit,
  { fetches }: UnitState,
  { address }: PlannedFetch,
  { unchanged, at }: { readonly unchanged: { past: PastFetch; at: number }[]; readonly at: number },
): readonly string[] {
  const newest = fetches.findLast(({ fetched }) => fetched.until === undefined);
  if (!download.vintages || !newest)
    throw new MacroError('protocol', `${address} names no file of ${name}.`, {
      code: 'no_link',
      hint: `Nothing was changed. Find the file at ${download.page}, and import it by its name.`,
    });
  unchanged.push({ past: newest, at });
  return [];
}

interface Arrived {
  readonly file: OpenedFile;
  readonly reply: FileReply;
  readonly at: number;
  readonly areNewer: boolean;
}

/** A file that is smaller than this part of the one before it was cut off. */
const LEAST_PART = 0.9;

/** @throws MacroError of kind `usage` */
function checkedSurvey({ format }: FetchUnit, planned: PlannedFetch, { file, reply, at, areNewer }: Arrived): Survey {
  if (!format.recognises(file))
    throw new MacroError('protocol', `${planned.address} gave a file that is none of ${format.id}.`, {
      code: 'other_file',
      hint: `Nothing was changed. If the publisher has changed the form of the file, this version cannot read it.`,
    });
  const { etag, modified, bytes, url } = reply;
  const { last, until, isMoving } = planned;
  // A redirect may lead elsewhere each time, so the requested address is stored, except for links.
  const address = format.download?.link ? url : planned.address;
  const survey = surveyFile(format, file, at);
  if (!areNewer && !isMoving && last) requireNotShorter(survey, bytes, last);
  return { ...survey, fetched: { address, at, etag, modified, bytes, until } };
}

/** A file without some of the rows removes none of them. */
function requireNotShorter({ from, to }: Survey, bytes: number, { fetched, series }: PastFetch): void {
  const covers = series.flatMap((one) => one.covers ?? []);
  const lastTo = covers.reduce((max, one) => (one.to > max ? one.to : max), '');
  const missingParts =
    to < lastTo
      ? `it ends at ${to}, and the one before it at ${lastTo}`
      : bytes < LEAST_PART * fetched.bytes
        ? `it has ${bytes} bytes, and the one before it ${fetched.bytes}`
        : undefined;
  if (missingParts === undefined) return;
  throw new MacroError(
    'protocol',
    `The file is shorter than the last time: ${missingParts} (this one begins at ${from}).`,
    {
      code: 'shorter_file',
      hint: 'Nothing was changed. Try again later. If the publisher has shortened it: macro import FORMAT --newer',
    },
  );
}

/** The error of a unit. A fault in a fetched file is the publisher's, not the user's. */
function named({ name, download: { page } }: FetchUnit, error: MacroError): MacroError {
  const isOfFile = error.kind === 'usage' && error.code === 'bad_import';
  const hint = `Nothing was changed. Try again later. If that does not help, download the file from ${page} and import it by its name.`;
  return new MacroError(isOfFile ? 'protocol' : error.kind, `${name}: ${error.message}`, {
    ...detailsOf(error),
    cause: error,
    ...(isOfFile && { hint }),
  });
}

interface WriteOptions {
  readonly mirror: Pick<Mirror, 'find' | 'rows' | 'count' | 'commitStream' | 'rehearseStream' | 'commitPages'>;
  /** Milliseconds. */
  readonly now: number;
  readonly areNewer?: boolean;
  readonly onRows?: (done: number, of: number) => void;
}

/** Writes the fetched files, all or none, then renews the coverage of unchanged ones. */
export async function writeFetched(
  fetched: readonly FetchedUnit[],
  { mirror, now, areNewer, onRows }: WriteOptions,
): Promise<readonly ImportReport[]> {
  const surveys = fetched.flatMap((one) => one.surveys);
  const reports =
    surveys.length === 0
      ? []
      : await runImport({ surveys, mirror, now, ...(areNewer && { areNewer }), ...(onRows && { onRows }) });
  for (const { past, at } of fetched.flatMap((one) => one.unchanged)) await confirm(mirror, past, at);
  return reports;
}

/** The file is what it was at this moment: its coverage reaches to it, and nothing else moves. */
async function confirm(mirror: WriteOptions['mirror'], past: PastFetch, at: number): Promise<void> {
  const { format, file, digest, fetched } = past;
  const commits: ImportCommit[] = [];
  for (const stored of await seriesOfImport(mirror, past)) {
    const covers = past.series.find(({ key }) => nameOfFileSeries(key) === nameOfFileSeries(stored))?.covers;
    if (!covers) continue;
    const covered = coveredByFile(covers, { at, until: fetched.until });
    const { endpoint, scope, origin } = stored;
    commits.push({
      series: { endpoint, scope, origin },
      nature: 'real',
      access: FILE_ACCESS,
      request: fileRequest({ format: { id: format }, file: { name: file, digest }, fetched }, covers),
      question: questionOfFile(format, scope),
      rows: [],
      extent: 'adds',
      covered: { ...covered, rows: await mirror.count(stored, { from: covered.from, to: covered.to }) },
      at,
    });
  }
  await mirror.commitPages(commits);
}
