import { expect, test } from 'vitest';
import { closeGently } from '../../src/platform/listening.ts';
import { scriptedSource } from './scripted-source.ts';
import { get, pairMirror } from './shortcut-bench.ts';

const KEY = 'X-API-Key: a-key';
/** More than the system takes of an answer that nobody reads. */
const LARGE = { body: { text: 'x'.repeat(12_000_000) } };
const PAGE = get('/v1/calendar/usd', KEY);

/** A server that is closed while somebody has not taken an answer, which it gave by the parser or past it. */
async function closing(way: 'short' | 'whole') {
  const source = scriptedSource();
  source.says(() => LARGE);
  const { clock, serve } = await pairMirror();
  const { app, peer, parsed } = await serve({}, { source, ...(way === 'whole' && { onRequest: () => undefined }) });
  const [slow, idle] = [await peer(), await peer()];
  for (const one of [slow, idle, slow, idle]) await one.ask(get('/v1/calendar/usd', KEY, 'If-None-Match: *'));
  await idle.ask(PAGE);
  await idle.ask(PAGE);
  const before = parsed();
  slow.socket.pause();
  slow.say(PAGE);
  await idle.ask(get('/v1/calendar/usd', KEY, 'If-None-Match: *'));
  const past = 2 - (parsed() - before);
  return { slow, idle, clock, past, closed: closeGently(app, clock) };
}

test.each([
  ['past the parser', 'short', 2],
  ['by the parser', 'whole', 0],
] as const)('an answer %s that is being taken when the server closes comes whole', async (_, way, expected) => {
  const { slow, idle, past, closed } = await closing(way);
  expect(past).toBe(expected);
  slow.socket.resume();
  expect((await slow.answer()).length).toBeGreaterThan(12_000_000);
  await closed;
  await expect.poll(() => [slow.socket.closed, idle.socket.closed]).toEqual([true, true]);
});

test.each(['short', 'whole'] as const)('nobody who does not read keeps a server from closing (%s)', async (way) => {
  const { slow, clock, closed } = await closing(way);
  await clock.advance(5_000);
  await closed;
  slow.socket.resume();
  expect((await slow.answer()).length).toBeLessThan(12_000_000);
});
