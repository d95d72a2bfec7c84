import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { eventRecorder } from '../../src/events/record.ts';
import { type RunningReceiver, startReceiver } from '../../src/webhooks/receive/listen.ts';
import { receiveDelivery } from '../../src/webhooks/receive/receive.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import { MIDNIGHT, SERVICE } from '../mirror/support.ts';
import { testClock } from '../support/clock.ts';
import { inRounds, LONGEST_MS, type Round } from './rounds.ts';
import { ENGINES, inPlace, openAt } from './world.ts';

const SECRET = 'whsec_1449feda7568be9f1d93e7c6746a26a5498be734c682c1143d41bb74a38b067f';
const NOW_SECONDS = MIDNIGHT / 1000;

interface Delivery {
  readonly id: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

function deliveryOf(id: string, changes: { readonly at?: number; readonly secret?: string } = {}): Delivery {
  const { at = NOW_SECONDS, secret = SECRET } = changes;
  const data = { event_id: id, currency: 'usd', indicator: 'inflation', records_written: 1, timestamp: NOW_SECONDS };
  const latest = { date: '2026-10-31', val: 3.2, announcement_datetime: '2026-11-20T12:30:00Z' };
  const whole = { ...data, release_timestamp: NOW_SECONDS - 2, latest_announcement: latest };
  const about = {
    id,
    event: 'announcement',
    created: NOW_SECONDS,
    subscription_id: 'sub_a',
    delivery_id: `sub_a_${id}`,
  };
  const body = Buffer.from(JSON.stringify({ ...about, data: whole }));
  return {
    id,
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-SVC-Event': 'announcement',
      'X-SVC-Event-ID': id,
      'X-SVC-Delivery-ID': `sub_a_${id}`,
      'X-SVC-Timestamp': String(at),
      'X-SVC-Signature': signDelivery({ timestamp: String(at), eventId: id, body }, secret),
    },
  };
}

/** Deliveries that must never be taken. */
const HOSTILE: Readonly<Record<string, (id: string, round: Round) => Delivery>> = {
  forged: (id) => deliveryOf(id, { secret: 'whsec_of_another' }),
  stale: (id, round) => deliveryOf(id, { at: NOW_SECONDS - 301 - round.below(1e6) }),
  future: (id, round) => deliveryOf(id, { at: NOW_SECONDS + 301 + round.below(1e6) }),
  altered: (id, round) => {
    const good = deliveryOf(id);
    const body = Buffer.from(good.body);
    const at = round.below(body.length);
    body[at] = (body[at] ?? 0) ^ (1 << round.below(8));
    return { ...good, body };
  },
  're-serialised': (id) => {
    const good = deliveryOf(id);
    return { ...good, body: Buffer.from(JSON.stringify(JSON.parse(good.body.toString()), null, 1)) };
  },
  'cut off': (id, round) => {
    const good = deliveryOf(id);
    return { ...good, body: good.body.subarray(0, round.below(good.body.length)) };
  },
  'of another id': (id) => {
    const good = deliveryOf(id);
    return { ...good, headers: { ...good.headers, 'X-SVC-Event-ID': `${id}_other` } };
  },
  'without a header': (id, round) => {
    const good = deliveryOf(id);
    const gone = round.one(['X-SVC-Event-ID', 'X-SVC-Timestamp', 'X-SVC-Signature']);
    return { ...good, headers: Object.fromEntries(Object.entries(good.headers).filter(([name]) => name !== gone)) };
  },
  'with a doubled header': (id, round) => {
    const good = deliveryOf(id);
    const doubled = round.one(['X-SVC-Event-ID', 'X-SVC-Timestamp', 'X-SVC-Signature']);
    return { ...good, headers: { ...good.headers, [doubled]: [String(good.headers[doubled]), 'again'] } };
  },
  'too large': (id) => ({ ...deliveryOf(id), body: Buffer.alloc(300_000, 32) }),
  'signed nonsense': (id, round) => {
    const body = Buffer.from(round.one(BODIES));
    const signature = signDelivery({ timestamp: String(NOW_SECONDS), eventId: id, body }, SECRET);
    return { id, body, headers: { ...deliveryOf(id).headers, 'X-SVC-Signature': signature } };
  },
};

const BODIES = [
  '',
  'null',
  '[]',
  '{',
  '{"id":1}',
  '\ufeff{}',
  `${'['.repeat(100_000)}`,
  '{"__proto__":{"data":1},"constructor":0}',
  '{"data":{"event_id":"\\ud800"}}',
  `{"data":${'9'.repeat(5_000)}}`,
] as const;

it.each(ENGINES.filter(({ isMissing }) => !isMissing))(
  'of true and hostile deliveries to $name exactly the true ones are kept, each once',
  { timeout: LONGEST_MS },
  async (engine) => {
    await inPlace(engine, async (place) => {
      const mirror = await openAt(place);
      const clock = testClock(MIDNIGHT);
      const record = eventRecorder({
        ...{ mirror, clock, service: SERVICE, access: 'key:1', via: 'webhook' },
        named: () => [],
      });
      const faults: unknown[] = [];
      const receiver = await startReceiver({
        ...{ port: 0, host: '127.0.0.1', path: '/webhook', clock: testClock(MIDNIGHT, 'waits') },
        receive: (one) => receiveDelivery(one, { secrets: () => [SECRET], now: () => MIDNIGHT, record }),
        onReceipt: () => undefined,
        onFault: (error) => faults.push(error),
      });
      onTestFinished(() => receiver.close());
      const kept: string[] = [];
      try {
        await inRounds(`hostile deliveries, ${engine.name}`, 25, async (round) => {
          const id = `usd_inflation_${round.number}`;
          const times = 1 + round.below(4);
          const good = Array.from({ length: times }, () => send(receiver, deliveryOf(id), round));
          const bad = Array.from({ length: 3 }, () => {
            const [kind, make] = round.one(
              Object.entries(HOSTILE) as [[string, HostileMaker], ...[string, HostileMaker][]],
            );
            round.count('hostile deliveries');
            return send(receiver, make(id, round), round).then((status) => [kind, status] as const);
          });
          expect(await Promise.all(good)).toEqual(good.map(() => 204));
          for (const [kind, status] of await Promise.all(bad))
            expect([kind, [400, 401, 413].includes(status)]).toEqual([kind, true]);
          kept.push(id);
          round.count('true deliveries', times);
          expect(faults).toEqual([]);
        });
        const found: string[] = [];
        for (let after = 0; ; ) {
          const some = await mirror.journal.events({ after, limit: 500 });
          found.push(...some.map((one) => one.id));
          if (some.length === 0) break;
          after = some.at(-1)?.position ?? after;
        }
        expect(found).toEqual(kept);
      } finally {
        mirror.close();
      }
    });
  },
);

type HostileMaker = (typeof HOSTILE)[string];

/** Posts over a socket of its own, in pieces of any size; gives the status. */
async function send({ address }: RunningReceiver, { headers, body }: Delivery, round: Round): Promise<number> {
  const { hostname, port, pathname } = new URL(address);
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  const head = [
    `POST ${pathname} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Content-Length: ${body.length}`,
    ...lines,
  ];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const piece = round.one([bytes.length, 4096, 97]);
  for (let at = 0; at < bytes.length && socket.writable; at += piece) socket.write(bytes.subarray(at, at + piece));
  await closed;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}
