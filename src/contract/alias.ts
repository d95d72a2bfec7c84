import type { Endpoint } from './endpoint.ts';
import { isJsonObject } from './json/json.ts';
import { type JsonSchema, object } from './json/schema.ts';
import { PAGING_NAMES } from './paging.ts';
import type { Params } from './params/params.ts';

/** The query parameters of an endpoint for another one that is paged in its own way. */
export function unpagedQuery({ query }: Endpoint): Params {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !PAGING_NAMES.has(name)));
}

/** The shape of a row with further members in front. */
export function rowWith(fields: Readonly<Record<string, JsonSchema>>, row: JsonSchema): JsonSchema {
  const added = object(fields);
  const members = (schema: JsonSchema) => (isJsonObject(schema.properties) ? schema.properties : {});
  const required = [added, row].flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []));
  return { ...row, properties: { ...members(added), ...members(row) }, required };
}
