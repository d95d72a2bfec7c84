import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createServer } from '../../src/serve/create.ts';
import type { ServeOptions, ServerParts } from '../../src/serve/options.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror } from '../support/service.ts';
import { LABELS } from './scripted-source.ts';

const DAYS = 60;
const DAY_MS = 86_400_000;

/** A mirror of sixty days of a pair, held whole from a date on, and servers over it that listen. */
export async function pairMirror(from = BEGINNING) {
  const { platform, clock } = testPlatform({ sleeping: 'waits' });
  const mirror = await freshMirror(platform);
  const commit = (first: number) =>
    mirror.commitPage({
      series: { origin: 'https://s.test', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
      nature: 'real',
      access: 'key:1',
      request: 'GET',
      question: 'forex',
      envelope: { text: asJsonText('{"base":"EUR","quote":"USD"}'), inputs: 'all' },
      rows: Array.from({ length: DAYS }, (_, i) => {
        const [date, val] = [dateOf(clock.now() - i * DAY_MS), first + i];
        return { text: asJsonText(`{"date":"${date}","val":${val}}`), value: { date, val } };
      }),
      extent: 'replaces',
      proof: { from, to: dateOf(clock.now()), rows: DAYS },
      at: clock.now(),
    });
  await commit(1);
  const serve = async (options: Partial<ServeOptions> = {}, parts: Partial<ServerParts> = {}) => {
    const app = await createServer({
      source: createMirrorSource({ mirror, labels: LABELS }),
      ...{ mirror, endpoints: ENDPOINTS, platform },
      ...parts,
      options: { labels: LABELS, ...options },
    });
    const port = Number(new URL(await app.listen(0, '127.0.0.1')).port);
    onTestFinished(async () => {
      app.cut();
      await app.close();
    });
    return { app, peer: () => peerOf(port) };
  };
  return { clock, commit, serve };
}

/** A connection that says bytes as they are and gives whole answers, without what differs from run to run. */
export async function peerOf(port: number) {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  let pieces: string[] = [];
  let length = 0;
  let wake = (): void => undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    pieces.push(chunk);
    length += chunk.length;
    wake();
  });
  socket.on('close', () => wake());
  await once(socket, 'connect');
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  /** All that came, once that is so much or no more comes. */
  const come = async (wanted: number): Promise<string> => {
    while (length < wanted && !socket.closed) await more();
    const text = pieces.join('');
    pieces = [text];
    return text;
  };
  const answer = async (): Promise<string> => {
    let head = await come(1);
    while (!head.includes('\r\n\r\n') && !socket.closed) head = await come(length + 1);
    const end = head.indexOf('\r\n\r\n') + 4;
    const whole = end + Number(/^content-length: (\d+)/im.exec(head.slice(0, end))?.[1] ?? 0);
    const text = await come(whole);
    pieces = [text.slice(whole)];
    length = Math.max(0, length - whole);
    return text
      .slice(0, whole)
      .replace(/req_[0-9a-f]{12}/, 'req_')
      .replace(/^Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/m, 'Date:');
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

export function get(url: string, ...headers: readonly string[]): string {
  return [`GET ${url} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n');
}
