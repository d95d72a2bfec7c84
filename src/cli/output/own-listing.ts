import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Listing } from './listing.ts';

interface OwnListing {
  readonly columns: readonly string[];
  readonly title: readonly string[];
  /** The title of a picture, where it differs. */
  readonly lasting?: readonly string[];
  /** Members beside `data` in JSON. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly facts?: NonNullable<Listing['facts']>;
  readonly spare?: NonNullable<Listing['spare']>;
  readonly durations?: NonNullable<Listing['durations']>;
  readonly provenance?: NonNullable<Listing['provenance']>;
}

export interface OwnRows extends OwnListing {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Rows that a command of ours made, printed like those of any answer: `{"data":[...]}` in JSON. */
export function listOwn({ rows, ...listing }: OwnRows): Listing {
  return listTexts({ ...listing, texts: rows.map(toJsonText) });
}

/** The same of rows that are texts already, because what they hold keeps its spelling. */
export function listTexts({
  columns,
  texts,
  title,
  lasting,
  beside = {},
  ...more
}: OwnListing & { readonly texts: readonly JsonText[] }): Listing {
  const head = toJsonText(beside);
  const body = (chosen: readonly JsonText[] = texts) => patchRow(head, { data: asJsonText(`[${chosen.join(',')}]`) });
  return { columns, rows: texts, body, ...more, view: { title, ...(lasting && { lasting }) } };
}
