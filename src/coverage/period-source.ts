/**
 * Which of several sources of one series gives the value of a period at one moment, and which proves its first print. The
 * order in which files were imported changes nothing. Times are Unix nanoseconds.
 */

/** The facts of a source about a period at the moment of the question. */
export interface PeriodValues {
  /** The value in force, as comparable text. */
  readonly value: string;
  /** Since when it is in force; undefined where the source lists no vintages. */
  readonly since: bigint | undefined;
  /** When the mirror first had it. */
  readonly seenAt: bigint;
  /** The earliest listed vintage. */
  readonly earliest: { readonly at: bigint; readonly value: string } | undefined;
  /** The vintage that the source proves to be the first print; without a time for values that are never revised. */
  readonly first: { readonly at: bigint | undefined; readonly value: string } | undefined;
}

/** A source of a series. */
export interface Witness<T> {
  readonly source: T;
  /** Its place in the order of publishers: the lower one is preferred where nothing else decides. */
  readonly place: number;
  readonly periods: ReadonlyMap<string, PeriodValues>;
}

/** Ids of one series at publishers other than FRED: the same adjustment, unit and base. */
const AT_FRED: ReadonlyMap<string, string> = new Map([
  // Real-time data set of the Philadelphia Fed.
  ['Philadelphia Fed EMPLOY', 'PAYEMS'],
  ['Philadelphia Fed ROUTPUT', 'GDPC1'],
  // Consumer prices of the BLS.
  ['BLS CUSR0000SA0', 'CPIAUCSL'],
  ['BLS CUUR0000SA0', 'CPIAUCNS'],
  ['BLS CUSR0000SA0L1E', 'CPILFESL'],
  ['BLS CUUR0000SA0L1E', 'CPILFENS'],
]);

/** FRED's own name for the change of a series. */
const CHANGE_AT_FRED = /_CHG$/;

const OF_FRED: ReadonlySet<string> = new Set(['FRED', 'ALFRED', 'FRED-MD']);

/** One name for a series, whichever of its publishers passes it on. Other ids are those of one publisher alone. */
export function sharedNameOf(publisher: string, id: string): string {
  const atFred =
    AT_FRED.get(`${publisher} ${id}`) ?? (OF_FRED.has(publisher) ? id.replace(CHANGE_AT_FRED, '') : undefined);
  return atFred === undefined ? `${publisher} ${id}` : `FRED ${atFred}`;
}

/** When a source last said what it has of each period: each vintage also says that earlier periods stay the same. */
export function confirmedTimes({ periods }: Pick<Witness<unknown>, 'periods'>): ReadonlyMap<string, bigint> {
  const times = new Map<string, bigint>();
  let last: bigint | undefined;
  for (const [date, { since }] of [...periods].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (since !== undefined && (last === undefined || since > last)) last = since;
    if (since !== undefined && last !== undefined) times.set(date, last);
  }
  return times;
}

/**
 * Gives the source with the newest vintage of a period; on equal values, the source that reaches furthest. Values
 * without vintages date from their import, or earlier: just before the first vintage of a period after their last one.
 */
export function newestWitness<T>(witnesses: readonly Witness<T>[]): (date: string) => Witness<T> | undefined {
  const bounded = witnesses.map((witness) => {
    const reach = reachOf(witness);
    return { witness, reach, before: firstBehind(witnesses, reach), times: confirmedTimes(witness) };
  });
  bounded.sort((a, b) => (a.reach === b.reach ? a.witness.place - b.witness.place : a.reach > b.reach ? -1 : 1));
  return (date) => {
    let best: { readonly witness: Witness<T>; readonly period: PeriodValues; readonly time: bigint } | undefined;
    for (const { witness, before, times } of bounded) {
      const period = witness.periods.get(date);
      if (!period) continue;
      const time = times.get(date) ?? earlier(period.seenAt, before);
      // Nothing but their reach tells which of two files without vintages is newer.
      const isUndated = period.since === undefined && best?.period.since === undefined;
      if (!best || (!isUndated && period.value !== best.period.value && time > best.time))
        best = { witness, period, time };
    }
    return best?.witness;
  };
}

/**
 * Gives the source that proves the first print of a period: of several the one with the earliest. Undefined where none does,
 * or where a source had another value before it.
 */
export function firstWitness<T>(witnesses: readonly Witness<T>[]): (date: string) => Witness<T> | undefined {
  const ordered = [...witnesses].sort((a, b) => a.place - b.place);
  return (date) => {
    let found: { readonly witness: Witness<T>; readonly first: NonNullable<PeriodValues['first']> } | undefined;
    for (const witness of ordered) {
      const first = witness.periods.get(date)?.first;
      if (first && (!found || isBefore(first.at, found.first.at))) found = { witness, first };
    }
    const { first } = found ?? {};
    const isRefuted = ordered.some(({ periods }) => {
      const earliest = periods.get(date)?.earliest;
      return first && earliest && isBefore(earliest.at, first.at) && earliest.value !== first.value;
    });
    return isRefuted ? undefined : found?.witness;
  };
}

function reachOf<T>({ periods }: Witness<T>): string {
  let reach = '';
  for (const date of periods.keys()) if (date > reach) reach = date;
  return reach;
}

/** The moment before the first listed vintage of a period behind a date. */
function firstBehind<T>(witnesses: readonly Witness<T>[], reach: string): bigint | undefined {
  let first: bigint | undefined;
  for (const { periods } of witnesses)
    for (const [date, { earliest }] of periods)
      if (date > reach && earliest && (first === undefined || earliest.at <= first)) first = earliest.at - 1n;
  return first;
}

function earlier(at: bigint, bound: bigint | undefined): bigint {
  return bound !== undefined && bound < at ? bound : at;
}

/** No time is the latest of all. */
function isBefore(at: bigint | undefined, other: bigint | undefined): boolean {
  return at !== undefined && (other === undefined || at < other);
}
