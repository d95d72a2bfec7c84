import { waitText } from '../../client/text.ts';
import { patchRow } from '../../contract/json/body.ts';
import { type JsonText, toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import announcements from '../../endpoints/announcements/series.ts';
import { ENDPOINTS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror, MirrorState } from '../../mirror/api/mirror.ts';
import {
  announcedAfter,
  newestAfter,
  newestPeriod,
  nextDue,
  type ReleaseSeries,
  sleepUntil,
} from '../../sync/series/due.ts';
import { type SyncTarget, selectTargets } from '../../sync/series/select.ts';
import { type App, dataKindNote, type LiveHandle } from '../app/app.ts';
import { openStreamHandle } from '../app/stream-handle.ts';
import { readDuration, textOption } from '../parse/options.ts';
import { readQuestion, wrongWords } from '../parse/question.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { currencyWord, indicatorWord, REMOTE } from './common-options.ts';
import { failureInAny, mayPass, requireLive, runOnce } from './sync/run.ts';

export default [
  {
    path: ['wait'],
    summary: 'Wait until the next period of a series is released, and print it',
    words: [currencyWord('currency of the series'), indicatorWord('indicator of the series')],
    options: [`--timeout DUR: give up after so long, with exit 11: 90s, 15m, 6h, 2d`, REMOTE],
    examples: ['wait usd inflation --timeout 2h', 'wait usd non_farm_payrolls --format json'],
    rowsOf: announcements,
    run: waitForRelease,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = ['currency', 'indicator', 'date', 'val', 'announcement_datetime'] as const;

/** Milliseconds until another try after a fault: the first wait, and the max that doubling leads to. */
const FIRST_RETRY = 15_000;
const MAX_RETRY_MS = 300_000;

/** Milliseconds between two looks while the release is far, in case it is moved; and how long before it the last one is. */
const FAR_STEP = 21_600_000;
const AHEAD = 60_000;
/** From so many milliseconds on the event stream is worth its request. */
const STREAM_FROM = 7_200_000;

interface Waiting {
  readonly series: ReleaseSeries;
  readonly targets: readonly SyncTarget[];
  readonly live: LiveHandle;
  readonly mirror: Mirror;
}

/** Waits until the next period is out and prints it: sleeps until its release time, then syncs and looks again. */
async function waitForRelease(app: App, call: Call): Promise<void> {
  const { clock } = app.platform;
  const started = clock.now();
  const timeout = textOption(call.options, 'timeout');
  const deadline =
    timeout === undefined ? Number.POSITIVE_INFINITY : started + readDuration(timeout, '--timeout') * 1000;
  const { series, targets } = await readSeries(call, started);
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const waiting: Waiting = {
    series,
    targets,
    live: await requireLive(app, 'interactive'),
    mirror: await app.writable(),
  };
  const early = hearEarlyRelease(app, waiting);
  try {
    await waitWith(app, waiting, { started, deadline, timeout, early });
  } finally {
    early.close();
  }
}

interface Limits {
  readonly started: number;
  readonly deadline: number;
  readonly timeout: string | undefined;
  readonly early: ReturnType<typeof hearEarlyRelease>;
}

async function waitWith(app: App, waiting: Waiting, { started, deadline, timeout, early }: Limits): Promise<void> {
  const { clock } = app.platform;
  const { series } = waiting;
  let known: string | undefined;
  let faults = 0;
  for (;;) {
    await early.forget();
    const failure = await look(app, waiting);
    faults = failure ? faults + 1 : 0;
    if (known === undefined && !failure) {
      known = await newestPeriod(waiting.mirror, series, { begun: started / 1000, now: clock.now() / 1000 });
      await tellAwaited(app, waiting, known);
    }
    const landed = known === undefined ? undefined : await newestAfter(waiting.mirror, series, known);
    if (landed) return printRelease(app, series, landed);
    if (clock.now() >= deadline) throw timedOut(series, timeout ?? '', failure);
    const at = Math.min(await nextLook(app, waiting, { failure, faults, known }), deadline);
    await app.verbose(`next check at ${isoSeconds(Math.ceil(at / 1000))}`, 'next_look');
    if (at - clock.now() > STREAM_FROM) await early.listen();
    await sleepUntil(clock, at, app.signal, early.hasCome);
  }
}

async function readSeries(call: Call, now: number): Promise<Pick<Waiting, 'series' | 'targets'>> {
  const [currency, indicator, ...rest] = call.words;
  if (currency === undefined || indicator === undefined || rest.length > 0)
    throw wrongWords(
      'macro wait takes a currency and an indicator.',
      'For example: macro wait usd inflation --timeout 2h',
    );
  readQuestion(announcements, { words: call.words, options: {} }, { now, siblings: [] });
  const words = [`calendar ${currency}, announcements ${currency} ${indicator}`];
  const targets = await selectTargets(words, { endpoints: ENDPOINTS, now, indicatorsOf: async () => [] });
  const args = targets.find(({ endpoint }) => endpoint.id === announcements.id)?.args;
  return { series: { currency: String(args?.currency), indicator: String(args?.indicator) }, targets };
}

/** One sync of the series and its calendar; gives what went wrong when a later one may go well. */
async function look(app: App, { series, live, mirror }: Waiting): Promise<MacroError | undefined> {
  const { currency, indicator } = series;
  const words = [`calendar ${currency}, announcements ${currency} ${indicator}`.toLowerCase()];
  const failure = await failureInAny(() => runOnce(app, { words, live, mirror }));
  if (!failure) return undefined;
  // A budget that nothing refills ends the wait.
  const passes = mayPass(failure) && (failure.kind !== 'quota' || failure.retryAfter !== undefined);
  if (!passes) throw failure;
  await app.note(`${failure.message} It is tried again.`, 'retried');
  return failure;
}

/** Milliseconds of the next check: when something is due; soon after a fault, but not before a quota is free. */
async function nextLook(
  app: App,
  { series, targets, live, mirror }: Waiting,
  { failure, faults, known = '' }: { failure: MacroError | undefined; faults: number; known: string | undefined },
): Promise<number> {
  const now = app.platform.clock.now();
  const due = await nextDue({ reader: mirror, asker: live.client, targets, now });
  if (!failure) {
    const next = await announcedAfter(mirror, series, { period: known, now: now / 1000 });
    const isFar = next !== undefined && due.release === undefined && next.out * 1000 > due.at + AHEAD;
    return isFar ? Math.min(next.out * 1000 - AHEAD, now + FAR_STEP) : due.at;
  }
  const retry = now + Math.min(FIRST_RETRY * 2 ** (faults - 1), MAX_RETRY_MS);
  return Math.max(Math.min(due.at, retry), now + (failure.retryAfter ?? 0) * 1000);
}

async function tellAwaited(app: App, { series, mirror }: Waiting, known: string): Promise<void> {
  const now = app.platform.clock.now() / 1000;
  const next = await announcedAfter(mirror, series, { period: known, now });
  await dataKindNote(app, mirror);
  const period = next?.period === undefined ? 'the next period' : `the period ${next.period}`;
  const after = known === '' ? 'nothing is out yet' : `${known} is the newest`;
  const left = next && next.out > now ? `in ${waitText(next.out - now)}` : 'any moment';
  const when = next ? `${next.isConfirmed ? '' : 'probably '}${isoSeconds(next.out)}, ${left}` : 'in no calendar yet';
  await app.note(
    `Waiting for ${series.currency} ${series.indicator}, ${period} (${after}): ${when}.`,
    'waiting_for_release',
  );
}

/** The row as it was published: `4.40` stays `4.40`. */
function printRelease(app: App, { currency, indicator }: ReleaseSeries, row: JsonText): Promise<void> {
  const texts = [patchRow(row, { currency: toJsonText(currency), indicator: toJsonText(indicator) })];
  return app.list({ columns: COLUMNS, texts, title: [`${currency} ${indicator}`, 'released'] });
}

function timedOut({ currency, indicator }: ReleaseSeries, timeout: string, failure: MacroError | undefined) {
  const why = failure ? ` The last check failed: ${failure.message}` : '';
  return new MacroError('stale', `${currency} ${indicator} was not released within ${timeout}.${why}`, {
    code: 'wait_timeout',
    hint: `macro next ${currency.toLowerCase()} ${indicator} tells when it is expected.`,
  });
}

/** Hears of a release of one series before the calendar says that it comes. */
function hearEarlyRelease(app: App, { live, mirror, series }: Waiting) {
  const stop = new AbortController();
  let isListening = false;
  let position = 0;
  let seen: MirrorState | undefined;

  async function follow(): Promise<void> {
    const options = { payload: 'compact', maxSilence: undefined, onGap: async () => undefined };
    const handle = await openStreamHandle(app, live, mirror, options);
    await handle.receive(AbortSignal.any([app.signal, stop.signal]));
  }

  return {
    /** Follows the event stream from now on, which is one request however long it lasts. */
    async listen() {
      if (isListening) return;
      isListening = true;
      // Without a stream, the checks by the calendar remain.
      follow().catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        if (!stop.signal.aborted) void app.verbose(`No stream: ${why}`, 'no_stream');
      });
    },
    /** From now on only events count that are still to come. */
    async forget() {
      position = await mirror.journal.newest();
      seen = undefined;
    },
    /** An event of the series came, by our stream or by another program that keeps events in this mirror. */
    async hasCome() {
      const state = await mirror.look();
      if (state === seen) return false;
      seen = state;
      const subjects = await mirror.journal.subjects(position);
      position = subjects.at(-1)?.position ?? position;
      return subjects.some(
        (one) => one.currency === series.currency.toLowerCase() && one.indicator === series.indicator,
      );
    },
    close: () => stop.abort(new MacroError('interrupted', 'The wait is over.')),
  };
}
