import { expect, test } from 'vitest';
import { closeGently } from '../../src/platform/listening.ts';
import { get, pairMirror } from './raw-peer.ts';
import { scriptedSource } from './scripted-source.ts';

const KEY = 'X-API-Key: a-key';
/** More than the system takes of an answer that nobody reads. */
const LARGE = { body: { text: 'x'.repeat(12_000_000) } };
const PAGE = get('/v1/calendar/usd', KEY);

/** A server that is closed while somebody has not taken an answer. */
async function closing() {
  const source = scriptedSource();
  source.says(() => LARGE);
  const { clock, serve } = await pairMirror();
  const { app, peer } = await serve({}, { source });
  const [slow, idle] = [await peer(), await peer()];
  for (const one of [slow, idle, slow, idle]) await one.ask(get('/v1/calendar/usd', KEY, 'If-None-Match: *'));
  await idle.ask(PAGE);
  await idle.ask(PAGE);
  slow.socket.pause();
  slow.say(PAGE);
  await idle.ask(get('/v1/calendar/usd', KEY, 'If-None-Match: *'));
  return { slow, idle, clock, closed: closeGently(app, clock) };
}

test('an answer that is being taken when the server closes comes whole', async () => {
  const { slow, idle, closed } = await closing();
  slow.socket.resume();
  expect((await slow.answer()).length).toBeGreaterThan(12_000_000);
  await closed;
  await expect.poll(() => [slow.socket.closed, idle.socket.closed]).toEqual([true, true]);
});

test('nobody who does not read keeps a server from closing', async () => {
  const { slow, clock, closed } = await closing();
  await clock.advance(5_000);
  await closed;
  slow.socket.resume();
  expect((await slow.answer()).length).toBeLessThan(12_000_000);
});
