// Takes the wanted rows out of an answer and leaves everything else as it was spelled.
import { type BodyRow, type BodyShape, type CutBody, cutBody } from '../contract/json/body.ts';
import { isJsonObject, objectIn } from '../contract/json/json.ts';

/** Characters of the rows of one result. */
const MOST_CHARACTERS = 400_000;

/** Rows in a row, from the first one: as many as are wanted and as have room, at least one. */
export function fittingRows(rows: readonly BodyRow[], first: number, limit: number): readonly BodyRow[] {
  let characters = 0;
  const shown = rows.slice(first, first + limit);
  const tooMany = shown.findIndex(({ text }, i) => {
    characters += text.length;
    return i > 0 && characters > MOST_CHARACTERS;
  });
  return tooMany < 0 ? shown : shown.slice(0, tooMany);
}

/** An answer cut into its rows; one that is a single document has none. */
export function cutAnswer(shape: BodyShape, body: string): CutBody {
  return cutBody(shape.kind === 'document' ? { kind: 'document' } : shape, body);
}

/** The answer with some of its rows only. Numbers keep their digits. */
export function withRows(shape: BodyShape, body: string, kept: { first: number; rows: readonly BodyRow[] }): unknown {
  const answer = exactValue(body);
  if (!isJsonObject(answer)) return answer;
  const within = (map: object, besides: readonly string[]) => {
    let at = 0;
    const isKept = ([name, value]: [string, unknown]) => {
      if (besides.includes(name) || !isJsonObject(value)) return true;
      at += 1;
      return at > kept.first && at <= kept.first + kept.rows.length;
    };
    return Object.fromEntries(Object.entries(map).filter(isKept));
  };
  if (shape.kind === 'map') {
    const wrapped = answer[shape.wrapper];
    const besides = [...shape.besides, 'mirror'];
    return Object.keys(answer).every((name) => name === shape.wrapper || name === 'mirror') && isJsonObject(wrapped)
      ? { ...answer, [shape.wrapper]: within(wrapped, besides) }
      : within(answer, besides);
  }
  if (shape.kind !== 'list') return answer;
  const list = answer[shape.member];
  if (Array.isArray(list)) return { ...answer, [shape.member]: list.slice(kept.first, kept.first + kept.rows.length) };
  if (!shape.orMap) return answer;
  const besides = [...shape.orMap.besides, 'mirror'];
  return isJsonObject(list) ? { ...answer, [shape.member]: within(list, besides) } : within(answer, besides);
}

/** The value of a JSON text. A number that JavaScript would spell otherwise is kept as its text. */
function exactValue(text: string): unknown {
  return JSON.parse(text, (_name, value, context?: { readonly source?: string }) => {
    const source = context?.source;
    return typeof value !== 'number' || source === undefined || String(value) === source ? value : JSON.rawJSON(source);
  });
}

/** Whether a service would give more rows behind those of its page, and how many there are in all. */
export function pagingOf({ envelope }: CutBody): { readonly hasMore: boolean; readonly total: number | null } {
  const { has_more: hasMore, total_count: total } = objectIn(envelope.pagination);
  return { hasMore: hasMore === true, total: typeof total === 'number' ? total : null };
}
