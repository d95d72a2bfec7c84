import { expect, it } from 'vitest';
import { settle } from '../support/clock.ts';
import { commandThat } from '../support/command-that.ts';
import type { StreamRequest } from '../support/event-stream.ts';
import { seededRandom } from '../support/platform.ts';
import { event, frame, type StreamWorld, streamWorld } from './stream-world.ts';

const CONNECTIONS = 1000;
const FAULTS = ['refused', 'unavailable', 'half-open', 'ends', 'breaks', 'cut', 'stalls'] as const;

/** A service that processes releases all the time and whose stream is as bad as can be. */
function badService(world: StreamWorld) {
  const { number } = seededRandom(11);
  const below = (count: number) => Math.floor(number() * count);
  const journal: string[] = [];

  /** Processes some releases; each may be told in the stream or not. */
  async function release(most: number): Promise<readonly string[]> {
    const now = Math.floor(world.clock.now() / 1000);
    const fresh = Array.from({ length: below(most + 1) }, (_, i) =>
      event(`usd_series_${journal.length + i}_${now}`, now, journal.length + i),
    );
    if (fresh.length > 0) await world.process(fresh);
    journal.push(...fresh);
    return fresh.filter(() => number() < 0.7);
  }

  /** What a stream replays behind an id; now and then it cannot. */
  function replay({ headers }: StreamRequest): string {
    const lastId = headers.get('last-event-id');
    if (lastId === null) return '';
    const at = journal.findIndex((text) => JSON.parse(text).event_id === lastId);
    if (at < 0 || number() < 0.2) return 'event: gap\ndata: {"reason":"last_event_id_unknown"}\n\n';
    // Some are told twice.
    return journal
      .slice(Math.max(0, at - below(3)))
      .map(frame)
      .join('');
  }

  async function answer(request: StreamRequest, fault: (typeof FAULTS)[number]): Promise<void> {
    if (fault === 'refused') return request.fail(new TypeError('fetch failed'));
    if (fault === 'unavailable') return request.answer(503);
    if (fault === 'half-open') return;
    const line = request.open(`: connected\n\n${replay(request)}`);
    for (const text of await release(2)) line.send(frame(text));
    await settle();
    if (fault === 'ends') line.end();
    if (fault === 'breaks') line.break();
    if (fault !== 'cut') return;
    const [text = frame(event(`usd_series_${journal.length}_1`, 1))] = (await release(1)).map(frame);
    line.send(text.slice(0, below(text.length)));
    await settle();
    line.break();
  }

  return { journal, release, answer, fault: () => FAULTS[below(FAULTS.length)] ?? 'ends' };
}

it('a thousand lost connections lose no event and give none twice to a command', { timeout: 180_000 }, async () => {
  const given: string[] = [];
  const run = commandThat((event) => {
    given.push(event);
    return {};
  });
  const world = await streamWorld({ run });
  const service = badService(world);
  const running = world.run('stream --exec ./desk --quiet');
  await running.until(() => world.streams.asked === 1);
  for (let connection = 1; connection <= CONNECTIONS; connection += 1) {
    const request = await world.streams.request();
    await service.answer(request, connection === 1 ? 'ends' : service.fault());
    for (let second = 0; world.streams.asked === connection; second += 1) {
      if (second % 40 === 20) await service.release(1);
      await world.clock.advance(1000);
    }
  }
  (await world.streams.request()).open(': connected\n\n');
  await running.until(() => given.length >= service.journal.length);
  world.interrupt('SIGTERM');
  expect(await running.end()).toBe(143);
  expect(given.toSorted()).toEqual(service.journal.toSorted());
  expect(running.lines()).toEqual(given);
  expect(service.journal.length).toBeGreaterThan(900);
});
