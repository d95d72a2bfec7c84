import type { Endpoint } from './endpoint.ts';
import { objectIn } from './json/json.ts';
import { type JsonSchema, object } from './json/schema.ts';
import { PAGING_NAMES } from './paging.ts';
import type { Params } from './params/params.ts';

/** The query parameters of an endpoint for another one that is paged in its own way. */
export function unpagedQuery({ query }: Endpoint): Params {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !PAGING_NAMES.has(name)));
}

/** What an endpoint says of itself that answers with the rows of another one. It says its path, paging and commands itself. */
export function aliasOf(endpoint: Endpoint) {
  const { group, checks = [], access, body, row, envelope = {}, fresh, versioned = false } = endpoint;
  const sameAs = { endpoint, args: {} };
  return { group, query: unpagedQuery(endpoint), checks, access, body, row, envelope, fresh, versioned, sameAs };
}

/** The shape of a row with further members in front. */
export function rowWith(fields: Readonly<Record<string, JsonSchema>>, row: JsonSchema): JsonSchema {
  const added = object(fields);
  const members = (schema: JsonSchema) => objectIn(schema.properties);
  const required = [added, row].flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []));
  return { ...row, properties: { ...members(added), ...members(row) }, required };
}
