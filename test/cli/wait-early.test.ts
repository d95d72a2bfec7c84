import { expect, it } from 'vitest';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import { page } from '../mirror/support.ts';
import { SERVICE_URL } from '../support/service.ts';
import { frame, GDP, INFLATION, NOW, streamWorld } from './stream-world.ts';

const HOUR = 3600;
const SECONDS = Math.floor(NOW / 1000);
const FAR = SECONDS + 44 * HOUR;

/** A service whose calendar has inflation 44 hours from now. */
async function farWorld() {
  const world = await streamWorld();
  const publish = (date: string, val: number, out: number) =>
    world.service.commitPage(
      page([`{"date":"${date}","val":${val},"announcement_datetime":${out}}`], {
        series: { origin: SERVICE_URL, endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' } },
        covered: { from: BEGINNING, to: dateOf(NOW), rows: 1 },
        at: world.clock.now(),
      }),
    );
  await publish('2026-08-31', 3.05, SECONDS - 30 * 24 * HOUR);
  await world.service.commitPage(
    page([`{"calendar_event_id":"cal_1","announcement_datetime":${FAR},"release":"inflation","date":"2026-09-30"}`], {
      series: { origin: SERVICE_URL, endpoint: 'calendar', scope: { currency: 'USD' } },
      covered: { from: 0, to: 253_402_300_799, rows: 1 },
      at: NOW,
    }),
  );
  return { ...world, publish };
}

it('sees a release that comes 44 hours early when the stream tells of it, and asks for nothing until then', async () => {
  const world = await farWorld();
  const running = world.run('wait usd inflation --fields date,val --no-header');
  await running.until(() => world.streams.asked === 1);
  const line = (await world.streams.request()).open(': connected\n\n');
  await running.until(() => world.seen.some((asked) => asked.includes('/changes?payload=compact')));
  const [begun, asked] = [world.clock.now(), world.seen.length];
  line.send(frame(GDP));
  await running.until(() => world.clock.now() > begun + 20_000);
  expect(world.seen.slice(asked)).toEqual([]);
  await world.publish('2026-09-30', 3.2, SECONDS);
  line.send(frame(INFLATION));
  expect(await running.end()).toBe(0);
  expect(running.lines()).toEqual(['2026-09-30\t3.2']);
  expect(world.clock.now() - begun).toBeLessThan(40_000);
});

it('sees one that another program keeps in the mirror, where the service has no stream', async () => {
  const world = await farWorld();
  const running = world.run('wait usd inflation --fields date,val --no-header');
  await running.until(() => world.streams.asked === 1);
  (await world.streams.request()).answer(404);
  await world.publish('2026-09-30', 3.2, SECONDS);
  await world.process([INFLATION]);
  expect(await world.run('announcements changes --live').end()).toBe(0);
  expect(await running.end()).toBe(0);
  expect(running.lines().at(-1)).toBe('2026-09-30\t3.2');
});
