import { type RowMembers, type RowValues, valueAt } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import { memberSpans, valueEnd } from '../../../contract/json/scan.ts';

/** The fields of one row: each the JSON text of its value as spelled. */
export interface Fields {
  get(name: string): string | undefined;
  /** In their order. Rows of one shape may give the very same list. */
  keys(): Iterable<string>;
  /** The row before it is put together, where rows of one shape give the very same list of names. */
  readonly made?: RowValues;
}

interface Shape {
  readonly names: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  /** What stands before each value. */
  readonly marks: readonly string[];
}

/**
 * Reads rows one after the other. Most of them have the names of the row before in its order: then only values are looked for,
 * which is several times as fast. Of a row that is not put together yet nothing has to be looked for.
 */
export function fieldsReader(): (row: string | RowMembers) => Fields {
  let shape: Shape | undefined;
  let made: Pick<Shape, 'names' | 'places'> | undefined;
  return (row) => {
    if (typeof row !== 'string') {
      if (made?.names !== row.names) made = { names: row.names, places: placesOf(row.names) };
      return withShape(made, row);
    }
    const values = shape && valuesIn(row, shape.marks);
    if (shape && values) return withShape(shape, { values });
    const fields = new Map(memberSpans(row).map(({ name, start, end }) => [name, row.slice(start, end)]));
    shape = shapeOf([...fields.keys()]);
    return fields;
  };
}

function withShape({ names, places }: Pick<Shape, 'names' | 'places'>, made: RowValues): Fields {
  return {
    get(name) {
      const place = places.get(name);
      return place === undefined ? undefined : valueAt(made, place);
    },
    keys: () => names,
    made,
  };
}

function shapeOf(names: readonly string[]): Shape {
  return {
    names,
    places: placesOf(names),
    marks: names.map((name, place) => `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`),
  };
}

const placesOf = (names: readonly string[]) => new Map(names.map((name, place) => [name, place]));

/** The values of a row that has these names in this order, and no blanks beside them; undefined for any other. */
function valuesIn(row: string, marks: readonly string[]): readonly JsonText[] | undefined {
  const values: JsonText[] = [];
  let at = 0;
  for (const mark of marks) {
    if (!row.startsWith(mark, at)) return undefined;
    const start = at + mark.length;
    at = valueEnd(row, start);
    values.push(asJsonText(row.slice(start, at)));
  }
  return row.length === at + 1 && row.endsWith('}') ? values : undefined;
}
