import type { Endpoint } from '../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { JsonSchema } from '../contract/schema.ts';

/** Name of an endpoint's schemas: `risk_sentiment` is `RiskSentiment`. */
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

/** The schemas of an endpoint: its body, where it has rows one row, and where it is posted the request. */
export function bodySchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  const { post } = endpoint;
  return { ...answerSchemas(endpoint), ...(post && { [`${nameOf(endpoint)}Request`]: post.body }) };
}

function answerSchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  const name = nameOf(endpoint);
  if (endpoint.body.kind === 'document') return { [`${name}Response`]: endpoint.row };
  const row = { $ref: `#/components/schemas/${name}Row` };
  return { [`${name}Row`]: endpoint.row, [`${name}Response`]: bodyOf(endpoint, row) };
}

function bodyOf(endpoint: Endpoint, row: JsonObject): JsonSchema {
  const { body, envelope, paging, versioned } = endpoint;
  const beside = isJsonObject(envelope?.properties) ? envelope.properties : {};
  const required = Array.isArray(envelope?.required) ? envelope.required : [];
  if (body.kind === 'map') {
    const others = Object.fromEntries(body.besides.map((member): [string, JsonSchema] => [member, {}]));
    return { type: 'object', properties: { ...others, ...beside }, required, additionalProperties: row };
  }
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
