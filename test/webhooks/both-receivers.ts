import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createBoundedServer, type ServerBounds } from '../../src/platform/bounded-server.ts';
import { closeGently } from '../../src/platform/listening.ts';
import type { Receiving } from '../../src/webhooks/receive/answer-delivery.ts';
import { deliveryListener, RECEIVER_BOUNDS, startReceiver } from '../../src/webhooks/receive/listen.ts';
import type { Receipt } from '../../src/webhooks/receive/receive.ts';
import type { ReceivedDelivery } from '../../src/webhooks/receive/verify.ts';
import { testClock } from '../support/clock.ts';
import { countParsed } from '../support/parsed-requests.ts';

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Turns of the loop in which a judge has made up its mind, and those after which a system that owes bytes will not bring them. */
const JUDGED_TURNS = 12;
const OWED_TURNS = 400;

/** Waits until all that was said has been heard, judged and answered on every connection. */
async function settle(peers: readonly BothPeer[]): Promise<void> {
  let before = '';
  for (let still = 0; still < OWED_TURNS; still += 1) {
    await turn();
    const now = peers.flatMap(({ flow }) => flow()).join();
    if (now !== before) still = 0;
    before = now;
    if (still >= JUDGED_TURNS && peers.every(({ flow }) => isEven(flow()))) return;
  }
}

const isEven = ([said, heard, answered, read]: readonly number[]) => said === heard && answered === read;

/** What a receiver was given and what it told, as texts. */
export interface Seen {
  readonly deliveries: string[];
  readonly receipts: unknown[];
  readonly faults: unknown[];
}

export type Judge = (delivery: ReceivedDelivery) => Promise<Receipt>;

function recorded(judge: Judge): { seen: Seen; receiving: Receiving } {
  const seen: Seen = { deliveries: [], receipts: [], faults: [] };
  return {
    seen,
    receiving: {
      receive(delivery) {
        const { headers, body } = delivery;
        seen.deliveries.push(JSON.stringify([headers, Buffer.from(body).toString('latin1')]));
        return judge(delivery);
      },
      onReceipt: (receipt) => seen.receipts.push(receipt),
      onFault: (error) => seen.faults.push(String(error)),
    },
  };
}

/** The receiver, and one all of whose requests the parser reads. */
export async function startBoth(judge: Judge, bounds: Partial<ServerBounds> = {}) {
  const clock = testClock(0, 'waits');
  const [short, plain] = [recorded(judge), recorded(judge)];
  const running = await startReceiver({
    ...short.receiving,
    ...{ port: 0, host: '127.0.0.1', path: '/webhook', clock, bounds },
  });
  onTestFinished(running.close);
  const server = createBoundedServer(deliveryListener({ ...plain.receiving, path: '/webhook' }), {
    bounds: { ...RECEIVER_BOUNDS, ...bounds },
    clock,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ending = {
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
    cut: () => server.closeAllConnections(),
  };
  onTestFinished(ending.cut);
  onTestFinished(() => void server.close());
  const ports = [Number(new URL(running.address).port), (server.address() as AddressInfo).port] as const; // it listens
  const parsed = countParsed(ports[0]);
  const accepted = acceptedSockets();
  return {
    parsed,
    settle,
    close: () => Promise.all([running.close(), closeGently(ending, clock)]),
    seen: [short.seen, plain.seen] as const,
    async peers() {
      return [await peerOf(ports[0], accepted), await peerOf(ports[1], accepted)] as const;
    },
  };
}

/** The servers' ends of connections, by the ports of both ends. */
function acceptedSockets(): ReadonlyMap<string, Socket> {
  const sockets = new Map<string, Socket>();
  const heard = (message: unknown) => {
    const { socket } = message as { socket: Socket }; // as Node documents the channel
    const name = `${socket.localPort} ${socket.remotePort}`;
    sockets.set(name, socket);
    socket.once('close', () => sockets.delete(name));
  };
  channel('net.server.socket').subscribe(heard);
  onTestFinished(() => void channel('net.server.socket').unsubscribe(heard));
  return sockets;
}

/** A connection that says bytes as they are, and keeps what it hears. */
async function peerOf(port: number, accepted: ReadonlyMap<string, Socket>) {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  let heard = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    heard += chunk;
  });
  await once(socket, 'connect');
  const name = `${port} ${socket.localPort}`;
  return {
    socket,
    /** Bytes that were said, that the server read of them, that it wrote, and that were read of those. */
    flow(): readonly number[] {
      const other = accepted.get(name);
      const isOver = other === undefined || other.destroyed;
      const { bytesWritten, bytesRead } = socket;
      return isOver ? [0, 0, Number(socket.closed), 1] : [bytesWritten, other.bytesRead, other.bytesWritten, bytesRead];
    },
    say(bytes: string) {
      if (socket.writable) socket.write(bytes, 'latin1');
    },
    /** All that it heard, without what differs from second to second, whether it may go on, and how long it may be silent. */
    heard: () => ({
      timeout: accepted.get(name)?.timeout,
      text: heard.replace(/^Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r$/gm, 'Date:\r'),
      isOpen: socket.writable && !socket.readableEnded,
    }),
  };
}

export type Both = Awaited<ReturnType<typeof startBoth>>;
export type BothPeer = Awaited<ReturnType<typeof peerOf>>;

export const BODY = '{"id":"usd_inflation_1791981000"}';

/** Headers of a delivery with this body, but for its length. */
export const DELIVERY_LINES = [
  'Host: 127.0.0.1',
  'Content-Type: application/json',
  'X-SVC-Event-ID: usd_inflation_1791981000',
  'X-SVC-Timestamp: 1791981003',
  `X-SVC-Signature: v1=${'5d'.repeat(32)}`,
] as const;

/** A post of lines of a head and a body, with its length unless a line says one. */
export function post(lines: readonly string[], body = BODY, begin = 'POST /webhook HTTP/1.1'): string {
  return [begin, ...lines, `Content-Length: ${body.length}`, '', body].join('\r\n');
}
