/** Headers as they were sent: names in any case, and twice where they came twice. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface DeliveryHeaders {
  /** The service's own name in its headers, in lower case: `x-svc`. */
  readonly prefix: string;
  readonly timestamp: string;
  readonly eventId: string;
  readonly signature: string;
  readonly event: string | undefined;
  readonly deliveryId: string | undefined;
  /** A sandbox says of what it sends that it is generated. */
  readonly synthetic: boolean;
}

export interface HeaderProblem {
  readonly reason: 'missing_header' | 'doubled_header' | 'unclear_headers';
  readonly detail: string;
}

const NEEDED = ['signature', 'timestamp', 'event-id'] as const;
const NAME = /^(.+)-(signature|timestamp|event-id|event|delivery-id|synthetic)$/;

/**
 * Finds headers by the common stem of `*-Signature`, `*-Timestamp` and `*-Event-ID`, each once. See
 * docs/interface-events.md#webhook-deliveries.
 */
export function readDeliveryHeaders(list: HeaderPairs): DeliveryHeaders | HeaderProblem {
  const stems = stemsOf(list);
  const complete = [...stems].filter(([, { values }]) => NEEDED.every((suffix) => values.has(suffix)));
  const [first] = complete;
  if (!first) return missing(stems);
  if (complete.length > 1) {
    const names = complete.map(([stem]) => stem).join(', ');
    return { reason: 'unclear_headers', detail: `several headers could be the signature: ${names}` };
  }
  const [prefix, { values, doubled }] = first;
  if (doubled !== undefined)
    return { reason: 'doubled_header', detail: `the header ${prefix}-${doubled} came more than once` };
  return {
    prefix,
    timestamp: values.get('timestamp') ?? '',
    eventId: values.get('event-id') ?? '',
    signature: values.get('signature') ?? '',
    event: values.get('event'),
    deliveryId: values.get('delivery-id'),
    synthetic: values.get('synthetic') === '1',
  };
}

/** Headers of one stem, by what stands behind it. */
interface Stem {
  readonly values: Map<string, string>;
  doubled: string | undefined;
}

function stemsOf(list: HeaderPairs): ReadonlyMap<string, Stem> {
  const stems = new Map<string, Stem>();
  for (const [name, value] of list) {
    const [, stem, suffix] = NAME.exec(name.trim().toLowerCase()) ?? [];
    if (stem === undefined || suffix === undefined) continue;
    const stored = stems.get(stem) ?? { values: new Map(), doubled: undefined };
    stems.set(stem, stored);
    if (stored.values.has(suffix)) stored.doubled ??= suffix;
    stored.values.set(suffix, value.trim());
  }
  return stems;
}

/** Names what the most likely stem misses. */
function missing(stems: ReadonlyMap<string, Stem>): HeaderProblem {
  const lacking = [...stems].map(([stem, { values }]) => [stem, NEEDED.filter((one) => !values.has(one))] as const);
  const [[likely, missingParts]] = [
    ...lacking.toSorted(([, a], [, b]) => a.length - b.length),
    ['x-svc', NEEDED] as const,
  ];
  const names = missingParts.map((suffix) => `${likely}-${suffix}`);
  return { reason: 'missing_header', detail: `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing` };
}
