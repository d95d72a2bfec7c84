import { expect, it } from 'vitest';
import type { StreamMessage } from '../../src/client/stream/messages.ts';
import { receiveStream } from '../../src/events/receive-stream.ts';
import { testClock } from '../support/clock.ts';

const SINCE = Date.parse('2026-11-20T15:00:00Z') / 1000;

/** What a person is told when a connection opens and asking for what was missed brings this. */
async function toldOnOpening(caught: { since: number; missed: number } | undefined) {
  const told: string[] = [];
  async function* opening(): AsyncGenerator<StreamMessage> {
    yield { kind: 'open' };
  }
  const nothing = async () => undefined;
  const catchUp = { run: async () => caught, again: nothing, seen: nothing, silent: nothing };
  const tell = async (sentence: string) => void told.push(sentence);
  await receiveStream(opening(), { record: nothing, catchUp, clock: testClock(0), tell });
  return told;
}

it('says that the stream is connected, since when events are known and what was missed', async () => {
  expect(await toldOnOpening({ since: SINCE, missed: 0 })).toEqual([
    'Connected. All events since 2026-11-20T15:00:00Z are known; nothing was missed.',
  ]);
  expect(await toldOnOpening({ since: SINCE, missed: 1 })).toEqual([
    'Connected. All events since 2026-11-20T15:00:00Z are known; 1 missed event was asked for.',
  ]);
  expect(await toldOnOpening({ since: SINCE, missed: 12 })).toEqual([
    'Connected. All events since 2026-11-20T15:00:00Z are known; 12 missed events were asked for.',
  ]);
  expect(await toldOnOpening(undefined)).toEqual([
    'Connected. Earlier events cannot be fetched now; the program tries again.',
  ]);
});
