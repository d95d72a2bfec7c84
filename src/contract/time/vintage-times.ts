/**
 * The one place that says since when the public knew an entry of a period's list of vintages. Several values may claim one
 * publication time; only one of them can be right. See docs/interface.md#two-vintages-at-one-instant.
 */

/** What dates a value. Times are Unix nanoseconds; undefined when nobody said. */
export interface VintageClaim {
  /** The publication time that it states. */
  readonly epoch: bigint | undefined;
  /** The service's capture of it. */
  readonly captured: bigint | undefined;
  /** When the mirror first saw it. */
  readonly seen?: bigint;
  /** The value as comparable text. */
  readonly value: string;
  /** Confirmed by the publisher or said to be the first release, so that the publication time is its own. */
  readonly owns: boolean;
}

/** Values contradict each other about one publication time. */
export interface Dispute {
  /** Since when nobody can tell which value holds: the publication time, or when the second of two owners turned up. */
  readonly from: bigint;
  /** Until when; undefined where only something later ends it. */
  readonly until: bigint | undefined;
  /** This value holds from then on. */
  readonly wins: boolean;
}

export interface PublicTime {
  readonly at: bigint | undefined;
  readonly dispute?: Dispute;
}

/** Does an entry of a list own the publication time that it states? */
export function ownsEpoch(entry: {
  readonly publication_time_status?: unknown;
  readonly is_first_release?: unknown;
}): boolean {
  return entry.publication_time_status === 'confirmed' || entry.is_first_release === true;
}

/**
 * Dates the values of one period, in their order. A value that owns its publication time is dated by it, another one that
 * states the same time by its capture. Where owners contradict each other nobody can tell from then on. Where several values
 * state a time that none owns, nobody can tell until the last capture of one of them, which holds from then on.
 */
export function publicTimes(claims: readonly VintageClaim[]): readonly PublicTime[] {
  const rivals = rivalsOf(claims);
  return claims.map((claim) => {
    const { epoch, value } = claim;
    const group = epoch === undefined ? undefined : rivals.get(epoch);
    if (epoch === undefined || !group) return { at: epoch ?? capturedAt(claim) };
    const owners = new Set(group.filter(({ owns }) => owns).map((one) => one.value));
    if (owners.size === 0) return unownedTime(claim, epoch, group);
    if (!owners.has(value)) return { at: capturedAt(claim) };
    if (owners.size === 1) return { at: epoch };
    const from = contradictedSince(epoch, group);
    return { at: epoch, dispute: { from, until: undefined, wins: false } };
  });
}

/** Owners that came together contradict each other since their publication time, else since the second one was seen. */
function contradictedSince(epoch: bigint, group: readonly VintageClaim[]): bigint {
  const first = new Map<string, bigint>();
  for (const { value, owns, seen = 0n } of group)
    if (owns && (first.get(value) ?? seen) >= seen) first.set(value, seen);
  const [earliest, second] = [...first.values()].sort((a, b) => (a < b ? -1 : Number(a > b)));
  return second === undefined || second === earliest ? epoch : later(epoch, second);
}

/** Claims by publication time, where those of one time have different values. */
function rivalsOf(claims: readonly VintageClaim[]): ReadonlyMap<bigint, readonly VintageClaim[]> {
  const rivals = new Map<bigint, readonly VintageClaim[]>();
  if (claims.length < 2) return rivals;
  for (const claim of claims) {
    const { epoch } = claim;
    if (epoch !== undefined) rivals.set(epoch, [...(rivals.get(epoch) ?? []), claim]);
  }
  for (const [epoch, group] of rivals) if (group.every(({ value }) => value === group[0]?.value)) rivals.delete(epoch);
  return rivals;
}

function unownedTime(claim: VintageClaim, epoch: bigint, group: readonly VintageClaim[]): PublicTime {
  // An entry without a capture of its own is older than those that have one.
  const timeOf = group.some(({ captured }) => captured !== undefined)
    ? ({ captured }: VintageClaim) => captured
    : ({ seen }: VintageClaim) => seen;
  const times = group.flatMap((one) => timeOf(one) ?? []);
  const last = times.length === 0 ? undefined : times.reduce(later);
  const at = capturedAt(claim);
  return {
    at: at === undefined ? undefined : later(epoch, at),
    dispute: {
      from: epoch,
      until: last === undefined ? undefined : later(epoch, last),
      wins: last !== undefined && timeOf(claim) === last,
    },
  };
}

function capturedAt({ captured, seen }: VintageClaim): bigint | undefined {
  return captured ?? seen;
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
