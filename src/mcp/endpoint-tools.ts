// Tools that ask one endpoint: their schemas are those of the contract.
import type { Endpoint } from '../contract/endpoint.ts';
import { type JsonSchema, open } from '../contract/json/schema.ts';
import { PAGING_NAMES } from '../contract/paging.ts';
import type { Param } from '../contract/params/param.ts';
import { inputOf, outputOf, PAST_ARGUMENTS, rowsIn, type Tool, WINDOW_ARGUMENTS } from './tool.ts';
import type { RowWindow, ToolRequest } from './tool-request.ts';

/** A tool of one endpoint. */
export function endpointTool(endpoint: Endpoint, labels: Pick<Tool, 'name' | 'title' | 'description'>): Tool {
  const required = Object.entries(endpoint.at).flatMap(([name, { required }]) => (required ? [name] : []));
  return {
    ...labels,
    input: inputOf({ ...argumentSchemas(endpoint), ...PAST_ARGUMENTS, ...WINDOW_ARGUMENTS }, required),
    output: outputOf(answerSchema(endpoint)),
    ask: ({ texts }, window, version) => askEndpoint(endpoint, texts, { window, version }),
  };
}

/** The question that texts put to an endpoint; a version pins a history that may change between two pages. */
export function askEndpoint(
  endpoint: Endpoint,
  texts: Readonly<Record<string, string>>,
  { window, version }: { readonly window: RowWindow; readonly version: string | undefined },
): ToolRequest {
  const isPaged = endpoint.paging.kind === 'offset';
  const pin = isPaged && endpoint.versioned && version !== undefined ? { dataset_version: version } : {};
  return { kind: 'endpoint', endpoint, args: { ...texts, ...pin }, ...(isPaged && { window }) };
}

/** Arguments of an endpoint but for those of paging, with the words of the contract. */
export function argumentSchemas({ at, query }: Endpoint): Readonly<Record<string, JsonSchema>> {
  const own = Object.entries(query).filter(([name]) => !PAGING_NAMES.has(name) && name !== 'dataset_version');
  return Object.fromEntries([...Object.entries(at), ...own].map(([name, param]) => [name, schemaOf(param)]));
}

function schemaOf({ doc, schema }: Param): JsonSchema {
  return { description: doc, ...schema };
}

function answerSchema({ body, row }: Endpoint): JsonSchema {
  return body.kind === 'list' ? rowsIn(row, body.member) : { type: 'object', ...open };
}
