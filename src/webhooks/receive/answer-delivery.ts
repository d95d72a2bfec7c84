import type { ServerResponse } from 'node:http';
import type { HeaderPairs } from './delivery-headers.ts';
import type { Receipt } from './receive.ts';
import type { ReceivedDelivery } from './verify.ts';

/** Where an answer goes, whole. Headers are names and values in turn. */
export interface DeliveryOutlet {
  send(status: number, headers: readonly string[], body: string): void;
}

export interface Receiving {
  readonly receive: (delivery: ReceivedDelivery) => Promise<Receipt>;
  /** Told after the sender has its answer. */
  readonly onReceipt: (receipt: Receipt) => void;
  /** A bug of ours; the sender is told to send again. */
  readonly onFault: (error: unknown) => void;
}

/** Takes a whole delivery and answers it, whichever way it came. */
export async function answerDelivery(
  delivery: ReceivedDelivery,
  outlet: DeliveryOutlet,
  { receive, onReceipt, onFault }: Receiving,
): Promise<void> {
  let receipt: Receipt;
  try {
    receipt = await receive(delivery);
  } catch (error) {
    sayRefusal(outlet, 500, { code: 'internal_error', detail: 'the delivery could not be taken' });
    return onFault(error);
  }
  const { status, refusal } = receipt;
  if (refusal) sayRefusal(outlet, status, refusal, status === 503 ? ['Retry-After', '5'] : []);
  else outlet.send(status, [], '');
  onReceipt(receipt);
}

/** Says why something was not taken. */
export function sayRefusal(
  outlet: DeliveryOutlet,
  status: number,
  { code, detail }: NonNullable<Receipt['refusal']>,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify({ detail, code, error: code });
  const length = String(Buffer.byteLength(body));
  outlet.send(status, [...headers, 'Content-Type', 'application/json', 'Content-Length', length], body);
}

/** Sends by the response that Node made for a request. */
export function deliveryOutlet(response: ServerResponse): DeliveryOutlet {
  return { send: (status, headers, body) => void response.writeHead(status, [...headers]).end(body) };
}

/** Headers as they were sent, of names and values in turn: one that came twice stands there twice. */
export function headerPairs(list: readonly string[]): HeaderPairs {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i < list.length; i += 2) pairs.push([list[i] ?? '', list[i + 1] ?? '']);
  return pairs;
}
