import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DELIVERY_BYTES, type ListenOptions, startReceiver } from '../../src/webhooks/receive/listen.ts';
import type { ReceivedDelivery } from '../../src/webhooks/receive/verify.ts';
import { testClock } from '../support/clock.ts';

/** A receiver on a free port of this machine. */
async function start(changes: Partial<ListenOptions> = {}) {
  const taken: ReceivedDelivery[] = [];
  const faults: unknown[] = [];
  const { address, close } = await startReceiver({
    port: 0,
    host: '127.0.0.1',
    path: '/webhook',
    clock: testClock(0, 'waits'),
    async receive(delivery) {
      taken.push(delivery);
      return { status: 204 };
    },
    onReceipt: () => undefined,
    onFault: (error) => faults.push(error),
    ...changes,
  });
  onTestFinished(close);
  return { address, taken, faults };
}

const post = (address: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', body: Buffer.from(body), headers });

describe('the receiver', () => {
  it('hands on the exact bytes and every header, and answers 204', async () => {
    const { address, taken } = await start();
    const body = Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x0a);
    const reply = await post(address, body, { 'X-Svc-Event': 'announcement' });
    expect([reply.status, await reply.text()]).toEqual([204, '']);
    expect(taken.map((one) => Buffer.from(one.body))).toEqual([Buffer.from(body)]);
    expect(taken[0]?.headers).toContainEqual(['X-Svc-Event', 'announcement']);
  });

  it('says why a delivery was not taken, and when it may be sent again', async () => {
    const refusal = { code: 'mirror_locked', detail: 'it is locked' };
    const { address } = await start({ receive: async () => ({ status: 503, refusal }) });
    const reply = await post(address, '{}');
    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      503,
      '5',
      { detail: 'it is locked', code: 'mirror_locked', error: 'mirror_locked' },
    ]);
  });

  it('takes nothing elsewhere, and nothing but a POST', async () => {
    const { address, taken } = await start();
    const wrong = await post(`${address}/more`, '{}');
    const read = await fetch(address);
    expect([wrong.status, read.status, read.headers.get('allow')]).toEqual([404, 405, 'POST']);
    expect(taken).toEqual([]);
  });

  it('refuses a body that says it is too large before any of it is read', async () => {
    const { address, taken } = await start();
    const sending = request(address, { method: 'POST', headers: { 'content-length': DELIVERY_BYTES + 1 } });
    sending.flushHeaders();
    const reply = await answerTo(sending);
    expect([reply.status, reply.code]).toEqual([413, 'payload_too_large']);
    expect(taken).toEqual([]);
  });

  it('refuses a body without a length as soon as it is too large, and takes one of exactly the limit', async () => {
    const { address, taken } = await start();
    const sending = request(address, { method: 'POST' });
    sending.write(Buffer.alloc(DELIVERY_BYTES + 1));
    expect(await answerTo(sending)).toEqual({ status: 413, code: 'payload_too_large' });
    expect((await post(address, Buffer.alloc(DELIVERY_BYTES))).status).toBe(204);
    expect(taken.map(({ body }) => body.length)).toEqual([DELIVERY_BYTES]);
  });

  it('answers 500 when it meets a bug of ours, tells it, and goes on', async () => {
    const bug = new TypeError('a bug');
    const { address, faults } = await start({ receive: () => Promise.reject(bug) });
    expect([(await post(address, '{}')).status, (await post(address, '{}')).status]).toEqual([500, 500]);
    expect(faults).toEqual([bug, bug]);
  });

  it('takes nothing from a sender that goes away in the middle of its body', async () => {
    const { address, taken, faults } = await start();
    const { port, hostname } = new URL(address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.end('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{}');
    socket.resume();
    await once(socket, 'close');
    expect((await post(address, '{}')).status).toBe(204);
    expect([taken.length, faults]).toEqual([1, []]);
  });

  it('lets the sender go that it has waited for longest, when others come', async () => {
    const { address } = await start({ bounds: { connections: 1 } });
    const { port, hostname } = new URL(address);
    const slow = connect(Number(port), hostname);
    onTestFinished(() => void slow.destroy());
    await once(slow, 'connect');
    slow.write('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    slow.on('error', () => undefined);
    const ended = new Promise((resolve) => slow.resume().once('close', resolve));
    expect((await post(address, '{}')).status).toBe(204);
    await ended;
  });

  it('says which port is taken', async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    await expect(start({ port })).rejects.toMatchObject({
      kind: 'usage',
      message: `Port ${port} of 127.0.0.1 is taken by another program.`,
    });
  });
});

/** Status and code of the answer to a request that is not finished. */
async function answerTo(sending: ReturnType<typeof request>): Promise<{ status: number | undefined; code: unknown }> {
  sending.on('error', () => undefined);
  const [reply] = (await once(sending, 'response')) as [IncomingMessage]; // what a request's response event carries
  return { status: reply.statusCode, code: JSON.parse(await text(reply)).code };
}
