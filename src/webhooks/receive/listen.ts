import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createBoundedServer, type ServerBounds } from '../../platform/bounded-server.ts';
import { closeGently, listenError } from '../../platform/listening.ts';
import type { Clock } from '../../platform/platform.ts';
import type { HeaderPairs } from './delivery-headers.ts';
import type { Receipt } from './receive.ts';
import type { ReceivedDelivery } from './verify.ts';

/** Bytes of a delivery. */
export const DELIVERY_BYTES = 262_144;

/** The limits of a sender on this machine. The sender itself gives up after 15 s. */
const RECEIVER_BOUNDS: ServerBounds = {
  headerBytes: 16_384,
  connections: 256,
  pipelined: 32,
  unreadBytes: 1_048_576,
  headersTime: 5_000,
  requestTime: 15_000,
  idle: 5_000,
  silence: 60_000,
};

export interface ListenOptions {
  readonly receive: (delivery: ReceivedDelivery) => Promise<Receipt>;
  /** Called after the sender has its answer. */
  readonly onReceipt: (receipt: Receipt) => void;
  /** A bug of ours; the sender should send again. */
  readonly onFault: (error: unknown) => void;
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The one path that takes deliveries. */
  readonly path: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Other bounds than the default ones. */
  readonly bounds?: Partial<ServerBounds>;
}

export interface RunningReceiver {
  /** Where deliveries are taken. */
  readonly address: string;
  /** Takes no more deliveries, gives open ones some seconds, then closes their connections. */
  close(): Promise<void>;
}

/** Listens for deliveries. Nothing is parsed here: the body reaches the receiver as the bytes that came. */
export async function startReceiver(options: ListenOptions): Promise<RunningReceiver> {
  const server = createBoundedServer((request, response) => void take(request, response, options), {
    bounds: { ...RECEIVER_BOUNDS, ...options.bounds },
    clock: options.clock,
  });
  const port = await listen(server, options);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const ending = { close: () => closed(server), cut: () => server.closeAllConnections() };
  return { address: `http://${host}:${port}${options.path}`, close: () => closeGently(ending, options.clock) };
}

function listen(server: Server, { port, host }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port, host)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function take(request: IncomingMessage, response: ServerResponse, options: ListenOptions): Promise<void> {
  const { url = '' } = request;
  const isTakenHere = url === options.path || url.startsWith(`${options.path}?`);
  if (!isTakenHere)
    return sayRefusal(response, 404, { code: 'not_found', detail: `deliveries are taken at ${options.path}` });
  if (request.method !== 'POST') return sayRefusal(response, 405, WRONG_METHOD, ['Allow', 'POST']);
  // If a sender goes away in the middle, nobody is left to answer.
  const body = await readBody(request).catch(() => void request.destroy());
  if (body === 'too large') sayRefusal(response, 413, TOO_LARGE, ['Connection', 'close']);
  else if (body) await answerDelivery({ headers: headerPairs(request.rawHeaders), body }, response, options);
}

const WRONG_METHOD = { code: 'method_not_allowed', detail: 'deliveries are sent with POST' } as const;

/** The rest of such a body is not read: the connection ends with the answer. */
const TOO_LARGE = { code: 'payload_too_large', detail: `a delivery has at most ${DELIVERY_BYTES} bytes` } as const;

/** The exact bytes, unless there are more than are taken. */
function readBody(request: IncomingMessage): Promise<Uint8Array | 'too large'> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > DELIVERY_BYTES) return resolve('too large');
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= DELIVERY_BYTES) return;
      request.off('data', take).pause();
      resolve('too large');
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** Takes a whole delivery and answers it. */
async function answerDelivery(
  delivery: ReceivedDelivery,
  response: ServerResponse,
  { receive, onReceipt, onFault }: ListenOptions,
): Promise<void> {
  let receipt: Receipt;
  try {
    receipt = await receive(delivery);
  } catch (error) {
    sayRefusal(response, 500, { code: 'internal_error', detail: 'the delivery could not be taken' });
    return onFault(error);
  }
  const { status, refusal } = receipt;
  if (refusal) sayRefusal(response, status, refusal, status === 503 ? ['Retry-After', '5'] : []);
  else response.writeHead(status).end();
  onReceipt(receipt);
}

/** Says why something was not taken. */
function sayRefusal(
  response: ServerResponse,
  status: number,
  { code, detail }: NonNullable<Receipt['refusal']>,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify({ detail, code, error: code });
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [...headers, 'Content-Type', 'application/json', 'Content-Length', length]).end(body);
}

/** Headers as they were sent, from names and values in turn: a repeated header stays repeated. */
function headerPairs(list: readonly string[]): HeaderPairs {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i < list.length; i += 2) pairs.push([list[i] ?? '', list[i + 1] ?? '']);
  return pairs;
}
