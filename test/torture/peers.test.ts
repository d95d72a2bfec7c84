import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { startServe } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { inRounds, LONGEST_MS, type Round } from './rounds.ts';

const PATHS = [
  '/v1/ping',
  '/v1/forex/EUR/USD?limit=5',
  '/v1/announcements/USD/inflation?limit=3',
  '/v1/calendar/USD?limit=3',
  '/v1/commodities/gold?limit=4',
  '/v1/nowhere',
  '/v1/forex/EUR/USD?limit=0',
] as const;

/** What peers send that is no request. */
const GARBAGE = [
  'GET / HTTP/9.9\r\n\r\n',
  'POST /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n',
  'GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz',
  '\u0000\u0001\u0002\u0003\r\n\r\n',
  `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${'X-A: b\r\n'.repeat(5_000)}\r\n`,
  'GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n',
  '{"jsonrpc":"2.0"}',
] as const;

it('a server answers peers that dribble, pipeline, leave or talk nonsense as it answers any other', {
  timeout: LONGEST_MS,
}, async () => {
  const { platform } = testPlatform({ sleeping: 'waits' });
  const source = createMirrorSource({ mirror: await sandboxMirror(platform), labels: LABELS });
  const running = await startServe({
    ...{ source, endpoints: ENDPOINTS, platform, port: 0, host: '127.0.0.1' },
    options: { labels: LABELS, quotas: false },
  });
  onTestFinished(() => running.close());
  const port = Number(new URL(running.address).port);
  const expected = new Map<string, Answer>();
  for (const path of PATHS) {
    const [answer] = await exchange(port, [requestOf(path, true)], 1);
    if (answer) expected.set(path, answer);
  }
  expect([...expected.values()].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 422]);
  await inRounds('dribbling and pipelining peers', 30, async (round) => {
    const peers = Array.from({ length: 4 }, () => onePeer(port, expected, round));
    await Promise.all(peers);
  });
});

async function onePeer(port: number, expected: ReadonlyMap<string, Answer>, round: Round): Promise<void> {
  const paths = Array.from({ length: 1 + round.below(20) }, () => round.one(PATHS));
  const bytes = paths.map((path, i) => requestOf(path, i === paths.length - 1)).join('');
  const kind = round.one(['dribbles', 'pipelines', 'leaves', 'talks nonsense']);
  round.count(`peers: ${kind}`);
  if (kind === 'leaves') return leave(port, bytes.slice(0, round.below(bytes.length)));
  if (kind === 'talks nonsense') return leave(port, round.one(GARBAGE));
  const pieces = kind === 'dribbles' ? dribble(bytes, round) : [bytes];
  const answers = await exchange(port, pieces, paths.length);
  expect(answers).toEqual(paths.map((path) => expected.get(path)));
  round.count('answers', answers.length);
}

function requestOf(path: string, isLast: boolean): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'X-API-Key: k',
    `Connection: ${isLast ? 'close' : 'keep-alive'}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function dribble(text: string, round: Round): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = 1 + round.below(12);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends pieces one after the other, and reads so many answers. */
async function exchange(port: number, pieces: readonly string[], count: number): Promise<readonly Answer[]> {
  const socket = connect(port, '127.0.0.1');
  const read = collect(socket);
  await once(socket, 'connect');
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const answers = answersIn(await read);
  expect(answers.length).toBe(count);
  return answers;
}

/** Sends something and goes away without waiting, or hears that it was refused. */
async function leave(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const read = collect(socket);
  await once(socket, 'connect');
  socket.write(text, 'latin1');
  socket.end();
  const answers = answersIn(await read);
  for (const { status } of answers) expect([200, 400, 404, 408, 413, 414, 421, 422, 431, 505]).toContain(status);
}

function collect(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** Answers by their lengths; the id of each request and what counts time are taken out. */
function answersIn(text: string): readonly Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length).replace(/req_[0-9a-zA-Z_-]+/g, 'req');
    answers.push({ status: Number(head.slice(9, 12)), body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
