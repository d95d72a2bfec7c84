import { parseObject } from '../../contract/json/json.ts';
import { dateOf } from '../../contract/time/time.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import { eventId, eventRow, type Released } from './events.ts';

/** A release that somebody makes up. Without a value it is the one that the mirror holds. */
export interface MadeUpRelease extends Pick<Released, 'currency' | 'indicator'> {
  readonly val?: number | undefined;
}

/** The event of a made-up release at a moment (Unix seconds), as a row of changes. It is of the newest period that is held. */
export async function makeUpRelease(mirror: Mirror, made: MadeUpRelease, now: number): Promise<NewRow> {
  const { currency, indicator } = made;
  const { date = dateOf(now * 1000), val } = await printOf(mirror, made);
  const release = await freeRelease(mirror, made, now);
  return eventRow({ currency, indicator, release, timestamp: release, written: 1, date, val });
}

async function printOf(mirror: Mirror, { currency, indicator, val }: MadeUpRelease) {
  const [history] = await mirror.find({ endpoint: 'announcements', scope: { currency, indicator }, exact: true });
  const [newest] = history ? await mirror.rows(history, {}, { limit: 1, offset: 0 }) : [];
  const held = newest && parseObject(newest.text);
  const date = typeof held?.date === 'string' ? held.date : undefined;
  return { date, val: val ?? (typeof held?.val === 'number' ? held.val : null) };
}

/** A release is now, or as soon after it as its id is free: ids have whole seconds. */
async function freeRelease({ journal }: Mirror, { currency, indicator }: MadeUpRelease, now: number): Promise<number> {
  let release = now;
  while (await journal.event(eventId({ currency, indicator, release }))) release += 1;
  return release;
}
