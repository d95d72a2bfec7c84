import { createHash } from 'node:crypto';
import type { Journal, JournalEvent } from '../../../mirror/api/journal.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { retrying } from '../../../mirror/core/retrying.ts';
import type { App } from '../../app/app.ts';
import type { EventFilter } from '../../parse/event-filter.ts';

/** How far a stream without a consumer has printed the events of its filter, in this mirror. */
export interface LastPrinted {
  /** Position that an earlier stream reached, or where this one begins. */
  readonly position: number;
  note(event: JournalEvent): Promise<void>;
}

/** Events that are counted at once. */
const PAGE = 1_000;

/** Opens the note of what was printed. No lock: two streams may print at once, and the position never moves back. */
export async function openLastPrinted(
  { platform: { clock } }: Pick<App, 'platform'>,
  { journal }: Pick<Mirror, 'journal'>,
  { filter, newest }: { readonly filter: EventFilter; readonly newest: number },
): Promise<LastPrinted> {
  const name = nameOf(filter);
  const known = await journal.consumer(name);
  if (!known) await retrying(clock, () => journal.moveConsumer(name, newest, clock.now()));
  return {
    position: known?.position ?? newest,
    note: ({ position }) => retrying(clock, () => journal.moveConsumer(name, position, clock.now())),
  };
}

/** No consumer that a person names has a blank in its name. */
function nameOf({ currencies = [], indicators = [] }: EventFilter): string {
  if (currencies.length + indicators.length === 0) return 'macro stream';
  const filters = JSON.stringify([currencies.toSorted(), indicators.toSorted()]);
  return `macro stream ${createHash('sha256').update(filters, 'utf8').digest('hex').slice(0, 8)}`;
}

/** Says how many events came since a stream last printed, and what prints them. */
export async function noteUnprinted(
  app: Pick<App, 'warn'>,
  { journal }: Pick<Mirror, 'journal'>,
  { filter, after }: { readonly filter: EventFilter; readonly after: number },
): Promise<void> {
  const count = await countEvents(journal, filter, after);
  if (count === 0) return;
  const { currencies, indicators } = filter;
  const words = [
    `macro journal --after ${after} --limit ${count}`,
    ...(currencies ? [`--currencies ${currencies.join(',')}`] : []),
    ...(indicators ? [`--indicators ${indicators.join(',')}`] : []),
  ];
  const came = count === 1 ? '1 event came' : `${count} events came`;
  await app.warn(
    `${came} since macro stream last printed in this mirror. This prints them: ${words.join(' ')}; --resume prints them first`,
    'events_not_printed',
  );
}

async function countEvents(
  journal: Pick<Journal, 'events'>,
  { currencies, indicators }: EventFilter,
  after: number,
): Promise<number> {
  let count = 0;
  for (let from = after; ; ) {
    const events = await journal.events({ currencies, indicators, after: from, limit: PAGE });
    count += events.length;
    const last = events.at(-1);
    if (!last || events.length < PAGE) return count;
    from = last.position;
  }
}
