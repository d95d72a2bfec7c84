import { expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../src/contract/json/json.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { addressOf, EACH, exampleOf } from '../laws/wire.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const DOCUMENT = openApiDocument(ENDPOINTS, { title: 'x', version: '1', labels: LABELS, prefixes: ['/v1'] });
const SCHEMAS = objectIn(objectIn(DOCUMENT.components).schemas);

/** Paths of members of a value that its schema does not name. A schema without a shape allows anything. */
function unnamed(value: Json, schema: JsonObject, path: string): readonly string[] {
  const shapes = shapesOf(schema);
  if (Array.isArray(value)) {
    const items = shapes.flatMap(({ items: each }) => (isJsonObject(each) ? [each] : []));
    return value.flatMap((one) => unnamed(one, { anyOf: items }, `${path}[]`));
  }
  if (!isJsonObject(value)) return [];
  if (shapes.every((one) => one.properties === undefined && one.additionalProperties === undefined))
    return Object.keys(value).map((name) => `${path}.${name}`);
  return Object.entries(value).flatMap(([name, member]) => {
    const named = shapes.flatMap(({ properties, additionalProperties }) => {
      const own = objectIn(properties)[name];
      if (isJsonObject(own)) return [own];
      return isJsonObject(additionalProperties) ? [additionalProperties] : [];
    });
    return named.length === 0 ? [`${path}.${name}`] : unnamed(member, { anyOf: named }, `${path}.${name}`);
  });
}

/** The alternatives of a schema, with what it refers to in place of the reference. */
function shapesOf(schema: JsonObject): readonly JsonObject[] {
  const { $ref: reference, anyOf, allOf } = schema;
  if (typeof reference === 'string') return shapesOf(objectIn(SCHEMAS[reference.split('/').at(-1) ?? '']));
  const parts = [anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  if (parts.length > 0) return parts.flatMap(shapesOf);
  return [schema];
}

/** Headers of HTTP itself and for browsers, which no description lists. */
const OF_TRANSPORT: ReadonlySet<string> = new Set([...['connection', 'content-length', 'content-type', 'date']]);

/** Words whose answers have members that those of the examples lack. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR', 'GBP'],
  indicator: ['policy_rate', 'gov_bond_10y', 'unemployment', 'gdp'],
  quote: ['GBP'],
};

/** The example of an endpoint, with other words of its path, and with each word of each of its parameters. */
function questionsOf(endpoint: Endpoint): readonly RawArgs[] {
  const example = exampleOf(endpoint);
  const elsewhere = Object.keys(endpoint.at).flatMap((name) =>
    (OTHER_WORDS[name] ?? []).map((word) => ({ ...example, path: { ...example.path, [name]: word } })),
  );
  const varied = Object.entries(endpoint.query).flatMap(([name, { words, kind, schema }]) => {
    const values = kind === 'indicators' ? ['all'] : schema.type === 'boolean' ? ['true', 'false'] : words;
    return values.map((value) => ({ ...example, query: { ...example.query, [name]: value } }));
  });
  return [example, ...elsewhere, ...varied];
}

/** An answer of a status as the document has it. */
function describedAnswer({ path }: Endpoint, status: number) {
  const operation = objectIn(objectIn(objectIn(DOCUMENT.paths)[path]).get);
  const told = objectIn(objectIn(operation.responses)[String(status)]);
  const { responses } = objectIn(DOCUMENT.components);
  const answer =
    typeof told.$ref === 'string' ? objectIn(objectIn(responses)[told.$ref.split('/').at(-1) ?? '']) : told;
  const schema = objectIn(objectIn(objectIn(answer.content)['application/json']).schema);
  return { schema, headers: new Set(Object.keys(objectIn(answer.headers)).map((name) => name.toLowerCase())) };
}

it.each(EACH)('%s: every member that is sent is in the document', async (_, endpoint) => {
  const { platform, clock } = testPlatform();
  const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
  const unknown = new Set<string>();
  for (const question of questionsOf(endpoint)) {
    try {
      readParams(endpoint, question, { mode: 'strict', now: clock.now() });
    } catch {
      continue;
    }
    for (const key of [{}, { 'x-api-key': 'k-test' }]) {
      const answer = await fetch(`${SERVICE_URL}${addressOf(endpoint, question)}`, { headers: key } as RequestInit);
      const { schema, headers } = describedAnswer(endpoint, answer.status);
      for (const name of answer.headers.keys())
        if (!headers.has(name) && !OF_TRANSPORT.has(name)) unknown.add(`${answer.status} header ${name}`);
      for (const path of unnamed(JSON.parse(await answer.text()), schema, '')) unknown.add(`${answer.status} ${path}`);
    }
  }
  expect([...unknown].sort()).toEqual([]);
});
