import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createBoundedServer, type ServerBounds } from '../../platform/bounded-server.ts';
import { closeGently, listenError } from '../../platform/listening.ts';
import type { Clock } from '../../platform/platform.ts';
import { answerDelivery, deliveryOutlet, headerPairs, type Receiving, sayRefusal } from './answer-delivery.ts';
import { createReceiverShortcut } from './shortcut.ts';

/** Bytes of a delivery. */
export const DELIVERY_BYTES = 262_144;

/** What a sender may do to this machine. The sender itself gives up after 15 s. */
export const RECEIVER_BOUNDS: ServerBounds = {
  headerBytes: 16_384,
  connections: 256,
  pipelined: 32,
  unreadBytes: 1_048_576,
  headersTime: 5_000,
  requestTime: 15_000,
  idle: 5_000,
  silence: 60_000,
};

export interface ListenOptions extends Receiving {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The one path that takes deliveries. */
  readonly path: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Other bounds than the usual ones. */
  readonly bounds?: Partial<ServerBounds>;
}

export interface RunningReceiver {
  /** Where deliveries are taken. */
  readonly address: string;
  /** Takes no more, gives what is under way some seconds, then cuts what is left. */
  close(): Promise<void>;
}

/** Listens for deliveries. Nothing is parsed here: the body reaches the receiver as the bytes that came. */
export async function startReceiver(options: ListenOptions): Promise<RunningReceiver> {
  const server: Server = createBoundedServer(deliveryListener(options), {
    bounds: { ...RECEIVER_BOUNDS, ...options.bounds },
    clock: options.clock,
    shortcut: createReceiverShortcut({
      ...options,
      isTakenAt: (url) => isTakenAt(url, options),
      maxBytes: DELIVERY_BYTES,
      isClosing: () => !server.listening,
    }),
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

type TakingOptions = Receiving & Pick<ListenOptions, 'path'>;

/** Takes deliveries as the parser reads them. */
export function deliveryListener(options: TakingOptions): RequestListener {
  return (request, response) => void take(request, response, options);
}

async function take(request: IncomingMessage, response: ServerResponse, options: TakingOptions): Promise<void> {
  const outlet = deliveryOutlet(response);
  if (!isTakenAt(request.url ?? '', options))
    return sayRefusal(outlet, 404, { code: 'not_found', detail: `deliveries are taken at ${options.path}` });
  if (request.method !== 'POST') return sayRefusal(outlet, 405, WRONG_METHOD, ['Allow', 'POST']);
  // Of a sender that goes away in the middle there is nothing to tell.
  const body = await readBody(request).catch(() => void request.destroy());
  if (body === 'too large') sayRefusal(outlet, 413, TOO_LARGE, ['Connection', 'close']);
  else if (body) await answerDelivery({ headers: headerPairs(request.rawHeaders), body }, outlet, options);
}

function isTakenAt(url: string, { path }: Pick<ListenOptions, 'path'>): boolean {
  return url === path || url.startsWith(`${path}?`);
}

const WRONG_METHOD = { code: 'method_not_allowed', detail: 'deliveries are sent with POST' } as const;

/** What is left of such a body is not read: the connection ends with the answer. */
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
