import type { Client, LiveReply } from '../client/client.ts';
import type { Args } from '../contract/params/params.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { AnswerCommit, CommitReport, PageCommit } from '../mirror/api/page-commit.ts';
import type { AccessTag, SeriesCheck, SeriesKey, StoredSeries } from '../mirror/api/series.ts';
import type { Clock } from '../platform/platform.ts';
import { questionText, seriesOfQuestion } from '../source/question.ts';
import { accessOf, confirmedCoverage, type ReceivedAnswer, receivedSeries } from '../source/stored/answer-commit.ts';
import type { PageBatch, PageBatches } from './page-batch.ts';
import type { PlanTime, Step } from './plan/step.ts';
import type { DateWindow } from './plan/windows.ts';
import { addRowCounts, noRows, type SeriesCounts } from './report.ts';
import type { SyncTarget } from './series/select.ts';

/** The input of a strategy, and the counts that it produces. One per target and run. */
export interface Work {
  readonly target: SyncTarget;
  readonly client: Client;
  /** The access under which the answers are stored. */
  readonly access: AccessTag;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Called after every page. */
  readonly onPage: (done: { seen: number; total: number | undefined }) => void;
  /** Pages of a long walk that are there and not yet committed. */
  readonly batch: PageBatch;
  readonly counts: SeriesCounts;
  /** How the asking goes on: since when an answer is awaited (milliseconds), and how many came. */
  readonly progress: { awaitedSince: number | undefined; answers: number };
  /** Until when (milliseconds) a feed was read to its end; undefined while it was not. */
  readonly feed: { until: number | undefined };
  /** The findings of a check of the whole series in this run, and whether it confirmed or read all of it. */
  readonly whole: { noted: SeriesCheck | undefined; isChecked: boolean };
}

/** A step under way: a value after every page, the date that is reached where there is one. */
export type Pages = AsyncGenerator<string | undefined, void, undefined>;

/** How the steps of one kind of series are made. */
export type Strategy = (work: Work, step: Step) => Pages;

/** How far a series of a run has come. */
export interface SyncProgress {
  readonly name: string;
  /** Position of this series in the run, from 1. */
  readonly index: number;
  readonly of: number;
  readonly seen: number;
  readonly total: number | undefined;
  /** How much of the whole run is done, from 0 to 1; undefined while it is not planned. */
  readonly share: number | undefined;
  /** For the whole run: its requests and committed rows. */
  readonly requests: number;
  readonly rows: number;
}

/** The targets of a run, and its sources. */
export interface SyncOptions extends Omit<PlanTime, 'now'> {
  readonly client: Client;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly targets: readonly SyncTarget[];
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly signal?: AbortSignal;
}

/** The target's series of this service. */
export function currentSeries({ target, client }: Work): SeriesKey {
  return receivedSeries(target, client.service);
}

/** The stored series of the target from this service; undefined if there is none. */
export async function storedSeries(work: Work): Promise<StoredSeries | undefined> {
  const { endpoint, args } = work.target;
  const found = await work.mirror.find(seriesOfQuestion(endpoint, args));
  return found.find(({ origin }) => origin === work.client.service);
}

export function received(work: Work, args: Args, reply: LiveReply): ReceivedAnswer {
  const { target, client, clock } = work;
  work.counts.isPartial ||= reply.partial !== undefined;
  return { endpoint: target.endpoint, args, reply, service: client.service, access: client.access, at: clock.now() };
}

/** Commits an answer and counts it. */
export async function commit(work: Work, page: PageCommit): Promise<CommitReport> {
  const report = await work.mirror.commitPage(page);
  noteReport(work.counts, report);
  return report;
}

function noteReport(counts: SeriesCounts, report: CommitReport): void {
  counts.rows = addRowCounts(counts.rows, report);
  if (!report.replaced) return;
  const { from, to } = report.replaced;
  counts.isReplaced = true;
  counts.notes.push(
    `The service means another series by these words now: ${to}, no longer ${from}. The old one stays for --as-of and why.`,
  );
}

/** Asks with the last validator; undefined when nothing has changed. */
export async function askChanged(work: Work, args: Args): Promise<LiveReply | undefined> {
  const { target, client, access, mirror, signal, counts } = work;
  const question = questionText(target.endpoint, args, 'all');
  const validator = await mirror.validator(access, question);
  const reply = await client.ask({
    endpoint: target.endpoint,
    args,
    ...(signal && { signal }),
    ...(validator !== undefined && { ifNoneMatch: validator }),
  });
  counts.notes.push(...reply.notes);
  if (reply.status === 200) return reply;
  await confirm(work, reply, args);
  return undefined;
}

/** Notes that an answer still holds, with its `covered` range where it is more than a document's. */
export async function confirm(
  work: Work,
  reply: LiveReply,
  args: Args,
  extra: { readonly covered?: DateWindow } & Pick<AnswerCommit, 'follows'> = {},
): Promise<void> {
  const { target, access, mirror, clock } = work;
  const stamp = await mirror.stamp();
  const shown = extra.covered ?? confirmedCoverage(target.endpoint, args, clock.now());
  const stored = await storedSeries(work);
  const rows = stored && shown ? await mirror.count(stored, shown) : 0;
  await mirror.commitPage({
    series: currentSeries(work),
    nature: stamp.nature ?? 'real',
    access,
    request: reply.request,
    question: questionText(target.endpoint, args, 'all'),
    ...(reply.etag !== undefined && { etag: reply.etag }),
    rows: [],
    extent: 'adds',
    ...(shown && { covered: { ...shown, rows } }),
    ...(extra.follows && { follows: extra.follows }),
    at: clock.now(),
  });
}

export function newWork({
  batches,
  ...parts
}: Omit<Work, 'counts' | 'access' | 'feed' | 'whole' | 'batch' | 'progress'> & {
  readonly batches: PageBatches;
}): Work {
  const { target, clock } = parts;
  const access = accessOf(target.endpoint, parts.client.access);
  const counts: Work['counts'] = { requests: 0, rows: noRows, notes: [], isPartial: false, isReplaced: false };
  const progress: Work['progress'] = { awaitedSince: undefined, answers: 0 };
  const onSpent = () => {
    counts.requests += 1;
  };
  const client = watchedClient(parts.client, { clock, progress, onSpent });
  const batch = batches.open((report) => noteReport(counts, report));
  return {
    ...parts,
    client,
    access,
    batch,
    counts,
    progress,
    feed: { until: undefined },
    whole: { noted: undefined, isChecked: false },
  };
}

interface Watch extends Pick<Work, 'clock' | 'progress'> {
  readonly onSpent: () => void;
}

/** A client whose every request tells what it cost, and while it is awaited, since when. */
function watchedClient(client: Client, { clock, progress, onSpent }: Watch): Client {
  const awaited = async <T>(asking: Promise<T>): Promise<T> => {
    progress.awaitedSince = clock.now();
    try {
      const answer = await asking;
      progress.answers += 1;
      return answer;
    } finally {
      progress.awaitedSince = undefined;
    }
  };
  return {
    ...client,
    ask: (request) => awaited(client.ask({ ...request, onSpent })),
    pages(request, resume) {
      const pages = client.pages({ ...request, onSpent }, resume)[Symbol.asyncIterator]();
      return { [Symbol.asyncIterator]: () => ({ next: () => awaited(pages.next()) }) };
    },
  };
}
