import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What befalls a connection: it is refused; is cut, or ends, in the middle of an event; takes everything and hands on nothing,
 * until it is cut (half-open), or for as long as its client waits (silent); or holds everything back, hands it on late and
 * ends (stalls).
 */
export type Fault = 'refused' | 'cut' | 'ends' | 'half-open' | 'silent' | 'stalls';

export interface Plan {
  readonly fault: Fault;
  /** Events behind the beginning of the answer that are handed on before it happens; -1 for none of the beginning either. */
  readonly after: number;
  /** Where in the bytes that it befalls, from 0 to 1. */
  readonly at: number;
}

export interface ProxyParts {
  /** Origin of the server. */
  readonly upstream: string;
  /** What befalls the next connection; undefined for nothing. */
  plan(): Plan | undefined;
  /** The first bytes of an answer have been handed on, or a fault waits for more of them. */
  wantsMore(): void;
}

/** Bytes that a connection may be owed. */
const MOST = 1024 * 1024;

/** A proxy of this machine between a client and a server, with a will of its own; closed with the test. Gives its origin. */
export async function startUnrulyProxy(parts: ProxyParts): Promise<string> {
  const { hostname, port } = new URL(parts.upstream);
  const server = createServer((client) => {
    const plan = parts.plan();
    if (plan?.fault === 'refused') return void client.resetAndDestroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', handingOn({ client, upstream, plan, wantsMore: parts.wantsMore }));
  });
  return listening(server);
}

interface Line extends Pick<ProxyParts, 'wantsMore'> {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly plan: Plan | undefined;
}

/** Takes what the server sends. */
function handingOn({ client, upstream, plan, wantsMore }: Line): (bytes: Buffer) => void {
  let events = 0;
  let held: Buffer | undefined;
  let isFirst = true;

  function strike(bytes: Buffer, { fault, at }: Plan): void {
    if (fault === 'cut' || fault === 'ends') {
      client.write(bytes.subarray(0, Math.floor(bytes.length * at)));
      if (fault === 'ends') client.end(() => upstream.destroy());
      else client.resetAndDestroy();
      return;
    }
    held = bytes;
    wantsMore();
  }

  /** More came while the fault lasts. */
  function goOn(bytes: Buffer, { fault }: Plan, before: Buffer): void {
    if (before.length + bytes.length > MOST) return void client.resetAndDestroy();
    held = Buffer.concat([before, bytes]);
    if (eventsIn(bytes) === 0 || fault === 'silent') return;
    if (fault === 'stalls') client.end(held, () => upstream.destroy());
    else client.resetAndDestroy();
  }

  return (bytes) => {
    if (plan && held) return goOn(bytes, plan, held);
    if (!isFirst) events += eventsIn(bytes);
    if (plan && (events > plan.after || plan.after < 0)) return strike(bytes, plan);
    client.write(bytes);
    if (isFirst) wantsMore();
    isFirst = false;
  };
}

const eventsIn = (bytes: Buffer): number => bytes.toString('latin1').split('event: announcement').length - 1;

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port');
  return `http://127.0.0.1:${address.port}`;
}
