import type { Endpoint, WriteVerb } from '../contract/endpoint.ts';
import type { Json, JsonObject } from '../contract/json/json.ts';
import type { Param } from '../contract/params/params.ts';
import { provisionalMarks, SHARED_DECISIONS } from './provisional.ts';

/** `forex_v1_forex__base___quote__get`: handler and path with every odd sign as an underscore, then the verb. */
export function operationId({ id, path }: Endpoint, verb: 'get' | WriteVerb): string {
  return `${`${id}${path}`.replace(/\W/g, '_')}_${verb}`;
}

/** Alternatives: no key first where keyless callers see something. */
export function securityOf({ access }: Endpoint): readonly JsonObject[] {
  const keyed = [{ APIKeyHeader: [] }, { HTTPBearer: [] }];
  return access.class === 'keyed' ? keyed : [{}, ...keyed];
}

/** Parameters of a GET. */
export function parametersOf(endpoint: Endpoint): readonly JsonObject[] {
  const { query, doc, body } = endpoint;
  const own = [
    ...pathParameters(endpoint),
    ...Object.entries(query).map(([name, param]) => parameterOf('query', name, param, doc.exampleQuery?.[name])),
  ];
  // A stream has no validator; where it goes on stands in a header of its own.
  const shared = Object.keys(componentParameters()).filter((name) => body.kind !== 'stream' || name !== 'IfNoneMatch');
  return [
    ...own,
    ...(body.kind === 'stream' ? [LAST_EVENT_ID] : []),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

const LAST_EVENT_ID: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Last event that the caller holds; everything after it is sent again',
  schema: { type: 'string' },
};

export function pathParameters({ at, doc }: Endpoint): readonly JsonObject[] {
  return Object.entries(at).map(([name, param]) => parameterOf('path', name, param, doc.example[name]));
}

/** Kinds whose value is a comma-separated list. */
const LISTS: ReadonlySet<string> = new Set(['choices', 'words', 'instants', 'series']);

function parameterOf(place: 'path' | 'query', name: string, param: Param, example: string | undefined): JsonObject {
  const isList = LISTS.has(param.kind);
  return {
    name,
    in: place,
    required: place === 'path' || param.required,
    description: param.doc,
    ...(isList && { style: 'form', explode: false }),
    schema: isList ? listSchema(param) : param.schema,
    ...provisionalMarks(SHARED_DECISIONS[name]),
    ...(example !== undefined && { example: isList ? example.split(',') : typedExample(example, param) }),
  };
}

/** The value of a word of an address, where it stands for a number or a truth value. */
function typedExample(example: string, { schema }: Param): Json {
  return TYPED.has(schema.type) ? JSON.parse(example) : example;
}

const TYPED: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'number']);

function listSchema({ words }: Param): JsonObject {
  return { type: 'array', items: { type: 'string', ...(words.length > 0 && { enum: [...words] }) } };
}

/** Parameters that every operation takes. */
export function componentParameters(): JsonObject {
  return {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'Validators that the caller holds; a match is answered with 304',
      schema: { type: 'string' },
    },
    ApiKeyQuery: {
      name: 'api_key',
      in: 'query',
      required: false,
      deprecated: true,
      description: 'API key in the address; send the header instead, since addresses end up in logs',
      schema: { type: 'string' },
    },
  };
}
