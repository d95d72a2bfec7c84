import { expect, test } from 'vitest';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { AskContext, Question } from '../../src/source/source.ts';
import { LABELS } from '../support/service.ts';
import { DAY, KEYED, MINUTE, NOW, OWNER, question, whole, world } from './world.ts';

const INFLATION = { currency: 'USD', indicator: 'inflation' };
const RELEASED = Date.parse('2026-11-12T13:30:00Z');
const DATA = [
  { date: '2026-10-31', val: 3.1, announcement_datetime: RELEASED / 1000 },
  { date: '2026-09-30', val: 3, announcement_datetime: RELEASED / 1000 - 2_592_000 },
];

/** The mirror, and what of it was read that takes all that was ever stored of a series. */
function watched(mirror: Mirror) {
  const read: string[] = [];
  const watching: Mirror = {
    ...mirror,
    snapshot: (work) =>
      mirror.snapshot((reader) =>
        work({
          ...reader,
          timeline: async (series) => {
            read.push('timeline');
            return reader.timeline(series);
          },
          changes: async (series) => {
            read.push('changes');
            return reader.changes(series);
          },
        }),
      ),
  };
  return { watching, read };
}

async function watchedWorld(room?: number) {
  const made = await world();
  const body = { ...INFLATION, unit: '%', frequency: 'Monthly', data: DATA, pagination: whole(DATA.length) };
  await made.take(question('announcements', INFLATION), body, { isAll: true });
  const { watching, read } = watched(made.mirror);
  const source = createMirrorSource({ mirror: watching, labels: LABELS, columns: createColumns(room) });
  const ask = async (asked: Question, context: Pick<AskContext, 'asOf' | 'now' | 'caller'>) => {
    await source.ask(asked, context);
  };
  return { ask, read };
}

const HISTORY = question('announcements', INFLATION, { start_date: '2026-01-01' });
const byClock = (now: number) => ({ caller: KEYED, now, asOf: { at: now, by: 'public' } }) as const;

test('a replay reads all of a series once, for its rows and for its versions', async () => {
  const { ask, read } = await watchedWorld();
  for (let i = 0; i < 5; i += 1) await ask(HISTORY, byClock(RELEASED + i * MINUTE - 2 * MINUTE));
  expect(read).toEqual(['timeline']);
});

test('a replay keeps when a series changed where memory has no room for all of it', async () => {
  const { ask, read } = await watchedWorld(7_000);
  for (let i = 0; i < 5; i += 1) await ask(HISTORY, byClock(RELEASED + i * MINUTE - 2 * MINUTE));
  // Once for the first version, which shows that there is no room.
  expect(read).toEqual(['timeline']);
});

test('nobody reads all of a series who asks about one moment, or for an answer without a version', async () => {
  const { ask, read } = await watchedWorld();
  const asOf = { at: RELEASED, by: 'public' } as const;
  await ask(HISTORY, { caller: OWNER, now: NOW, asOf });
  expect(read).toEqual([]);
  const replayed = await watchedWorld();
  await replayed.ask(question('announcements_latest', { currency: 'USD' }), byClock(RELEASED + DAY));
  expect(replayed.read).toEqual([]);
});
