import type { JsonSchema } from '../../../contract/json/schema.ts';

/** What a field of a row of ours holds. `?` at the end: or null. A list is its legal words. */
export type FieldKind =
  | 'any'
  | 'count'
  | 'count?'
  | 'date?'
  | 'flag'
  | 'list'
  | 'number?'
  | 'object'
  | 'text'
  | 'text?'
  | 'time'
  | 'time?'
  | readonly string[];

/** Fields by name, in their order. A name that ends in a question mark may be left out of a row. */
export type RowFields = Readonly<Record<string, FieldKind>>;

const TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$';
const DATE = '^\\d{4}-\\d{2}-\\d{2}$';

const KINDS: Readonly<Record<Exclude<FieldKind, readonly string[]>, JsonSchema>> = {
  any: {},
  count: { type: 'integer', minimum: 0 },
  'count?': { type: ['integer', 'null'], minimum: 0 },
  'date?': { type: ['string', 'null'], pattern: DATE },
  flag: { type: 'boolean' },
  list: { type: 'array' },
  'number?': { type: ['number', 'null'] },
  object: { type: 'object' },
  text: { type: 'string' },
  'text?': { type: ['string', 'null'] },
  time: { type: 'string', pattern: TIME },
  'time?': { type: ['string', 'null'], pattern: TIME },
};

/** The JSON Schema of rows with these fields, and with no others. */
export function schemaOfFields(fields: RowFields): JsonSchema {
  const names = Object.keys(fields);
  const properties = Object.entries(fields).map(([name, kind]) => [
    name.replace(/\?$/, ''),
    typeof kind === 'string' ? KINDS[kind] : { enum: kind },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}
