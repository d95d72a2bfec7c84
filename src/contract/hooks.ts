import type { Access } from './access.ts';
import type { SourceRange } from './answer-members.ts';
import type { RowTexts } from './json/body.ts';
import type { JsonObject, JsonText } from './json/json.ts';
import type { Signing } from './signing.ts';
import type { Coverage, Range } from './time/coverage.ts';
import type { KnownSpan } from './time/moments.ts';
import type { TimedValue } from './time/vintages.ts';

/** Who asks. `owner` is a person reading their own mirror: access rules never hold for them. */
export type Caller =
  | { readonly kind: 'owner' }
  | { readonly kind: 'keyless' }
  | { readonly kind: 'keyed'; readonly plan: string };

/** Names and addresses that answers carry and that belong to whoever serves them. */
export interface ServiceLabels {
  readonly service: string;
  readonly storage: string;
  readonly publicBaseUrl: string;
  readonly subscribeUrl: string;
  readonly docsUrl: string;
  /** The address for news of deprecations; below the documentation when left out. */
  readonly deprecationsUrl?: string;
}

export interface HookContext<A> {
  readonly args: A;
  /** Unix seconds. `presentAt` is the real present where that is another moment. */
  readonly now: number;
  readonly presentAt?: number;
  /** `now` is a past moment, and the answer shows the values known then. */
  readonly isPast?: true;
  readonly caller: Caller;
  readonly labels: ServiceLabels;
  /** The routes that whoever answers offers; an endpoint file cannot import the list of all endpoints. */
  readonly routes?: readonly SeriesRoute[];
  /** A result computed from all picked series together, cached by name. */
  readonly column?: MakeColumn;
  /** Keys of whoever answers, where there are any; only for hooks that say `signs`. */
  readonly signing?: Signing;
  /** Members for a keyless caller about withheld data, for a hook that has to refuse the whole answer. */
  readonly keyless?: (kept: { readonly withheld: readonly number[]; readonly clipped?: boolean }) => Envelope;
}

/** The facts of an answer about an endpoint. */
export interface SeriesRoute {
  readonly path: string;
  readonly method: string;
  readonly access: Access;
  /** Currency codes that the path takes; left out when it takes none. */
  readonly currencies?: readonly string[];
}

/** Members of an answer beside its rows. `undefined` members are left out; null stays. */
export type Envelope = Readonly<Record<string, unknown>>;

/** A question to the mirror: which series, by endpoint and scope. A scope name left out matches any value. */
export interface SeriesRef {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  /** The scope is whole: a series with further scope names does not match. */
  readonly exact?: boolean;
}

/** A stored series: who said it. */
export interface StoredRef extends SeriesRef {
  /** `import:<publisher>` or the identity of a service. */
  readonly origin: string;
  /** When its origin last confirmed it, in milliseconds. */
  readonly checkedAt?: number;
  /** How many of its rows the answer asks for; undefined when nobody counted them. */
  readonly rows?: number;
  /** Members beside the rows, as last received; undefined when none were. */
  readonly envelope?: { readonly text: JsonText } | undefined;
}

/** One series that a composed answer reads, in answer order, with the typed columns of its rows. */
export interface LoadedSeries {
  readonly ref: StoredRef;
  /** Stored members beside the rows, as last received or as the importer stated them; empty when none. */
  readonly envelope: JsonObject;
  /** Newest first or oldest first, as the endpoint orders its answers; all rows, no window. */
  readonly rows: readonly LoadedRow[];
  /** The rows are only the newest rows of the request: older ones may follow. */
  readonly isHead?: true;
  /** For a hook that reads columns: the columns of all rows. There are no `rows` then. */
  readonly columns?: LoadedColumns;
  /** For such a hook: the texts of the window that ends with a date, or the text of every row by its place. */
  readonly shown?: { readonly to: string; readonly texts: readonly JsonText[] } | { at(place: number): JsonText };
  /** For such a hook that wants the rows from a date on: where they stand among all loaded rows. */
  readonly range?: PlaceRange;
  /** A column that follows from this series alone, by its name. */
  readonly column?: MakeColumn;
  /** The fully stored part of the series: a value may depend on no other part. */
  readonly coverage: Coverage;
  /** The covered dates that were checked, where `coverage` also has dates that nobody can see without a key. */
  readonly checked?: Coverage;
  /** True when all that the question needs of it is covered. */
  readonly proven: boolean;
  /** Times for which the mirror knows the values of that time; only for a hook that reads values with their times. */
  readonly knownSpans?: readonly KnownSpan[];
  /** Values that rows had, by first key: see `PageView.kept`. Under a delay at least of rows that changed inside of it. */
  readonly kept?: ReadonlyMap<string, readonly KeptValue[]>;
}

/** Rows by their place in answer order, the end not included. */
export interface PlaceRange {
  readonly start: number;
  readonly end: number;
}

/** Values by column, in the order of the rows; undefined for a column without a value in any of them. */
export type LoadedColumns = Readonly<Record<string, readonly (string | number | null)[] | undefined>>;

export interface LoadedRow {
  /** The key columns and further typed columns, by name. */
  readonly columns: Readonly<Record<string, string | number | null>>;
  readonly text: JsonText;
  /** When the mirror first saw this value, in milliseconds. */
  readonly seenAt?: number;
  /** Number of the mirror's commit that brought this text. */
  readonly commit?: number;
}

/** An answer built from several series. `rows` is the asked page; `total` counts the window. */
export interface Composed {
  readonly envelope: Envelope;
  readonly rows: readonly JsonText[];
  /** The same rows, made when they are read: `rows` is then a getter. */
  readonly made?: RowTexts;
  readonly total: number;
  /** The page has the newest row that there is. */
  readonly includesLatest?: boolean;
  /** Release times (Unix seconds) that the keyless delay hides from this answer. */
  readonly withheld?: readonly number[];
  /** Rows from before the keyless window were left out. */
  readonly clipped?: boolean;
  /** Dates that the answer needs and the mirror does not cover; by default, those of each series of `vouches`. */
  readonly missingParts?: readonly MissingPart[];
  /** Sentences for a person: what the numbers rest on, where they are weak. */
  readonly notes?: readonly string[];
  /** Who speaks for which dates, where there are several. */
  readonly sources?: readonly SourceRange[];
  /** A text that changes with any row of any page; set where it costs less than all rows. */
  readonly rowsName?: () => string;
}

/** Which series an answer needs that needs more than its own. */
export interface ComposeRules<A> {
  /** Changes whenever the answer would be another one for the same rows; part of the ETag. */
  readonly version: number;
  /** Series that could take part, the most important first; patterns are allowed. */
  reads(args: A): readonly SeriesRef[];
  /** How many of `reads` must be stored, one by default; `all`: a missing one is no absence. */
  readonly needs?: 'all' | 'none';
  /** Lists that tell which series there are. They are read as they are now, whatever moment the question is put at. */
  lists?(args: A): readonly SeriesRef[];
  /** The stored series that the answer will use, so that no other is loaded; all by default. */
  selectSeries?(args: A, stored: readonly StoredRef[]): readonly StoredRef[];
  /** Without all picked series the number would change: refused if the mirror does not know an earlier state of one. */
  readonly required?: true;
  /** A partial answer is refused: nobody may rely on a part of it. */
  readonly wholeOnly?: true;
  /** The last day of a question without a window: if it is over and after the last check of a series, it is missing. */
  lastDayNamed?(args: A): string | undefined;
  /** The hook judges itself what lies behind the last check of a series, for each of the moments that it answers. */
  readonly judgesEnds?: true;
  /** Bounds of the rows that are counted before `pick`, where it weighs series by how much they hold. */
  counts?(args: A, stored: readonly StoredRef[]): { readonly from?: string; readonly to?: string };
  /** Picked series that make the answer complete when covered and fresh; undefined when nobody can tell. */
  vouches?(args: A, picked: readonly StoredRef[]): CoveringSeries | undefined;
  /** Further series that the loaded ones name, once those are known. `now` is in Unix seconds. */
  follow?(args: A, loaded: readonly LoadedSeries[], now: number): readonly SeriesRef[];
  /** Which rows of a series the answer needs: all of them when left out or undefined. */
  rowsNeeded?(args: A, ref: StoredRef): WantedSeries | undefined;
  /** Rows still needed of partly loaded series; called until none are, or all rows are loaded. */
  moreNeeded?(loaded: readonly LoadedSeries[], context: HookContext<A>): ReadonlyMap<LoadedSeries, HeadOfRows>;
  /** Inputs of the answer besides rows and the UTC date, at a moment; part of the ETag. */
  dependsOn?(args: A, at: Pick<HookContext<A>, 'now' | 'presentAt'>): readonly (string | number)[];
  /** The answer carries a signature, or keys: the keys of whoever answers are handed in and belong to the ETag. */
  readonly signs?: true;
}

/** An answer that is built anew for each question. `build` is pure: same input, same answer. */
export interface Compose<A> extends ComposeRules<A> {
  /** Undefined when the loaded series cannot answer: the caller then says that nothing is stored. */
  build(loaded: readonly LoadedSeries[], context: HookContext<A>): Composed | undefined;
}

/** Computes a result from some series in their present state once, and caches it by name. */
export type MakeColumn = <T extends object>(name: string, make: () => T) => T;

/** An answer that is a slice of one series, which is made of others: the same for every window and page. */
export interface JoinedCompose<A, M extends { readonly bytes: number } = { readonly bytes: number }>
  extends ComposeRules<A> {
  /** Names all of the arguments that the series follows from. */
  joinedBy(args: A): string;
  /** Undefined when the loaded series cannot give it. */
  join(loaded: readonly LoadedSeries[], args: A, column: MakeColumn): M | undefined;
  slice(joined: M, context: HookContext<A>, seen: SeenSeries): Composed;
}

export type AnyCompose<A> = Compose<A> | JoinedCompose<A>;

/** How a window sees the series that a joined one is made of, each by its place among them. */
export interface SeenSeries {
  /** Equal where all of them are seen the same way. */
  readonly name: string;
  /** Its coverage, if the window wants to know of days that were not over when it was last checked. */
  closedAt(place: number): Coverage | undefined;
}

/** Series that an answer rests on, and the window that they must cover if it differs from the requested one. */
export interface CoveringSeries {
  readonly series: readonly StoredRef[];
  readonly window?: { readonly start_date: string; readonly end_date: string };
  /** Sets of series, best first; each set is enough to know the values of a moment; all series when left out. */
  readonly anyOf?: readonly (readonly StoredRef[])[];
}

/** A value that a row had, and since when it was known. */
export interface KeptValue {
  /** When the mirror first saw it, in Unix seconds. */
  readonly seenAt: number;
  /** The value as the row listed it; the whole row for a value that was never listed. */
  readonly text: JsonText;
  readonly times: TimedValue;
}

export interface KnownSince {
  /** Unix nanoseconds. */
  readonly ns: string;
  /** The vintage as the row listed it; the whole row's text for a value that was never listed. */
  readonly text: JsonText;
  /** The time is that of the row's release, not of this value. */
  readonly byRelease: boolean;
}

/** The page that an ordinary answer is made of, and lazy looks at its neighbours. Rows are in answer order. */
export interface PageView<A> extends HookContext<A> {
  readonly stored: JsonObject;
  /** The fully stored part of the series: a value may depend on no other part. */
  readonly coverage: Coverage;
  readonly rows: readonly ViewRow[];
  readonly total: number;
  /** The rows are of a file, which tells a first print only where it says so. */
  readonly isFromFile?: boolean;
  /** Set where several sources have the series and the question is about vintages. */
  readonly merged?: CommonVintages;
  /** Values that rows had, oldest first, by the row's first key: listed ones, and ones the mirror saw replaced. */
  kept?(): Promise<ReadonlyMap<string, readonly KeptValue[]>>;
  /** Rows after the page or an empty window, beyond the window too; `coverage` tells of the time between. */
  following(count: number): Promise<readonly ViewRow[]>;
  /** All rows of the window that the caller may see. */
  window(): Promise<readonly ViewRow[]>;
  /** All rows of the series, if they are cached. */
  readonly whole?: WholeRows;
  /** A result computed from the series alone, cached by name. */
  readonly column?: MakeColumn;
  /** The newest or oldest visible row of all; undefined also where coverage allows one beyond it. */
  edge(which: 'newest' | 'oldest'): Promise<ViewRow | undefined>;
  /** All rows that the caller may see, regardless of the window. */
  everything?(): Promise<readonly ViewRow[]>;
}

/** The joint facts of all sources of a series about its periods. */
export interface CommonVintages {
  /** When a period was first published (Unix nanoseconds), if stated; `null` where no source proves the first value. */
  firstAt(date: string): bigint | undefined | null;
  /** The list of every vintage of a period, oldest first, each named with its origin. */
  listOf(date: string): JsonText | undefined;
}

/** A row that a hook looks at. */
export interface ViewRow {
  readonly key: readonly (string | number)[];
  readonly text: JsonText;
  /** Commit that brought it; a neighbour that came later may have changed what it says of that. */
  readonly commit?: number;
  /** Since when its value was known, where the question is put at a moment of the past. */
  readonly known?: KnownSince;
  /** Its place among all rows of the series, if these are cached. */
  readonly place?: number;
}

/** All rows of a series in answer order. */
export interface WholeRows {
  readonly length: number;
  text(place: number): JsonText;
  /** A typed column, NaN for null among numbers; undefined where no row has a value. */
  values(name: string): Float64Array | readonly (string | number | null)[] | undefined;
  /** The commit that brought a row. */
  commit(place: number): number;
}

/** The computed part of a page: members to add or replace, and the rows when they change. */
export interface Derived {
  readonly envelope?: Envelope;
  readonly rows?: readonly JsonText[];
  /** Rows of the whole answer, when the hook leaves out or adds some. */
  readonly total?: number;
  /** The page has the newest row that there is, when the hook knows better. */
  readonly includesLatest?: boolean;
  /** The part beside the requested window that the hook needs and the mirror does not cover. */
  readonly missingParts?: readonly MissingRange[];
  readonly rowsName?: Composed['rowsName'];
  /** How many periods of the window are left out since no source proves their first print. */
  readonly unproven?: number;
}

export type Derive<A> = (view: PageView<A>) => Derived | Promise<Derived>;

/** An answer computed from the clock alone: the whole body. */
export type Local<A> = (context: HookContext<A>) => Envelope;

/** A range that is not covered, and the member that needs it where that is not the row itself. */
export interface MissingRange extends Range {
  readonly for?: string;
  readonly reason?: MissingReason;
}

/** A part of a series that an answer needs and the mirror does not cover; without a range, all of it. */
export type MissingReason = 'uncovered' | 'unchecked' | 'unproven';

export interface MissingPart {
  readonly series: SeriesRef;
  readonly range?: MissingRange;
  /**
   * `unchecked`: nobody asked in that time, and the range is one of moments (ISO). `unproven`: no source proves the first
   * prints of these periods. Left out: no coverage reaches it.
   */
  readonly reason?: MissingReason;
}
// Which rows of a series a composed answer reads.

export type WantedSeries = HeadOfRows | SomeRows | WindowWithColumns;

/** At least so many newest rows of a series, or all, and some columns of every row. */
export interface HeadOfRows {
  readonly head: number;
  readonly values?: readonly string[];
}

/** All rows, or some of them. */
interface SomeRows {
  /** So many of the newest. */
  readonly newest?: number;
  /** Those from a date on; of a series that ends before it, the newest row alone. */
  readonly since?: string;
  /** With the values that the mirror saw replaced. */
  readonly kept?: true;
  /** As columns: more rows may be loaded with them. */
  readonly columns?: readonly string[];
}

/** The rows of a window, and some columns of every row, for a hook that shows the texts of a few. */
interface WindowWithColumns {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
}
