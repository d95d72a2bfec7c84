import type { HeaderPairs } from '../../src/webhooks/receive/delivery-headers.ts';

/** A test vector for docs/interface-events.md#webhook-deliveries. */
export const SECRET = 'whsec_1449feda7568be9f1d93e7c6746a26a5498be734c682c1143d41bb74a38b067f';
export const TIMESTAMP = 1_791_981_003;
export const EVENT_ID = 'usd_inflation_1791981000';
export const BODY =
  '{"id":"usd_inflation_1791981000","event":"announcement","created":1791981002,"subscription_id":"sub_01hzx4m2q7","delivery_id":"sub_01hzx4m2q7_usd_inflation_1791981000","data":{"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation","records_written":1,"latest_announcement":{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"}}}';
export const SIGNATURE = 'v1=5dcdcfffc4dd000ff533d6c2be28d891ae1aae1323f9411152570fbbccc76d8f';

/** The subscription that the vector is for, in the form of docs/interface-events.md#webhook-subscriptions. */
export const SUBSCRIPTION = {
  id: 'sub_01hzx4m2q7',
  url: 'https://hooks.example.com/in',
  status: 'active',
  events: ['announcement'],
  currencies: ['usd'],
  indicators: null,
  description: 'desk',
  failure_count: 0,
  consecutive_failure_count: 0,
  success_count: 0,
  created_at: '2026-10-01T00:00:00Z',
};

export const HEADERS: HeaderPairs = [
  ['Content-Type', 'application/json'],
  ['X-SVC-Event', 'announcement'],
  ['X-SVC-Event-ID', EVENT_ID],
  ['X-SVC-Delivery-ID', `sub_01hzx4m2q7_${EVENT_ID}`],
  ['X-SVC-Timestamp', String(TIMESTAMP)],
  ['X-SVC-Signature', SIGNATURE],
];

/** The headers with some replaced (by lower-case name) or, where undefined, left out. */
export function headersWith(changes: Readonly<Record<string, string | undefined>>): HeaderPairs {
  return HEADERS.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (!(lower in changes)) return [[name, value] as const];
    const changed = changes[lower];
    return changed === undefined ? [] : [[name, changed] as const];
  });
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);
