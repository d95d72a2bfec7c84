import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createBoundedServer, type ServerBounds } from '../../platform/bounded-server.ts';
import { closeGently, listenError } from '../../platform/listening.ts';
import type { Clock } from '../../platform/platform.ts';
import type { HeaderPairs } from './delivery-headers.ts';
import type { Receipt } from './receive.ts';
import type { ReceivedDelivery } from './verify.ts';

/** Bytes of a delivery. */
export const DELIVERY_BYTES = 262_144;

/** What a sender may do to this machine. The sender itself gives up after 15 s. */
const BOUNDS: ServerBounds = {
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
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The one path that takes deliveries. */
  readonly path: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly receive: (delivery: ReceivedDelivery) => Promise<Receipt>;
  /** Other bounds than the usual ones. */
  readonly bounds?: Partial<ServerBounds>;
  /** Told after the sender has its answer. */
  readonly onReceipt: (receipt: Receipt) => void;
  /** A bug of ours; the sender is told to send again. */
  readonly onFault: (error: unknown) => void;
}

export interface RunningReceiver {
  /** Where deliveries are taken. */
  readonly address: string;
  /** Takes no more, gives what is under way some seconds, then cuts what is left. */
  close(): Promise<void>;
}

/** Listens for deliveries. Nothing is parsed here: the body reaches the receiver as the bytes that came. */
export async function startReceiver(options: ListenOptions): Promise<RunningReceiver> {
  const server = createBoundedServer((request, response) => void take(request, response, options), {
    bounds: { ...BOUNDS, ...options.bounds },
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
  const [path] = (request.url ?? '').split('?');
  if (path !== options.path) return say(response, 404, ['not_found', `deliveries are taken at ${options.path}`]);
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    return say(response, 405, ['method_not_allowed', 'deliveries are sent with POST']);
  }
  try {
    const body = await readBody(request);
    if (!body) return tooLarge(response);
    const receipt = await options.receive({ headers: headersOf(request), body });
    if (receipt.status === 503) response.setHeader('Retry-After', '5');
    say(response, receipt.status, receipt.refusal && [receipt.refusal.code, receipt.refusal.detail]);
    options.onReceipt(receipt);
  } catch (error) {
    // Of a sender that went away in the middle there is nothing to tell.
    if (!request.complete) return void request.destroy();
    say(response, 500, ['internal_error', 'the delivery could not be taken']);
    options.onFault(error);
  }
}

/** The exact bytes; undefined when there are more than are taken. */
function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > DELIVERY_BYTES) return resolve(undefined);
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= DELIVERY_BYTES) return;
      request.off('data', take).pause();
      resolve(undefined);
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** What is left of the body is not read: the connection ends with the answer. */
function tooLarge(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  say(response, 413, ['payload_too_large', `a delivery has at most ${DELIVERY_BYTES} bytes`]);
}

/** As they were sent: a header that came twice stands there twice. */
function headersOf({ rawHeaders }: IncomingMessage): HeaderPairs {
  const list: (readonly [string, string])[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) list.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return list;
}

function say(response: ServerResponse, status: number, refusal?: readonly [code: string, detail: string]): void {
  if (!refusal) return void response.writeHead(status).end();
  const [code, detail] = refusal;
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ detail, code, error: code }));
}
