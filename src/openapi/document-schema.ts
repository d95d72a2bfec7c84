import { isJsonObject, type Json } from '../contract/json/json.ts';
import type { JsonSchema } from '../contract/json/schema.ts';
import { SHARED_SHAPES } from './shared-schemas.ts';

const NAMES = new Map(Object.entries(SHARED_SHAPES).map(([name, shape]) => [shape, name]));

/**
 * A schema of the contract as the document shows it: what many answers share by reference, and every shape of a row in
 * full. Generators of clients see no connection between members and the `anyOf` beside them.
 */
export function documentSchema(schema: JsonSchema): JsonSchema {
  const name = NAMES.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const shapes = shapesOf(schema);
  if (shapes) return { anyOf: shapes.map(documentSchema) };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, documentValue(value)]));
}

function documentValue(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => (isJsonObject(item) ? documentSchema(item) : item));
  return isJsonObject(value) ? documentSchema(value) : value;
}

/** The shapes that `inShapes` tells apart; undefined of any other schema. */
function shapesOf({ properties, anyOf, ...base }: JsonSchema): readonly JsonSchema[] | undefined {
  if (!isJsonObject(properties) || !Array.isArray(anyOf)) return undefined;
  const always = Array.isArray(base.required) ? base.required : [];
  return anyOf.flatMap((shape) =>
    isJsonObject(shape) && Array.isArray(shape.required)
      ? [{ ...base, properties, required: [...always, ...shape.required] }]
      : [],
  );
}
