import { expect, test } from 'vitest';
import type { ServerBounds } from '../../src/platform/bounded-server.ts';
import type { Receipt } from '../../src/webhooks/receive/receive.ts';
import { BODY, DELIVERY_LINES, type Judge, post, startBoth } from './both-receivers.ts';

const taken = async (): Promise<Receipt> => ({ status: 204 });
const DELIVERY = post(DELIVERY_LINES);

/** Both receivers, each with a connection on which the usual spelling is known. */
async function known(judge: Judge = taken, bounds: Partial<ServerBounds> = {}) {
  const both = await startBoth(judge, bounds);
  const peers = await both.peers();
  const settle = () => both.settle(peers);
  const say = async (bytes: string) => {
    for (const peer of peers) peer.say(bytes);
    await settle();
  };
  await say(DELIVERY);
  await say(DELIVERY);
  const before = both.parsed();
  const [short, plain] = peers;
  return {
    ...both,
    say,
    peers,
    settle,
    more: both.peers,
    settleOf: both.settle,
    /** How many were read by the parser since. */
    parsedSince: () => both.parsed() - before,
    compare() {
      expect(short.heard()).toEqual(plain.heard());
      expect(both.seen[0]).toEqual(both.seen[1]);
      return short.heard();
    },
  };
}

const statusesIn = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);

/** The usual lines with some changed or, where undefined, left out; further ones stand behind them. */
function changed(changes: Readonly<Record<string, string | undefined>>, ...more: readonly string[]): readonly string[] {
  const lines = DELIVERY_LINES.flatMap((line) => {
    const name = line.slice(0, line.indexOf(':'));
    return name in changes ? (changes[name] ?? []) : [line];
  });
  return [...lines, ...more];
}

test.each([
  ['the same delivery', DELIVERY],
  ['another body', post(DELIVERY_LINES, '{"id":"other","text":"longer"}')],
  ['a body of any bytes', post(DELIVERY_LINES, '\r\n\r\nPOST /webhook HTTP/1.1\r\n\u0000\u00ff')],
  ['a large body', post(DELIVERY_LINES, 'x'.repeat(20_000))],
  ['another signature', post(changed({ 'X-SVC-Signature': `X-SVC-Signature: v1=${'0a'.repeat(32)},v1=odd` }))],
  ['another event', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: eur_gdp_1' }))],
  ['a query', DELIVERY.replace('/webhook', '/webhook?tenant=1')],
])('%s goes past the parser, and is judged and answered as it is with it', async (_, bytes) => {
  const { say, compare, parsedSince } = await known();
  await say(bytes);
  await say(bytes);
  const { text } = compare();
  expect([text.split('HTTP/1.1 204 No Content').length - 1, parsedSince()]).toEqual([4, 0]);
});

const TE = 'Transfer-Encoding: chunked';

test.each([
  ['an empty value', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: ' }))],
  ['a value behind two spaces', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID:  usd' }))],
  ['a value behind no space', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID:usd' }))],
  ['a value with a space behind it', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: usd ' }))],
  ['a value with a tab', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: us\td' }))],
  ['a value of other bytes', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: us\u00e4' }))],
  ['a space before the colon', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID : usd' }))],
  ['a folded value', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: usd\r\n x' }))],
  ['a bare line feed', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: usd\nX-Odd: 1' }))],
  ['a bare carriage return', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: usd\rX-Odd: 1' }))],
  ['a NUL', post(changed({ 'X-SVC-Event-ID': 'X-SVC-Event-ID: usd\u0000' }))],
  ['a name in another case', post(changed({ 'X-SVC-Event-ID': 'x-svc-event-id: usd' }))],
  ['a doubled header', post(changed({}, 'X-SVC-Timestamp: 1'))],
  ['another order', post(DELIVERY_LINES.toReversed())],
  ['another host', post(changed({ Host: 'Host: elsewhere' }))],
  ['no host', post(changed({ Host: undefined }))],
  ['two hosts', post(changed({}, 'Host: 127.0.0.1'))],
  ['no length', post(DELIVERY_LINES).replace(/\r\nContent-Length: \d+/, '')],
  ['two equal lengths', post(changed({}, `Content-Length: ${BODY.length}`))],
  ['two lengths', post(changed({}, 'Content-Length: 1'))],
  ['a length with a zero before it', DELIVERY.replace('Length: ', 'Length: 0')],
  ['a length with a sign', DELIVERY.replace('Length: ', 'Length: +')],
  ['a length in hexadecimal', DELIVERY.replace(/Length: \d+/, 'Length: 0x21')],
  ['a list of lengths', DELIVERY.replace(/Length: (\d+)/, 'Length: $1,$1')],
  ['a body of chunks', post([...DELIVERY_LINES, TE], '1\r\n{\r\n0\r\n\r\n').replace(/\r\nContent-Length: \d+/, '')],
  ['a body of chunks with a length', post([...DELIVERY_LINES, TE], '1\r\n{\r\n0\r\n\r\n')],
  ['an expectation', post(changed({}, 'Expect: 100-continue'))],
  ['a connection that ends', post(changed({}, 'Connection: close'))],
  ['an upgrade', post(changed({}, 'Connection: Upgrade', 'Upgrade: h2c'))],
  ['the older version', post(DELIVERY_LINES, BODY, 'POST /webhook HTTP/1.0')],
  ['another verb', post(DELIVERY_LINES, BODY, 'PUT /webhook HTTP/1.1')],
  ['another path', post(DELIVERY_LINES, BODY, 'POST /elsewhere HTTP/1.1')],
  ['a whole address', post(DELIVERY_LINES, BODY, 'POST http://127.0.0.1/webhook HTTP/1.1')],
  ['an encoded path', post(DELIVERY_LINES, BODY, 'POST /%77ebhook HTTP/1.1')],
  ['a blank line before it', `\r\n${DELIVERY}`],
  ['a body that is too large', post(DELIVERY_LINES, 'x'.repeat(262_145))],
  ['a head that is too large', post(changed({}, `X-Odd: ${'y'.repeat(20_000)}`))],
  ['half of a body', DELIVERY.slice(0, -5)],
  ['a body and a byte', `${DELIVERY}x`],
  ['two deliveries', DELIVERY.repeat(2)],
  ['a delivery and half of another', `${DELIVERY}${DELIVERY.slice(0, 40)}`],
])('%s is left to the parser', async (_, bytes) => {
  const { say, compare, parsedSince, peers, settle, more, settleOf } = await known();
  await say(bytes);
  const early = parsedSince();
  const broken = compare().text.includes('HTTP/1.1 4');
  // Nor is it taken for a known one later.
  for (let i = 0; i < 3; i += 1) await say(bytes);
  compare();
  const others = await more();
  for (const one of [DELIVERY, DELIVERY, bytes]) {
    for (const other of others) other.say(one);
    await settleOf(others);
  }
  expect(others[0].heard()).toEqual(others[1].heard());
  // Whatever was odd is behind it: the answers do not get out of step.
  await say(DELIVERY);
  compare();
  expect(early + Number(broken)).toBeGreaterThan(0);
  for (const { socket } of peers) socket.end();
  await settle();
  compare();
});

test('a delivery in two pieces is the parser’s, wherever it is cut', async () => {
  const { say, compare, parsedSince, peers, settle } = await known();
  for (let at = 1; at < DELIVERY.length; at += 1) {
    for (const peer of peers) peer.say(DELIVERY.slice(0, at));
    await settle();
    await say(DELIVERY.slice(at));
  }
  compare();
  expect(parsedSince()).toBe(DELIVERY.length - 1);
});

test.each([
  ['a header', `POST /webhook HTTP/1.1\r\nHost: x\r\nX-Odd: `],
  ['a body', `POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: ${DELIVERY.length}\r\n\r\n`],
  ['a chunk', `POST /webhook HTTP/1.1\r\nHost: x\r\n${TE}\r\n\r\n${DELIVERY.length.toString(16)}\r\n`],
])('what looks like a known delivery within %s is a part of it', async (_, before) => {
  const { say, compare, parsedSince } = await known();
  await say(before);
  await say(DELIVERY);
  await say('\r\n0\r\n\r\n');
  await say(DELIVERY);
  compare();
  expect(parsedSince()).toBeGreaterThan(0);
});

test('refusals, and bugs of ours, are told as they are with the parser', async () => {
  const refusal = { code: 'mirror_locked', detail: 'it is l\u00f6cked' };
  const outcomes: (Receipt | Error)[] = [
    { status: 204, event: '{}' as Receipt['event'] & string },
    { status: 400, refusal },
    { status: 401, refusal },
    { status: 503, refusal },
    new TypeError('a bug'),
  ];
  const { say, compare, parsedSince, seen } = await known(async ({ body }) => {
    const outcome = outcomes[Number(Buffer.from(body).toString())] ?? { status: 204 as const };
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  for (let i = 0; i < outcomes.length; i += 1) await say(post(DELIVERY_LINES, String(i)));
  const { text } = compare();
  expect([statusesIn(text).slice(2), parsedSince()]).toEqual([['204', '400', '401', '503', '500'], 0]);
  expect(seen[0].faults).toEqual(['TypeError: a bug']);
});

/** A judge that answers when the test says so, one delivery after the other. */
function onDemand() {
  const waiting: ((receipt: Receipt) => void)[] = [];
  return {
    judge: () => new Promise<Receipt>((resolve) => waiting.push(resolve)),
    waiting,
    /** One of each receiver. */
    release: () => {
      for (const resolve of waiting.splice(0)) resolve({ status: 204 });
    },
  };
}

async function knownOnDemand(bounds: Partial<ServerBounds> = {}) {
  const { judge, waiting, release } = onDemand();
  let isFree = true;
  const both = await known(() => (isFree ? taken() : judge()), bounds);
  isFree = false;
  return { ...both, waiting, release };
}

test('what comes while a delivery is judged is answered behind it', async () => {
  const { say, compare, release, waiting, parsedSince, settle } = await knownOnDemand();
  await say(DELIVERY);
  await say(`${DELIVERY}GET /webhook HTTP/1.1\r\nHost: x\r\n\r\nno HTTP\r\n\r\n`);
  expect([compare().text.split('HTTP/1.1').length - 1, waiting.length]).toEqual([2, 2]);
  release();
  await settle();
  expect([compare().text.split('HTTP/1.1').length - 1, waiting.length]).toEqual([3, 2]);
  release();
  await settle();
  const { text, isOpen } = compare();
  expect([statusesIn(text).slice(2), isOpen, parsedSince()]).toEqual([['204', '204', '405', '400'], false, 2]);
});

test.each([
  ['ends its side', (socket: { end(): unknown }) => socket.end()],
  ['is gone', (socket: { destroy(): unknown }) => socket.destroy()],
  ['resets', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
] as const)('a sender that %s while its delivery is judged is told nothing, and others are', async (_, leave) => {
  const { say, compare, release, peers, parsedSince, seen, settle } = await knownOnDemand();
  await say(DELIVERY);
  for (const { socket } of peers) leave(socket as never);
  await settle();
  release();
  await settle();
  compare();
  expect([seen[0].receipts.length, parsedSince()]).toEqual([3, 0]);
});

test('a receiver that stops answers what is being judged, and then ends the connection', async () => {
  const { say, compare, release, close, peers, parsedSince, settle } = await knownOnDemand();
  await say(DELIVERY);
  const closing = close();
  await settle();
  expect(compare().isOpen).toBe(true);
  release();
  await closing;
  await settle();
  const { text, isOpen } = compare();
  expect([statusesIn(text), isOpen, parsedSince()]).toEqual([['204', '204', '204'], false, 0]);
  expect(peers.map(({ socket }) => socket.destroyed)).toEqual([true, true]);
});

test('a receiver that stops answers what came while it judged, too', async () => {
  const { say, compare, release, close, settle, seen } = await knownOnDemand();
  await say(DELIVERY);
  await say(DELIVERY);
  const closing = close();
  await settle();
  release();
  await settle();
  release();
  await closing;
  await settle();
  const { text, isOpen } = compare();
  expect([statusesIn(text), isOpen, seen[0].receipts.length]).toEqual([['204', '204', '204', '204'], false, 4]);
});

test('a sender whose delivery is judged is not cut for a newcomer', async () => {
  const { say, compare, release, settle, more, parsedSince } = await knownOnDemand({ connections: 1 });
  await say(DELIVERY);
  const late = await more();
  await settle();
  expect(late.map((one) => one.heard().isOpen)).toEqual([false, false]);
  release();
  await settle();
  expect([compare().isOpen, parsedSince()]).toEqual([true, 0]);
});

test('a delivery whose judgement lasts has the time of any other, and the connection is idle after it', async () => {
  const { say, compare, release, settle } = await knownOnDemand();
  const idle = compare().timeout;
  await say(DELIVERY);
  expect(compare().timeout).toBe(60_000);
  release();
  await settle();
  expect(compare().timeout).toBe(idle);
});
