/** Headers as they were sent: names in any case, and twice where they came twice. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface DeliveryHeaders {
  /** The service's own name in its headers, in lower case: `x-svc`. */
  readonly prefix: string;
  readonly timestamp: string;
  readonly eventId: string;
  readonly signature: string;
  readonly event: string | undefined;
  readonly deliveryId: string | undefined;
}

export interface HeaderProblem {
  readonly reason: 'missing_header' | 'doubled_header' | 'unclear_headers';
  readonly detail: string;
}

const SUFFIXES = ['signature', 'timestamp', 'event-id'] as const;

/**
 * Finds the headers of a delivery whatever the service calls itself: the common stem of `*-Signature`, `*-Timestamp` and
 * `*-Event-ID`. A header that came twice could be read in two ways, so it is refused. Wire facts, section 10.4.
 */
export function readDeliveryHeaders(list: HeaderList): DeliveryHeaders | HeaderProblem {
  const byName = new Map<string, string[]>();
  for (const [name, value] of list) {
    const lower = name.trim().toLowerCase();
    byName.set(lower, [...(byName.get(lower) ?? []), value.trim()]);
  }
  const stems = stemsOf([...byName.keys()]);
  const complete = stems.filter((stem) => SUFFIXES.every((suffix) => byName.has(`${stem}-${suffix}`)));
  const [prefix] = complete;
  if (prefix === undefined) return missing(stems, byName);
  if (complete.length > 1)
    return { reason: 'unclear_headers', detail: `several headers could be the signature: ${complete.join(', ')}` };
  const names = [...SUFFIXES, 'event', 'delivery-id'].map((suffix) => `${prefix}-${suffix}`);
  const doubled = names.find((name) => (byName.get(name)?.length ?? 0) > 1);
  if (doubled !== undefined) return { reason: 'doubled_header', detail: `the header ${doubled} came more than once` };
  const first = (suffix: string) => byName.get(`${prefix}-${suffix}`)?.[0];
  return {
    prefix,
    timestamp: first('timestamp') ?? '',
    eventId: first('event-id') ?? '',
    signature: first('signature') ?? '',
    event: first('event'),
    deliveryId: first('delivery-id'),
  };
}

function stemsOf(names: readonly string[]): readonly string[] {
  const stems = names.flatMap((name) => {
    const suffix = SUFFIXES.find((one) => name.endsWith(`-${one}`));
    return suffix === undefined ? [] : [name.slice(0, -suffix.length - 1)];
  });
  return [...new Set(stems)];
}

/** Names what the most likely stem lacks. */
function missing(stems: readonly string[], byName: ReadonlyMap<string, unknown>): HeaderProblem {
  const lacksOf = (stem: string) => SUFFIXES.filter((suffix) => !byName.has(`${stem}-${suffix}`));
  const [likely = 'x-svc'] = [...stems].sort((a, b) => lacksOf(a).length - lacksOf(b).length);
  const lacks = lacksOf(likely).map((suffix) => `${likely}-${suffix}`);
  return { reason: 'missing_header', detail: `${lacks.join(' and ')} ${lacks.length === 1 ? 'is' : 'are'} missing` };
}
