import type { JsonSchema } from '../../contract/json/schema.ts';
import type { App } from '../app/app.ts';
import { rowSchema, SCHEMA_DIALECT } from '../print/answer.ts';
import { indentJson } from '../print/json.ts';
import { type Call, type CommandDeclaration, type RowFields, rowsWith } from './command.ts';

const TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$';
const DATE = '^\\d{4}-\\d{2}-\\d{2}$';

const KINDS: Readonly<Record<string, JsonSchema>> = {
  any: {},
  count: { type: 'integer', minimum: 0 },
  'count?': { type: ['integer', 'null'], minimum: 0 },
  'date?': { type: ['string', 'null'], pattern: DATE },
  flag: { type: 'boolean' },
  list: { type: 'array' },
  'number?': { type: ['number', 'null'] },
  text: { type: 'string' },
  'text?': { type: ['string', 'null'] },
  time: { type: 'string', pattern: TIME },
  'time?': { type: ['string', 'null'], pattern: TIME },
};

export async function printOwnSchema(
  app: App,
  { options }: Call,
  { path, summary, rowsOf, ...declared }: CommandDeclaration,
): Promise<void> {
  const words = path.join(' ');
  const { option, rows } = rowsWith(declared, options);
  const title = option === undefined ? words : `${words} --${option}`;
  const named = { title, description: summary };
  const described = rowsOf ? rowSchema(rowsOf) : schemaOf(rows);
  await app.printText(indentJson(JSON.stringify({ $schema: SCHEMA_DIALECT, ...named, ...described, ...named })));
}

function schemaOf(rows: RowFields): JsonSchema {
  const fields = rows.split(/,\s+/).map((field) => field.split(' '));
  const schemas = (those: typeof fields) =>
    Object.fromEntries(
      those.map(([name = '', kind = '']) => [name.replace(/\?$/, ''), KINDS[kind] ?? { enum: kind.split('|') }]),
    );
  const patterns = fields.filter(([name]) => name?.startsWith('^'));
  const named = fields.filter(([name]) => !name?.startsWith('^'));
  return {
    type: 'object',
    properties: schemas(named),
    required: named.flatMap(([name = '']) => (name.endsWith('?') ? [] : [name])),
    ...(patterns.length > 0 && { patternProperties: schemas(patterns) }),
    additionalProperties: false,
  };
}
