import { readdirSync, readFileSync } from 'node:fs';
import { optionName } from '../../src/cli/parse/options.ts';
import { isServed } from '../../src/contract/capabilities.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { memberSpans } from '../../src/contract/json/scan.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import type { Args } from '../../src/contract/params/params.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { type Finding, MacroError } from '../../src/errors.ts';
import { TEST_NOW } from '../support/platform.ts';

const FOLDER = new URL('../fixtures/wire/', import.meta.url);

/** An answer as the service would send it, written by hand from the specification. */
export interface WireFixture {
  readonly endpoint: Endpoint;
  readonly question: RawArgs;
  readonly args: Args;
  readonly now: string;
  /** The body with its own spelling. */
  readonly body: string;
}

/** Ids of all files in the folder, whether an endpoint has that id or not. */
export const fixtureIds: readonly string[] = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ''));

export function readFixture(endpoint: Endpoint): WireFixture {
  const text = readFileSync(new URL(`${endpoint.id}.json`, FOLDER), 'utf8');
  const { question, now } = JSON.parse(text);
  const span = memberSpans(text).find(({ name }) => name === 'body');
  if (!span) throw new Error(`${endpoint.id}.json has no body`);
  const { args } = readParams(endpoint, question, { mode: 'strict', now: Date.parse(now) });
  return { endpoint, question, args, now, body: text.slice(span.start, span.end) };
}

/** The address of a question below a host; path words as they are. */
export function addressOf(endpoint: Endpoint, { path, query }: RawArgs): string {
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, value);
  return asked.size === 0 ? filled : `${filled}?${asked}`;
}

/** The question of the endpoint's own example. */
export function exampleOf({ doc }: Endpoint): RawArgs {
  return { path: doc.example, query: doc.exampleQuery ?? {} };
}

/**
 * Every endpoint that answers a GET with one body, beside its id, for `describe.each`. The contract of any other one says
 * what it is instead: a stream, a place to write to, or no route of this program and why.
 */
export const EACH = ENDPOINTS.filter(
  (endpoint) => endpoint.body.kind !== 'stream' && !endpoint.writeOnly && isServed(endpoint),
).map((endpoint) => [endpoint.id, endpoint] as const);

/** A row without some members, and without those that are there because the question added them. */
export function plainRow({ mirror }: Endpoint, row: JsonObject, left: readonly string[] = []): JsonObject {
  const added = Object.values(mirror?.effects ?? {}).flatMap((effect) => (effect.does === 'adds' ? effect.rows : []));
  return Object.fromEntries(Object.entries(row).filter(([name]) => ![...left, ...added].includes(name)));
}

/** The command line of a question: the endpoint's own command, or `macro api` where it has none. */
export function lineOf(endpoint: Endpoint, raw: RawArgs): string {
  if (!endpoint.cli) return `api '${addressOf(endpoint, raw)}'`;
  const words = [...endpoint.cli.words, ...Object.keys(endpoint.at).map((name) => raw.path[name])];
  const options = Object.entries(raw.query).map(([name, value]) => `'--${optionName(name)}=${value}'`);
  return [...words, ...options].join(' ');
}

/** What the terminal's reading finds wrong with a question. */
export function findingsOf(endpoint: Endpoint, question: RawArgs): readonly Finding[] {
  try {
    readParams(endpoint, question, { mode: 'liberal', now: TEST_NOW });
    return [];
  } catch (error) {
    if (error instanceof MacroError) return error.findings;
    throw error;
  }
}
