import { type JsonObject, objectIn } from './json.ts';

/** A JSON Schema 2020-12 as plain data. Objects are open: unknown fields are stored. */
export type JsonSchema = JsonObject;

type Fields = Readonly<Record<string, JsonSchema>>;

/** An open object. A field name that ends in `?` is optional. */
export function object(fields: Fields, description?: string): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, schema] of Object.entries(fields)) {
    if (name.endsWith('?')) properties[name.slice(0, -1)] = schema;
    else {
      properties[name] = schema;
      required.push(name);
    }
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), ...(description && { description }) };
}

/** An object in one of several shapes, by further required fields. The first is the answer to the base question. */
export function inShapes(base: JsonSchema, ...shapes: readonly (readonly string[])[]): JsonSchema {
  return { ...base, anyOf: shapes.map((required) => ({ required: [...required] })) };
}

export const string = (description?: string): JsonSchema => ({ type: 'string', ...(description && { description }) });
export const integer = (description?: string): JsonSchema => ({ type: 'integer', ...(description && { description }) });
export const number = (description?: string): JsonSchema => ({ type: 'number', ...(description && { description }) });
export const boolean = (description?: string): JsonSchema => ({ type: 'boolean', ...(description && { description }) });
export const date = (description?: string): JsonSchema => ({
  type: 'string',
  format: 'date',
  ...(description && { description }),
});
export const dateTime = (description?: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  ...(description && { description }),
});
export const array = (items: JsonSchema, description?: string): JsonSchema => ({
  type: 'array',
  items,
  ...(description && { description }),
});
/** An object used as a map: any name, members of one shape. */
export const mapOf = (members: JsonSchema, description?: string): JsonSchema => ({
  type: 'object',
  additionalProperties: members,
  ...(description && { description }),
});
/** The members that a schema names. */
export function propertiesOf({ properties }: JsonSchema): JsonObject {
  return objectIn(properties);
}

/** Any value: the specification does not show the shape. */
export const open: JsonSchema = {};
export const strings: JsonSchema = array(string());

export function oneOf(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: [...values] };
}

export function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  const plain = typeof type === 'string' && schema.enum === undefined;
  return plain ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}
