import { type Endpoint, WRITE_VERBS, type WriteVerb } from '../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, objectIn } from '../contract/json/json.ts';
import { type JsonSchema, mapOf } from '../contract/json/schema.ts';
import { SHARED_SHAPES } from './shared-schemas.ts';

const NAMES = new Map(Object.entries(SHARED_SHAPES).map(([name, shape]) => [shape, name]));

/** Name of an endpoint's schemas: RiskSentiment for `risk_sentiment`. */
function nameOf({ id }: Endpoint): string {
  return id.replace(/(^|_)([a-z0-9])/g, (_all, _gap, letter: string) => letter.toUpperCase());
}

export function bodyRef(endpoint: Endpoint): JsonObject {
  return { $ref: `#/components/schemas/${nameOf(endpoint)}Response` };
}

/** The body that a question may be posted in. */
export function postRef(endpoint: Endpoint): JsonObject {
  return { $ref: `#/components/schemas/${nameOf(endpoint)}Request` };
}

/** What an operation that changes something is sent, and what it answers. */
export function writeRefs(endpoint: Endpoint, verb: WriteVerb): Readonly<Record<'request' | 'response', JsonObject>> {
  const name = writeName(endpoint, verb);
  return {
    request: { $ref: `#/components/schemas/${name}Request` },
    response: { $ref: `#/components/schemas/${name}Response` },
  };
}

function writeName(endpoint: Endpoint, verb: WriteVerb): string {
  return `${nameOf(endpoint)}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
}

/** The schemas of an endpoint: its body, where it has rows one row, and what its other operations are sent and answer. */
export function bodySchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  const { post, writeOnly } = endpoint;
  const schemas = {
    ...(!writeOnly && answerSchemas(endpoint)),
    ...(post && { [`${nameOf(endpoint)}Request`]: post.body }),
    ...writeSchemas(endpoint),
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, documentSchema(schema)]));
}

function writeSchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    WRITE_VERBS.flatMap((verb) => {
      const { body, answer } = endpoint.writes?.[verb] ?? {};
      const name = writeName(endpoint, verb);
      return [...(body ? [[`${name}Request`, body]] : []), ...(answer ? [[`${name}Response`, answer]] : [])];
    }),
  );
}

function answerSchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  const name = nameOf(endpoint);
  // Of a stream it is the shape of the data of one event.
  if (endpoint.body.kind === 'document' || endpoint.body.kind === 'stream')
    return { [`${name}Response`]: endpoint.row };
  const row = { $ref: `#/components/schemas/${name}Row` };
  return { [`${name}Row`]: endpoint.row, [`${name}Response`]: bodyOf(endpoint, row) };
}

function bodyOf(endpoint: Endpoint, row: JsonObject): JsonSchema {
  const { body, envelope, paging, versioned } = endpoint;
  const beside = objectIn(envelope?.properties);
  const required = Array.isArray(envelope?.required) ? envelope.required : [];
  if (body.kind === 'map') return mapBody(row, beside, required);
  const member = body.kind === 'list' ? body.member : 'data';
  return {
    type: 'object',
    properties: {
      ...beside,
      ...(versioned && { dataset_version: { type: 'string', pattern: '^[0-9a-f]{64}$' } }),
      ...(paging.kind === 'offset' && { pagination: { $ref: '#/components/schemas/Pagination' } }),
      [member]: { type: 'array', items: row },
    },
    required: [...required, ...(paging.kind === 'offset' ? ['pagination'] : []), member],
  };
}

/**
 * Rows by their names, with members of other shapes among them. Both are one `allOf` and not `properties` beside
 * `additionalProperties`, since no type of TypeScript says the latter and generated clients would not compile.
 */
function mapBody(row: JsonObject, beside: JsonObject, required: readonly Json[]): JsonSchema {
  const members = Object.values(beside);
  const named: JsonSchema = { type: 'object', properties: beside, ...(required.length > 0 && { required }) };
  return { allOf: [named, mapOf({ anyOf: [row, ...members] })] };
}

/**
 * A schema of the contract as the document shows it: what many answers share by reference, and every shape of a row in
 * full. Generators of clients see no connection between members and the `anyOf` beside them.
 */
function documentSchema(schema: JsonSchema): JsonSchema {
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
