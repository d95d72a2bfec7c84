import { type Finding, MacroError } from '../../errors.ts';
import { isJsonObject, type JsonObject, readJson } from '../json/json.ts';
import type { JsonSchema } from '../json/schema.ts';
import type { Args, RawArgs } from './param.ts';
import { bodyFindings } from './read-body.ts';

/**
 * A question whose arguments stand in a JSON body, because they are too many for an address. The body is only another
 * spelling of the query: `readParams` stays the one reader of arguments.
 */
export interface PostRead {
  /** Shape of the body: the document copies it and bodies are stored to it. */
  readonly body: JsonSchema;
  /** The raw query that a body of this shape stands for. */
  toQuery(body: JsonObject): RawArgs['query'];
  /** The body that read arguments stand for. */
  toBody(args: Args): JsonObject;
}

/** A body of a megabyte can be wrong in a hundred thousand places. */
const MAX_FINDINGS = 100;

/** The raw query of a request body. Throws everything that is wrong with its shape as one `usage` error. */
export function readBody(post: PostRead, bytes: Uint8Array, contentType: string | undefined): RawArgs['query'] {
  return post.toQuery(readPostedJson(post.body, bytes, contentType));
}

/** A request body that fits a schema. Throws everything that is wrong with it as one `usage` error. */
export function readPostedJson(schema: JsonSchema, bytes: Uint8Array, contentType: string | undefined): JsonObject {
  return checkBody(schema, parseBody(bytes, contentType));
}

/**
 * A body that fits its schema, whoever made it: the same findings on both faces.
 * @throws MacroError of kind `usage`.
 */
export function checkBody(schema: JsonSchema, body: unknown): JsonObject {
  const findings = bodyFindings(schema, body).slice(0, MAX_FINDINGS);
  if (findings.length > 0 || !isJsonObject(body)) throw wrongBody(findings);
  return body;
}

function parseBody(bytes: Uint8Array, contentType = ''): unknown {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim())) throw notJson();
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw notJson('JSON decode error');
  }
}

/** The refusal of a body that is no JSON, or says that it is something else. */
export function notJson(msg = 'The body should be sent as application/json'): MacroError {
  return wrongBody([{ loc: ['body'], msg, type: 'json_invalid', input: null }]);
}

function wrongBody(findings: readonly Finding[]): MacroError {
  const message = findings.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return new MacroError('usage', `The body cannot be read: ${message}.`, { status: 422, findings });
}

/**
 * Runs a reading of the query that a body stood for; what it finds is told of the body.
 * @throws MacroError of kind `usage`.
 */
export async function inBodyWords<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MacroError) || error.findings.length === 0) throw error;
    throw wrongBody(
      error.findings.map((finding) => ({
        ...finding,
        loc: finding.loc[0] === 'query' ? ['body', ...finding.loc.slice(1)] : finding.loc,
      })),
    );
  }
}
