import { expect, it } from 'vitest';
import { commandThat } from '../support/command-that.ts';
import { event, frame, GDP, INFLATION, NOW, RATE, type StreamWorld, streamWorld } from './stream-world.ts';

const idOf = (text: string): string => JSON.parse(text).event_id;
const held = (world: StreamWorld) =>
  world.held(async ({ journal }) => (await journal.events({ after: 0, limit: 99 })).map(({ id }) => id));
const cursor = (world: StreamWorld) => world.held(async ({ journal }) => (await journal.consumer('desk'))?.position);

/** A command that fails so often, and the events that it was given. */
function desk(failures = 0) {
  const given: string[] = [];
  const run = commandThat((event) => {
    given.push(event);
    return { code: given.length > failures ? 0 : 1, stderr: 'no desk' };
  });
  return { given, run };
}

it('--live-only gives a command what the stream tells as it happens, and keeps in the journal what it leaves out', async () => {
  const { given, run } = desk();
  const world = await streamWorld({ run });
  const running = world.run('stream --live-only --consumer desk --exec ./desk');
  await running.until(() => world.streams.asked === 1);
  const first = await world.streams.request();
  expect(first.url).toContain('live_only=true');
  const line = first.open(frame(INFLATION));
  await running.until(() => given.length === 1);
  line.end();
  await running.until(() => world.err().includes('connecting again'));
  await world.process([INFLATION, GDP]);
  await running.until(() => world.streams.asked === 2);
  // Changes, which are asked when the connection opens, know an event that the stream has still to tell.
  await world.process([RATE]);
  (await world.streams.request()).open(frame(RATE) + frame(RATE));
  await running.until(() => given.length === 2);
  world.interrupt();
  await running.end();
  expect(given.map(idOf)).toEqual([INFLATION, RATE].map(idOf));
  expect(await held(world)).toEqual([INFLATION, GDP, RATE].map(idOf));
  expect(await world.held(({ journal }) => journal.gaps(9))).toEqual([]);
});

it('--live-only takes a cursor over what was missed, and sets aside what waited for another try', async () => {
  const { given, run } = desk(1);
  const world = await streamWorld({ run });
  const first = world.run('stream --consumer desk --exec ./desk');
  await first.until(() => world.streams.asked === 1);
  (await world.streams.request()).open(frame(INFLATION) + frame(GDP));
  await first.until(() => world.err().includes('was not dealt with (try 1)'));
  world.interrupt();
  await first.end();
  const second = world.run('stream --live-only --consumer desk --exec ./desk --max-events 1');
  await second.until(() => world.streams.asked === 2);
  (await world.streams.request()).open(frame(RATE));
  expect(await second.end()).toBe(0);
  expect([given.map(idOf), await cursor(world)]).toEqual([[INFLATION, RATE].map(idOf), 3]);
  expect(await world.held(({ journal }) => journal.failures('desk'))).toMatchObject([
    { position: 1, error: 'exit 1: no desk; too old for another try', nextAt: undefined },
  ]);
});

it('--live-only tells no gap of what it would leave out; the journal and a warning do', async () => {
  const world = await streamWorld();
  const first = world.run('stream --max-events 1');
  await first.until(() => world.streams.asked === 1);
  (await world.streams.request()).open(frame(INFLATION));
  await first.end();
  world.clock.jump(8 * 86_400_000);
  await world.process([event('usd_gdp_1792672000', 1_791_981_002 + 8 * 86_400)]);
  const running = world.run('stream --live-only');
  await running.until(() => world.streams.asked === 2);
  (await world.streams.request()).answer(204);
  expect([await running.end(), running.lines()]).toEqual([0, []]);
  expect(world.err()).toContain('cannot be had any more');
  expect(await world.held(({ journal }) => journal.gaps(9))).toHaveLength(1);
});

it('--max-age-ms leaves out what was processed too long ago, however it comes, and takes the cursor over it', async () => {
  const { given, run } = desk();
  const world = await streamWorld({ run });
  const running = world.run('stream --max-age-ms 60000 --consumer desk --exec ./desk --max-events 1');
  await running.until(() => world.streams.asked === 1);
  const request = await world.streams.request();
  expect(request.url).not.toContain('max_age_ms');
  const now = Math.floor(NOW / 1000);
  const late = event('usd_late_1791980000', now - 61);
  const young = event('usd_young_1791980001', now);
  request.open(frame(late) + frame(young));
  expect(await running.end()).toBe(0);
  expect([given, running.lines()]).toEqual([[young], [young]]);
  expect([await cursor(world), await held(world)]).toEqual([2, [idOf(late), idOf(young)]]);
});

it('--max-age-ms prints nothing that is older', async () => {
  const world = await streamWorld();
  const running = world.run('stream --max-age-ms 60000 --max-events 1');
  await running.until(() => world.streams.asked === 1);
  const young = event('usd_young_1791980001', Math.floor(NOW / 1000));
  (await world.streams.request()).open(frame(event('usd_late_1791980000', Math.floor(NOW / 1000) - 61)) + frame(young));
  expect([await running.end(), running.lines()]).toEqual([0, [young]]);
});

it('--max-age-ms makes no try that would come too late: the event is set aside before', async () => {
  const { given, run } = desk(9);
  const world = await streamWorld({ run });
  const running = world.run('stream --max-age-ms 20000 --consumer desk --exec ./desk');
  await running.until(() => world.streams.asked === 1);
  (await world.streams.request()).open(frame(event('usd_young_1791980001', Math.floor(NOW / 1000))));
  await running.until(() => world.err().includes('set aside'));
  world.interrupt();
  await running.end();
  // A second after the first try is soon enough, five more are too, thirty are not.
  expect(given).toHaveLength(3);
});

it.each([
  ['stream --max-age-ms soon', '--max-age-ms'],
  ['stream --max-age-ms -1', '--max-age-ms'],
])('%s is exit 2', async (line, option) => {
  const world = await streamWorld();
  expect(await world.run(line).end()).toBe(2);
  expect(world.err().split('\n')[0]).toContain(option);
  expect(world.streams.asked).toBe(0);
});

it('without a key says that releases are late for --max-age-ms', async () => {
  const world = await streamWorld({ env: { MACRO_API_KEY: '' } });
  const running = world.run('stream --max-age-ms 60000');
  await running.until(() => world.streams.asked === 1);
  expect(world.err()).toContain('warning: few or none of them are as young as --max-age-ms 60000 wants them by then\n');
});
