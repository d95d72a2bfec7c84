import { isJsonObject, type Json, type JsonObject } from './json/json.ts';
import type { JsonSchema } from './json/schema.ts';
import type { Args, Effect } from './params/param.ts';

/** How an endpoint's rows are stored in the mirror. Data only: the mirror derives its tables from it. */
export interface Mapping {
  /** Table of the current rows; superseded ones go to `<table>_superseded`. Several endpoints may not share one. */
  readonly table: string;
  /** Name of the view of its rows, after `v_`; the table's when left out. */
  readonly view?: string;
  /** Shape of a row, whose single values are columns of the view; `defineEndpoint` puts it here. */
  readonly row?: JsonSchema;
  /** Names of the arguments that tell one series of this endpoint from another. */
  readonly scope: readonly string[];
  /** Fields that identify a row in its series, in sort order. */
  readonly key: readonly Column[];
  /** Order of the answer by the key. */
  readonly order: 'newest' | 'oldest';
  /** Further typed columns, only as far as queries need them. The row's text has everything. */
  readonly columns: readonly Column[];
  /** The window parameters and the column they bound. */
  readonly window?: WindowMapping;
  /** The member beside the rows that says which series of the service it is: under another one it is another series. */
  readonly identity?: string;
  /** The effect of each query parameter outside of scope, window and paging on the answer. */
  readonly effects?: Readonly<Record<string, Effect>>;
  /** Parameters between two readings: whether the stored envelope shows that both are the same. */
  readonly sameAnyway?: Readonly<Record<string, (envelope: JsonObject) => boolean>>;
  /** Fields that depend on the question or on neighbouring rows, so they never make a revision. */
  readonly dependent?: readonly string[];
  /** Whole numbers that a row may leave out, as one of its members minus another: whoever reads it computes them. */
  readonly differences?: Readonly<Record<string, Difference>>;
  /** The column of a row's release time, for the keyless delay and for point-in-time reading. */
  readonly release?: string;
  /** The row field whose changes make vintages of the mirror's own; `val` when left out. */
  readonly value?: string;
  /** Further instants by which a row without vintages tells how new it is, beside its release. */
  readonly moments?: readonly ColumnMoment[];
  /** How a file stores shortened texts of rows; full texts when left out. */
  readonly shortText?: ShortText;
  /** The row field with its vintages. */
  readonly vintages?: string;
  /** Members of a row that speak of the vintage that it shows: with another one they are that one's, or not there. */
  readonly ofVintage?: readonly string[];
  /** Instants at which the service had captured a row's first value; the first stated instant counts. */
  readonly captured?: readonly ColumnMoment[];
  /** Arguments that a sync asks with instead of the defaults, one series each; the defaults alone when left out. */
  readonly variants?: readonly Args[];
  /** The default size of a series for plans, one page if left out. `catalogued`: the catalogue gives each frequency. */
  readonly extent?: Extent | 'catalogued';
  readonly sync: SyncStrategy;
}

/** How long a history of the service is, measured on its sandbox: since when, and how many rows a year. */
export interface Extent {
  /** UTC date. */
  readonly from: string;
  readonly rowsPerYear: number;
}

/** Names of two members of a row: the first minus the second. */
export type Difference = readonly [from: string, less: string];

/** Text that a file leaves out of most rows. Changing or adding one needs a new version of the schema. */
export interface ShortText {
  /** Text column of the key whose value stands between the words. */
  readonly key: string;
  /** The first columns of a row. */
  readonly head: Words;
  /** The words that may follow it, in this order: each makes reading a row slower. */
  readonly pieces: readonly Words[];
}

/** A part of a text: strings, and the value of a key between each two of them. */
export type Words = readonly string[];

export interface Column {
  /** Name in the table. */
  readonly name: string;
  readonly type: 'text' | 'integer' | 'real';
  /** Where the value stands in the row, members of members joined by dots; the name when left out. */
  readonly from?: string;
  /** Used if a row is without the member or has null there; without it such a row has no key and is not stored. */
  readonly otherwise?: string | number;
  /** Instants that replace an absent, null or unreadable one; the first readable instant counts. */
  readonly orElse?: readonly ColumnMoment[];
}

/** Where a row states an instant, members of members joined by dots. */
export interface ColumnMoment {
  readonly from: string;
  /** A whole number of nanoseconds since the epoch, as text; an ISO date-time or Unix seconds when left out. */
  readonly unit?: 'ns';
}

/** The member of a row that a column holds. Only own members count: a row may be called `__proto__` and stays data. */
export function memberFor(row: JsonObject, { name, from, otherwise }: Column): Json | undefined {
  // Nearly every column is a plain member, and this is read for each column of each row.
  if (from === undefined) return orOtherwise(ownMember(row, name), otherwise);
  let value: Json | undefined = row;
  for (const part of from.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return otherwise;
    value = value[part];
  }
  return orOtherwise(value, otherwise);
}

/** An inherited member is neither text nor a number. */
function ownMember(row: JsonObject, name: string): Json | undefined {
  const value = row[name];
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Object.hasOwn(row, name) ? value : undefined;
}

function orOtherwise(value: Json | undefined, otherwise: Column['otherwise']): Json | undefined {
  return (value === null || value === undefined) && otherwise !== undefined ? otherwise : value;
}

export interface WindowMapping {
  /** Key column that the window bounds, first of the key. */
  readonly column: string;
  /** `date`: `YYYY-MM-DD`. `unix`: UTC days over Unix seconds. `instant`: ISO date-times over Unix seconds. */
  readonly unit: 'date' | 'unix' | 'instant';
  readonly from: 'start_date' | 'start_time';
  readonly to: 'end_date' | 'end_time';
  /** A question without bounds wants the newest row alone; without it, every row. */
  readonly unbounded?: 'newest';
  /** Where the window starts when nobody says; without it, at the first row. */
  readonly opens?: 'now';
  /** Parameter that names one date and beats both bounds. */
  readonly only?: string;
}

/**
 * How history is collected, by code in `sync/strategies`. A `document` is one request for everything, replacing; a
 * `snapshot` the newest rows; a `window` a window, superseding. `history` reads date windows by offset, `pages` a list
 * by pages, `spans` spans of time; `cursor` and `sequence` read from the last position.
 */
export type SyncStrategy =
  | { readonly kind: 'document' | 'snapshot' | 'window' | 'pages' }
  | {
      readonly kind: 'cursor' | 'sequence';
      /** Requests that it usually takes to read it for the first time; one when left out. */
      readonly firstRequests?: number;
    }
  | {
      readonly kind: 'spans';
      /** The max span of one request. */
      readonly days: number;
      /** Days before the newest span that are asked for again, as the publisher may still correct them. */
      readonly revisionDays: number;
      /** A range of so many days without a row is taken for the time before the series. */
      readonly quietDays: number;
      /** No series begins before this date. */
      readonly since: string;
    }
  | {
      readonly kind: 'history';
      /** Days before today inside which the publisher may still correct values: the head refresh covers them. */
      readonly revisionDays: number;
      /** Days after today that rows may be dated: the head refresh reaches as far. */
      readonly aheadDays?: number;
      /** The list that names a series of this endpoint whenever something of it comes or changes. */
      readonly feed?: ChangeFeed;
    };

/** A list of changes, read from position to position, that spares asking the series which it does not name. */
export interface ChangeFeed {
  /** Id of the endpoint whose rows are the changes. */
  readonly endpoint: string;
  /** Members of a change that name the series: path arguments of this endpoint, in any letter case. */
  readonly names: readonly string[];
  /** Member with the date that changed, members of members joined by dots. */
  readonly date: string;
  /** Member with the number of records that changed: the date tells all only when it is 1. Without it, it always does. */
  readonly count?: string;
  /** Days between two questions for everything that the publisher may still correct, in case a correction was not announced. */
  readonly checkDays: number;
}

const column =
  (type: Column['type']) =>
  (name: string, from?: string): Column => ({ name, type, ...(from !== undefined && { from }) });

export const textField = column('text');
export const integerColumn = column('integer');
export const real = column('real');

/** A list that one request gives whole, in the order of its key. */
export function wholeList(mapping: Pick<Mapping, 'table' | 'key'> & Partial<Mapping>): Mapping {
  return { scope: [], order: 'oldest', columns: [], sync: { kind: 'document' }, ...mapping };
}

export const dateWindow = (name = 'date'): WindowMapping => ({
  column: name,
  unit: 'date',
  from: 'start_date',
  to: 'end_date',
});
