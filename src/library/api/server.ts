import type { FaultRule } from '../../serve/faults/fault.ts';

/** Rows that a test gives: one series, whole. */
export interface GivenSeries {
  /** Id of the endpoint, such as `forex`. */
  readonly endpoint: string;
  /** The arguments that name the series, such as `{ base: 'EUR', quote: 'USD' }`. */
  readonly scope: Readonly<Record<string, string>>;
  /** Rows as the endpoint answers them. */
  readonly rows: readonly object[];
  /** Members beside the rows. */
  readonly envelope?: object;
}

/** A key that the server accepts. */
export interface ServerKey {
  readonly key: string;
  /** Default `individual`. A `basic` plan is without some groups. */
  readonly plan?: 'individual' | 'business' | 'trial' | 'enterprise' | 'basic';
  readonly label?: string;
}

/** The data of a server for tests, and how it serves them. */
export interface MacroServerOptions {
  /** `sandbox` (default): synthetic data of every endpoint. A path: a mirror, which is only read. A list: these rows alone. */
  readonly data?: string | readonly GivenSeries[];
  /** The time of the clock. Default for the sandbox: 2026-07-06T00:00:00Z, which is prepared. Otherwise: the present moment. */
  readonly clock?: string | number | Date;
  /** The only keys that are good. Without it, any key is. */
  readonly keys?: readonly (ServerKey | string)[];
  /** Default: any free port of 127.0.0.1. */
  readonly port?: number;
  /** Counts requests like the service, and refuses with 429. Default false. Budgets free as the clock moves. */
  readonly quotas?: boolean;
  /** Faults on purpose; see docs/faults.md. */
  readonly faults?: readonly FaultRule[];
  /** The seed of the faults. With it, names of requests and the header `Date` follow from seed and clock too. */
  readonly seed?: number;
  /** Refuses with 503 what the data hold in part only. Default false. */
  readonly strict?: boolean;
}

/** A clock that stands still until a test moves it. */
export interface ServerClock {
  now(): Date;
  /** Moves it forward to a moment: a Date, a date, an ISO time, or Unix seconds. Due releases come out first. */
  set(moment: string | number | Date): Promise<void>;
  /** Moves it forward by so many milliseconds. */
  advance(ms: number): Promise<void>;
}

/** A release to make up. */
export interface ReleaseToMakeUp {
  readonly currency: string;
  readonly indicator: string;
  /** Default: the newest value that is stored. */
  readonly val?: number;
}

/** A request that the server took. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  /** By their names in lower case, as they came. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined while it is under way. */
  readonly status: number | undefined;
  /** The time of the server's clock. */
  readonly at: Date;
}

/** A server for tests. It answers like the service, on this machine. */
export interface MacroServer extends AsyncDisposable {
  /** `http://127.0.0.1:41234`, for `baseUrl`. */
  readonly url: string;
  readonly clock: ServerClock;
  /** Makes up a release now: the newest value of its series, announced by changes, stream and webhooks. Gives its event. */
  release(event: ReleaseToMakeUp): Promise<Readonly<Record<string, unknown>>>;
  /** Replaces the faults from now on; an empty list ends them. Throws a UsageError for an invalid rule. */
  faults(rules: readonly FaultRule[]): void;
  /** The requests since the start or the last reset, in their order. */
  requests(): readonly SeenRequest[];
  /** Data, clock, budgets, faults and requests as at the start. Cuts open requests; the address stays. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
