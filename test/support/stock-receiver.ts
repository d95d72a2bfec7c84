import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * A receiver as anybody would write one who has nothing but the specification, "Webhook delivery": it shares no code with the
 * program. The prefix of the headers is the service's own.
 */
export interface StockReceiver {
  readonly url: string;
  /** How often each event was taken, by its id; a repeated one is answered 200 and not processed again. */
  readonly taken: ReadonlyMap<string, number>;
  /** Bodies by event id: every attempt has the same bytes. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why something was not taken. */
  readonly refused: readonly string[];
  /** Resolves once so many different events were taken. */
  until(events: number): Promise<void>;
}

export interface StockOptions {
  readonly secret: () => string;
  /** Called before a delivery is answered. */
  readonly beforeAnswer?: (taken: number) => Promise<void> | void;
}

const PREFIX = 'x-svc';

export async function stockReceiver({ secret, beforeAnswer }: StockOptions): Promise<StockReceiver> {
  const taken = new Map<string, number>();
  const bodies = new Map<string, Set<string>>();
  const refused: string[] = [];
  const waiting: { readonly events: number; readonly done: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const raw = await readRaw(request);
    const problem = request.method === 'POST' ? judge(request, raw, secret()) : 'not a POST';
    if (problem !== undefined) {
      refused.push(problem);
      response.writeHead(400).end();
      return;
    }
    const { id } = JSON.parse(raw.toString('utf8'));
    taken.set(id, (taken.get(id) ?? 0) + 1);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(raw.toString('latin1')));
    for (const { events, done } of waiting) if (taken.size >= events) done();
    await beforeAnswer?.(taken.size);
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/in`,
    ...{ taken, bodies, refused },
    until: (events) =>
      new Promise((done) => {
        if (taken.size >= events) done();
        else waiting.push({ events, done });
      }),
  };
}

async function readRaw(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What is wrong with a delivery; undefined when it is good. */
function judge({ headers }: IncomingMessage, raw: Buffer, secret: string): string | undefined {
  const header = (name: string) => String(headers[`${PREFIX}-${name}`] ?? '');
  const timestamp = header('timestamp');
  if (!/^\d+$/.test(timestamp)) return 'no timestamp';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return 'stale';
  const message = Buffer.concat([Buffer.from(`${timestamp}.${header('event-id')}.`, 'utf8'), raw]);
  const wanted = Buffer.from(`v1=${createHmac('sha256', secret).update(message).digest('hex')}`);
  const told = Buffer.from(header('signature'));
  if (told.length !== wanted.length || !timingSafeEqual(told, wanted)) return 'bad signature';
  const body = JSON.parse(raw.toString('utf8'));
  const agrees =
    body.id === header('event-id') &&
    body.event === 'announcement' &&
    header('event') === 'announcement' &&
    body.delivery_id === header('delivery-id') &&
    body.delivery_id === `${body.subscription_id}_${body.id}` &&
    body.data.event_id === body.id &&
    Number.isInteger(body.created);
  return agrees ? undefined : 'headers and body disagree';
}
