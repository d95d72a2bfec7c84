import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closeGently } from '../../src/platform/listening.ts';
import { testPlatform } from '../support/platform.ts';
import { serveScripted } from './scripted-source.ts';

/** More than the system takes of an answer that nobody reads. */
const LARGE = { body: { text: 'x'.repeat(12_000_000) } };
const PAGE = get();
const UNCHANGED = get('If-None-Match: *');

function get(...headers: readonly string[]): string {
  return ['GET /v1/calendar/usd HTTP/1.1', 'Host: 127.0.0.1', 'X-API-Key: a-key', ...headers, '', ''].join('\r\n');
}

/** A connection that says bytes as they are and hears whole answers. */
async function peerOf(address: string) {
  const { port, hostname } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname });
  onTestFinished(() => void socket.destroy());
  socket.setEncoding('latin1').on('error', () => undefined);
  let pieces: string[] = [];
  let wake = (): void => undefined;
  socket.on('data', (chunk: string) => {
    pieces.push(chunk);
    wake();
  });
  socket.on('close', () => wake());
  await once(socket, 'connect');
  /** All that came, once that is so much or no more comes. */
  const heard = async (wanted: number): Promise<string> => {
    while (pieces.reduce((sum, { length }) => sum + length, 0) < wanted && !socket.closed)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    pieces = [pieces.join('')];
    return pieces[0] ?? '';
  };
  const answer = async (): Promise<string> => {
    let head = await heard(1);
    while (!head.includes('\r\n\r\n') && !socket.closed) head = await heard(head.length + 1);
    const end = head.indexOf('\r\n\r\n') + 4;
    const whole = end + Number(/^content-length: (\d+)/im.exec(head.slice(0, end))?.[1] ?? 0);
    const text = await heard(whole);
    pieces = [text.slice(whole)];
    return text.slice(0, whole);
  };
  const say = (bytes: string) => void socket.write(bytes, 'latin1');
  return {
    socket,
    say,
    answer,
    ask(bytes: string) {
      say(bytes);
      return answer();
    },
  };
}

/** A server that is closed while somebody has not taken an answer. */
async function closing() {
  const { platform, clock } = testPlatform({ sleeping: 'waits' });
  const { app, source } = await serveScripted({}, { platform });
  source.says(() => LARGE);
  const address = await app.listen(0, '127.0.0.1');
  onTestFinished(() => app.cut());
  const [slow, idle] = [await peerOf(address), await peerOf(address)];
  for (const one of [slow, idle]) await one.ask(UNCHANGED);
  await idle.ask(PAGE);
  slow.socket.pause();
  slow.say(PAGE);
  await idle.ask(UNCHANGED);
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
