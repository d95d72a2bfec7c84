import { asJsonText, isJsonObject, type Json, type JsonObject, type JsonText } from '../contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../contract/json/schema.ts';

/**
 * The text of a row of a shape. What the shape calls a number has a point, whole values too (`3.0`), as the service writes
 * them. In a part without a shape a member is spelled like the row's own of that name.
 */
export function spelledBy(row: JsonSchema, value: JsonObject): JsonText {
  return asJsonText(textOf(row, value, propertiesOf(row)) ?? 'null');
}

/** Undefined for what JSON leaves out. */
function textOf(schema: JsonSchema, value: Json | undefined, known: JsonObject): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && isMeasured(schema) ? `${value}.0` : JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((item) => textOf(partOf(schema, 'items'), item, known) ?? 'null').join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const shape = objectShape(schema);
  const isOpen = shape.properties === undefined && shape.additionalProperties === undefined;
  const [properties, others] = [isOpen ? known : propertiesOf(shape), partOf(shape, 'additionalProperties')];
  const members = Object.entries(value).flatMap(([name, member]) => {
    const named = properties[name];
    const text = textOf(isJsonObject(named) ? named : others, member, known);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join()}}`;
}

function isMeasured({ type }: JsonSchema): boolean {
  return type === 'number' || (Array.isArray(type) && type.includes('number'));
}

function partOf(schema: JsonSchema, name: 'items' | 'additionalProperties'): JsonSchema {
  const part = schema[name];
  return isJsonObject(part) ? part : {};
}

/** Of several shapes the one of objects. */
function objectShape(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  const shapes = Array.isArray(anyOf) && schema.properties === undefined ? anyOf.filter(isJsonObject) : [];
  return shapes.find(({ type }) => type === 'object') ?? schema;
}
