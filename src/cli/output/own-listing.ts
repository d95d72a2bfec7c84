import { patchRow } from '../../contract/body.ts';
import { asJsonText, type JsonText, toJsonText } from '../../contract/json.ts';
import type { Listing } from './listing.ts';

export interface OwnRows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly title: readonly string[];
  /** Members beside `data` in JSON. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Rows that a command of ours made, printed like those of any answer: `{"data":[...]}` in JSON. */
export function listOwn({ columns, rows, title, beside = {} }: OwnRows): Listing {
  const texts = rows.map(toJsonText);
  const head = toJsonText(beside);
  const body = (chosen: readonly JsonText[] = texts) => patchRow(head, { data: asJsonText(`[${chosen.join(',')}]`) });
  return { columns, rows: texts, body, face: { title } };
}
