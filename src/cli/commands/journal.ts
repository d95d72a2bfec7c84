import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import { eventAt } from '../../events/follow.ts';
import type { Journal, JournalAsk, JournalEvent, JournalGap } from '../../mirror/api/journal.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { OUTBOX_CONSUMER } from '../../mirror/api/outbox.ts';
import { uncoveredBetween } from '../../source/watched-times.ts';
import { type App, screenRows } from '../app/app.ts';
import { filterOf, noteUnknownWords, readStreamArgs } from '../parse/event-filter.ts';
import { isOn, type Options, readCount, textOption } from '../parse/options.ts';
import { instantText, spelled } from '../print/rows.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { EVENT_FILTERS, LISTING } from './common-options.ts';
import { onlyWord, requireMirror } from './require.ts';

export default [
  {
    path: ['journal'],
    summary: 'List stored release events, how each arrived, and gaps; works offline',
    options: [
      `${EVENT_FILTERS}
      --after N [Rows and formats]: events behind this position; default: the newest
      --limit N [Rows and formats]: number of rows; default 50
      --gaps: times for which events may be missing
      --consumers: who deals with events, and how far they came
      --failures: events that could not be dealt with, and when they are tried again`,
      LISTING,
    ],
    examples: ['journal --currencies usd --limit 5', 'journal --gaps --format json'],
    rows: `position count, event_id text, processed_at time, released_at time?, currency text, indicator text, date any,
      val any, via text, arrivals list, origin text`,
    rowsUnder: {
      gaps: `id count?, from time?, to time?, seconds count?, reason text, via text?, noted_at time?, closed_at time?,
        origin text`,
      consumers: 'name text, position count, behind count, moved_at time?, set_aside count',
      failures:
        'consumer text, event_id text?, position count, attempts count, error text, failed_at time?, next_at time?',
    },
    run: showJournal,
  },
  {
    path: ['journal', 'forget'],
    summary: 'Forget a consumer that no longer runs, with its position and its failures',
    words: 'consumer (<consumers>): its name, as macro journal --consumers lists it',
    changes: true,
    examples: ['journal forget desk --dry-run', 'journal forget desk'],
    changesWords: true,
    run: forgetConsumer,
  },
] satisfies readonly CommandDeclaration[];

const EVENTS = ['position', 'processed_at', 'currency', 'indicator', 'date', 'val', 'via', 'event_id'] as const;
const SPARE = ['event_id', 'via', 'position'] as const;
const FAILURES = ['consumer', 'event_id', 'attempts', 'error', 'failed_at', 'next_at'] as const;

/** Events that are shown when nobody says how many. */
const DEFAULT_LIMIT = 50;
/** Events that are read at once. */
const STEP = 1_000;

async function showJournal(app: App, call: Call): Promise<void> {
  const list = readWish(call.options);
  const limit = readCount(call.options, 'limit', 1) ?? screenRows(app) ?? DEFAULT_LIMIT;
  const after = readCount(call.options, 'after', 0);
  const filter = filterOf(readStreamArgs(call.options, app.platform.clock.now()));
  await noteUnknownWords(app, filter);
  const { mirror } = await requireMirror(app);
  const { journal } = mirror;
  if (list === 'gaps') return app.list(await listGaps(mirror, limit));
  if (list === 'consumers') return app.list(await listConsumers(journal));
  if (list === 'failures') return app.list(await listFailures(journal));
  const ask = { ...filter, limit };
  const events = after === undefined ? await newestEvents(journal, ask) : await eventsAfter(journal, { ...ask, after });
  await app.list({
    columns: EVENTS,
    spare: SPARE,
    texts: events.map(rowOf),
    title: ['Release events', `${events.length}`],
  });
}

const LISTS = ['gaps', 'consumers', 'failures'] as const;

function readWish(options: Options): (typeof LISTS)[number] | 'events' {
  const wished = LISTS.filter((name) => isOn(options, name));
  const aside = ['after', 'currencies', 'indicators'].find((name) => textOption(options, name) !== undefined);
  if (wished.length > 1 || (wished.length === 1 && aside !== undefined))
    throw new MacroError('usage', `--${wished[0]} and --${wished[1] ?? aside} do not go together.`, {
      hint: 'One list is shown at a time; events have --after, --currencies and --indicators.',
    });
  return wished[0] ?? 'events';
}

async function newestEvents(journal: Journal, { limit, ...filter }: Omit<JournalAsk, 'after'>) {
  let found: readonly JournalEvent[] = [];
  for (let end = await journal.newest(); end > 0 && found.length < limit; end -= STEP) {
    const read = await journal.events({ ...filter, after: Math.max(0, end - STEP), limit: STEP });
    found = [...read.filter(({ position }) => position <= end), ...found];
  }
  return found.slice(-limit);
}

export async function eventsAfter(journal: Pick<Journal, 'events'>, { after, limit, ...filter }: JournalAsk) {
  const found: JournalEvent[] = [];
  for (let from = after; found.length < limit; ) {
    const read = await journal.events({ ...filter, after: from, limit: Math.min(STEP, limit - found.length) });
    found.push(...read);
    const last = read.at(-1);
    if (!last) break;
    from = last.position;
  }
  return found;
}

function rowOf(event: JournalEvent): JsonText {
  const { position, id, timestamp, release, currency, indicator, origin, text, arrivals } = event;
  const row = {
    position,
    event_id: id,
    processed_at: isoSeconds(timestamp),
    released_at: release === undefined ? null : isoSeconds(release),
    currency: currency.toUpperCase(),
    indicator,
    date: null,
    val: null,
    via: arrivals.map(({ via }) => via).join(' '),
    arrivals: arrivals.map(({ via, at }) => ({ via, at: instantText(at) })),
    origin,
  };
  const printed = (name: string) => spelled(text, 'latest_announcement', name) ?? asJsonText('null');
  return patchRow(toJsonText(row), { date: printed('date'), val: printed('val') });
}

/** Noted missing ranges, and missing ranges that follow from the watched times. */
async function listGaps(mirror: Mirror, limit: number): Promise<Parameters<App['list']>[0]> {
  const found: readonly Partial<JournalGap>[] = [
    ...(await mirror.journal.gaps(limit)),
    ...(await uncoveredBetween(mirror)),
  ];
  const rows = found.slice(0, limit).map(({ id = null, from, to, reason, notedAt, closedAt, origin, ...gap }) => ({
    ...{ id, ...spanText({ from, to }), reason, via: id === null ? null : gap.via },
    ...{ noted_at: instantText(notedAt), closed_at: instantText(closedAt), origin },
  }));
  return { rows, title: ['Gaps of the events', 'newest first'] };
}

/** Both ends belong to a missing range: if they are equal, it is one second long. */
function spanText({ from, to }: Partial<JournalGap>) {
  return {
    from: from === undefined ? null : isoSeconds(from),
    to: to === undefined ? null : isoSeconds(to),
    seconds: from === undefined || to === undefined ? null : to - from + 1,
  };
}

async function listConsumers(journal: Journal): Promise<Parameters<App['list']>[0]> {
  const newest = await journal.newest();
  const failures = await journal.failures();
  const rows = (await journal.consumers()).map(({ name, position, movedAt }) => ({
    name,
    position,
    behind: newest - position,
    moved_at: instantText(movedAt),
    set_aside: failures.filter(({ consumer, nextAt }) => consumer === name && nextAt === undefined).length,
  }));
  return { rows, title: ['Consumers of the events'] };
}

/** Forgets a consumer; its events stay. @throws MacroError of kind `notFound`, or `busy` while it runs. */
async function forgetConsumer(app: App, call: Call): Promise<void> {
  const name = onlyWord(call, 'journal forget', 'CONSUMER');
  const { journal } = (await requireMirror(app)).mirror;
  await requireConsumer(journal, name);
  if (name === OUTBOX_CONSUMER)
    throw new MacroError('usage', `${name} is no consumer to forget: it makes the deliveries of subscriptions.`, {
      code: 'bad_arguments',
      hint: 'macro webhooks delete ID ends a subscription and drops its deliveries.',
    });
  const forgotten = await app.change(`forget the consumer ${name}, its position and its failures`, async () => {
    const mirror = await app.writable();
    const lock = await mirror.lockConsumer(name);
    try {
      await mirror.journal.forgetConsumer(name);
    } finally {
      await lock.release();
    }
  });
  if (forgotten)
    await app.note(`Forgot the consumer ${name}. Started again, it begins with new events.`, 'consumer_forgotten');
}

/** Refuses an unknown name: an empty list would hide a typo. @throws MacroError of kind `notFound`. */
export async function requireConsumer(journal: Journal, name: string): Promise<void> {
  if (await journal.consumer(name)) return;
  const names = (await journal.consumers()).map((consumer) => consumer.name);
  const none = 'It has none yet: macro stream --consumer NAME makes one.';
  throw new MacroError('notFound', `The journal knows no consumer ${name}.`, {
    code: 'unknown_consumer',
    hint: names.length === 0 ? none : hintFor(name, names, `Known consumers: ${names.join(', ')}.`),
  });
}

async function listFailures(journal: Journal): Promise<Parameters<App['list']>[0]> {
  const rows = [];
  for (const { consumer, position, attempts, error, failedAt, nextAt } of await journal.failures()) {
    const event = await eventAt(journal, position);
    const times = { failed_at: instantText(failedAt), next_at: instantText(nextAt) };
    rows.push({ consumer, event_id: event?.id ?? null, position, attempts, error, ...times });
  }
  return { columns: FAILURES, rows, title: ['Events that could not be dealt with', 'no next_at: set aside'] };
}
