import type { Access } from './access.ts';
import type { JsonObject, JsonText } from './json.ts';

/** Who asks. `owner` is a person reading their own mirror: access rules never hold for them. */
export type Caller =
  | { readonly kind: 'owner' }
  | { readonly kind: 'keyless' }
  | { readonly kind: 'keyed'; readonly plan: string };

/** Names and addresses that answers carry and that belong to whoever serves them. */
export interface Labels {
  readonly service: string;
  readonly storage: string;
  readonly publicBaseUrl: string;
  readonly subscribeUrl: string;
  readonly docsUrl: string;
}

export interface HookContext<A> {
  readonly args: A;
  /** Unix seconds. */
  readonly now: number;
  readonly caller: Caller;
  readonly labels: Labels;
  /** The routes that whoever answers offers; an endpoint file cannot import the list of all endpoints. */
  readonly routes?: readonly Route[];
}

/** What an answer may tell of an endpoint. */
export interface Route {
  readonly path: string;
  readonly method: string;
  readonly access: Access;
  /** Currency codes that the path takes; left out when it takes none. */
  readonly currencies?: readonly string[];
}

/** Members of an answer beside its rows. `undefined` members are left out; null is kept. */
export type Envelope = Readonly<Record<string, unknown>>;

/** A question to the mirror: which series, by endpoint and scope. A scope name left out matches any value. */
export interface SeriesRef {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  /** The scope is whole: a series with further scope names does not match. */
  readonly exact?: boolean;
}

/** A held series: who said it. */
export interface HeldRef extends SeriesRef {
  /** `import:<publisher>` or the identity of a service. */
  readonly origin: string;
}

/** One series that a composed answer reads, in answer order, with the typed columns of its rows. */
export interface LoadedSeries {
  readonly ref: HeldRef;
  /** Stored members beside the rows, as last received or as the importer stated them; empty when none. */
  readonly envelope: JsonObject;
  /** Newest first or oldest first, as the endpoint orders its answers; all rows, no window. */
  readonly rows: readonly LoadedRow[];
  /** True when the rows are proven to be everything the origin had between the first and the last of them. */
  readonly proven: boolean;
}

export interface LoadedRow {
  /** The key columns and further typed columns, by name. */
  readonly columns: Readonly<Record<string, string | number | null>>;
  readonly text: JsonText;
}

/** An answer built from several series. `rows` is the asked page; `total` counts the window. */
export interface Composed {
  readonly envelope: Envelope;
  readonly rows: readonly JsonText[];
  readonly total: number;
  /** The page holds the newest row that there is. */
  readonly includesLatest?: boolean;
  /** Release times (Unix seconds) that the keyless delay kept out of this answer. */
  readonly withheld?: readonly number[];
  /** Sentences for a person: what the numbers rest on, where they are weak. */
  readonly notes?: readonly string[];
}

/** An answer that needs more than its own series. `build` is pure: same input, same answer. */
export interface Compose<A> {
  /** Changes whenever `build` would answer differently for the same rows; part of the ETag. */
  readonly version: number;
  /** Series that could take part; patterns are allowed. */
  reads(args: A): readonly SeriesRef[];
  /** Narrows the held series to those that the answer will use, so that no other is loaded. All of them when left out. */
  pick?(args: A, held: readonly HeldRef[]): readonly HeldRef[];
  /** Undefined when the loaded series cannot answer: the caller then says that nothing is held. */
  build(loaded: readonly LoadedSeries[], context: HookContext<A>): Composed | undefined;
}

/** A value that a row had, and since when it was known. Times are Unix seconds. */
export interface KeptValue {
  /** Publication time, of this value and no other one. */
  readonly epoch: number | undefined;
  /** The service's own capture in Unix nanoseconds, exact. */
  readonly observedNs?: string;
  /** When the mirror first saw it. */
  readonly seenAt: number;
  /** The value as the row listed it; the whole row for a value that was never listed. */
  readonly text: JsonText;
  /** When the mirror saw the row vanish. */
  readonly withdrawnAt?: number;
}

/** The page that an ordinary answer is made of, and lazy looks at its neighbours. Rows are in answer order. */
export interface PageView<A> extends HookContext<A> {
  readonly stored: JsonObject;
  readonly rows: readonly JsonText[];
  /** Names of the rows, where the body is a map. */
  readonly names?: readonly string[];
  readonly total: number;
  /** The version that the answer will carry, where the endpoint has versions. */
  readonly datasetVersion?: string;
  /** Commit that brought a row of this view; a neighbour that came later may have changed what the row says of it. */
  commitOf?(row: JsonText): number | undefined;
  /** Values that rows had, oldest first, by the row's first key: listed ones and those that the mirror saw replaced. */
  kept?(): Promise<ReadonlyMap<string, readonly KeptValue[]>>;
  /** Rows that follow the last row of the page, or the window's far end when the page is empty; the window is no bound. */
  following(count: number): Promise<readonly JsonText[]>;
  /** All rows of the window that the caller may see. */
  window(): Promise<readonly JsonText[]>;
  /** Newest and oldest row that the caller may see, regardless of the window. */
  edge(which: 'newest' | 'oldest'): Promise<JsonText | undefined>;
}

/** What an endpoint computes for a page: members to add or replace, and the rows when they change. */
export interface Derived {
  readonly envelope?: Envelope;
  readonly rows?: readonly JsonText[];
  /** Rows of the whole answer, when the hook leaves out or adds some. */
  readonly total?: number;
  /** The page holds the newest row that there is, when the hook knows better. */
  readonly includesLatest?: boolean;
}

export type Derive<A> = (view: PageView<A>) => Derived | Promise<Derived>;

/** An answer computed from the clock alone: the whole body. */
export type Local<A> = (context: HookContext<A>) => Envelope;
