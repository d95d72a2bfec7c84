import type { Endpoint } from '../../contract/endpoint.ts';
import { type JsonSchema, propertiesOf, string } from '../../contract/json/schema.ts';

export const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema of a row as `ndjson` prints it; a row that the service names by a member carries that name. */
export function rowSchema({ id, row, body, doc }: Endpoint): JsonSchema {
  const described = { $schema: SCHEMA_DIALECT, title: id, description: doc.summary, ...row };
  if (body.kind !== 'map') return described;
  return { ...described, properties: { [body.keyName]: string(), ...propertiesOf(row) } };
}
