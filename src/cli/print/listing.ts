import type { ChartFields } from '../../contract/endpoint.ts';
import { patchRow, type RowTexts } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { ViewType } from '../../mirror/rules/views.ts';

/** Rows on their way to a person or a file, whatever they came from. */
export interface Listing {
  /** Columns that are always there, in order; a dot goes into a value. */
  readonly columns: readonly string[];
  /** Further fields in their order, printed by csv and tsv when a row has them. */
  readonly known?: readonly string[];
  /** Those of the known fields that every row has. */
  readonly always?: readonly string[];
  /** Further fields that the question asked for: whoever shows only some columns shows these too, where rows have them. */
  readonly added?: ReadonlySet<string>;
  /** Each the text of one JSON object. */
  readonly rows: RowTexts;
  /** The rows as tables and sheets show them, where a row has a list of what people want to see. */
  readonly lines?: readonly JsonText[];
  /** Columns that a table may leave out where there is no room, the least important first; all others stay whole. */
  readonly spare?: readonly string[];
  /** Nested fields about where a row comes from: `csv` and `tsv` have them only where `--fields` names them. */
  readonly provenance?: ReadonlySet<string>;
  /** Columns that hold Unix seconds: everything but JSON shows them as times. */
  readonly times?: ReadonlySet<string>;
  /** The zone of those times; UTC when nobody asked for another. */
  readonly zone?: string;
  /** Columns that hold durations, each with the seconds of its unit: the table for people says them in words. */
  readonly durations?: ReadonlyMap<string, number>;
  /** Columns of computed numbers: sheets round their noise away, a table gives them equal decimals. */
  readonly computed?: ReadonlySet<string>;
  /** Types of fields, where the contract knows them; files with typed cells go by them. */
  readonly types?: ReadonlyMap<string, ViewType>;
  /** The default content of a chart of the rows. */
  readonly chart?: ChartFields | undefined;
  /** Facts about all of the rows, for files that hold such: where they come from, whether they are real. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The whole answer as JSON; `rows` when they were chosen or reordered. */
  body(rows?: readonly JsonText[]): JsonText;
  /** The text around the table, for people. */
  readonly view?: ListingView;
}

export interface ListingView {
  readonly title: readonly string[];
  /** The same for a picture, which is looked at later: moments instead of ages. */
  readonly lasting?: readonly string[];
  /** Values of the sparkline, oldest first. */
  readonly spark?: readonly (number | null)[];
  /** Sentences below the rows. */
  readonly below?: readonly string[];
  /** A list of names and values below the table. */
  readonly block?: { readonly title: string; readonly lines: readonly (readonly [string, string])[] } | undefined;
}

/** Rows that a command of ours made: objects, or texts where what they hold keeps its spelling. */
export interface OwnRows {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly texts?: readonly JsonText[];
  readonly columns: readonly string[];
  readonly title: readonly string[];
  /** The title of a picture, where it differs. */
  readonly lasting?: readonly string[];
  /** A list of names and values below the table. */
  readonly block?: NonNullable<ListingView['block']>;
  /** Members beside `data` in JSON. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly facts?: NonNullable<Listing['facts']>;
  readonly spare?: NonNullable<Listing['spare']>;
  readonly durations?: NonNullable<Listing['durations']>;
  readonly computed?: NonNullable<Listing['computed']>;
  readonly provenance?: NonNullable<Listing['provenance']>;
  readonly chart?: NonNullable<Listing['chart']>;
}

/** Such rows as those of any answer: `{"data":[...]}` in JSON. */
export function listOwn(own: OwnRows): Listing {
  const { columns, rows = [], texts = rows.map(toJsonText), title, lasting, block, beside = {}, ...more } = own;
  const head = toJsonText(beside);
  const body = (chosen: readonly JsonText[] = texts) => patchRow(head, { data: asJsonText(`[${chosen.join(',')}]`) });
  return { columns, rows: texts, body, ...more, view: { title, block, ...(lasting && { lasting }) } };
}
