// The parts of a tool, its request and answer, and the schemas that its arguments and results have in common.
import type { Endpoint } from '../contract/endpoint.ts';
import type { BodyShape } from '../contract/json/body.ts';
import { isJsonObject, objectIn } from '../contract/json/json.ts';
import { array, boolean, integer, type JsonSchema, nullable, object, open, string } from '../contract/json/schema.ts';
import { PAGING_NAMES } from '../contract/paging.ts';
import type { Param } from '../contract/params/param.ts';
import { AVAILABILITIES } from '../contract/time/moments.ts';
import { MacroError } from '../errors.ts';

/** A tool as data; the server lists and calls all of them alike. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Why nobody judges whether its answers are complete; undefined where the mirror does. */
  readonly unjudged?: string;
  /** `version` is the state of the answer that the first rows came from. */
  ask(given: GivenToTool, window: RowWindow, version: string | undefined): ToolRequest;
}

/** Which rows of an answer are requested. */
interface RowWindow {
  readonly offset: number;
  readonly limit: number;
}

export type ToolRequest =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: Endpoint;
      /** Arguments by their names in the interface. */
      readonly args: Readonly<Record<string, string>>;
      /** Left to the answer where its route knows no paging. */
      readonly window?: RowWindow;
    }
  | {
      readonly kind: 'command';
      readonly path: readonly string[];
      readonly words: readonly string[];
      readonly options: Readonly<Record<string, string | readonly string[]>>;
    };

/** A sentence beside an answer, or the error in place of one. */
export interface ToolMessage {
  readonly level: 'note' | 'warning' | 'error';
  readonly code: string | null;
  readonly message: string;
  readonly kind?: string;
  readonly hint?: string | null;
}

/** The JSON that the command line prints, and its messages. */
export interface ProgramAnswer {
  /** Empty where there is no answer. */
  readonly body: string;
  readonly messages: readonly ToolMessage[];
}

/** Puts a question to whoever answers. It rejects for bugs only: refusals are messages. */
export type AskProgram = (request: ToolRequest, signal: AbortSignal) => Promise<ProgramAnswer>;

export interface PackageDocument {
  /** `point-in-time.md` */
  readonly name: string;
  read(): string;
}

const DEFAULT_ROWS = 50;

const MOST_ROWS = 500;

/** Where the answer of a question keeps its rows. */
export function shapeOfAnswer(request: ToolRequest): BodyShape {
  return request.kind === 'endpoint' ? request.endpoint.body : { kind: 'list', member: 'data' };
}

/** Arguments of every tool. */
export const WINDOW_ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  limit: { ...integer('rows of one result'), minimum: 1, maximum: MOST_ROWS, default: DEFAULT_ROWS },
  cursor: string('page.next_cursor of the last result, with the same arguments, for the rows behind it'),
};

/** Arguments of a question that can be put at a moment of the past. */
export const PAST_ARGUMENTS: Readonly<Record<string, JsonSchema>> = {
  as_of: string('answer as it was known at this moment: an ISO time with Z, or a date, which is its beginning in UTC'),
  availability: {
    ...string('when a value counts as known: once published, once the service had it, once this mirror had it'),
    enum: [...AVAILABILITIES],
    default: 'public',
  },
};

/** The schema of arguments: nothing but the named ones. */
export function inputOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

const MISSING = object({
  'from?': { description: 'first date or number of the missing range' },
  'to?': { description: 'last one' },
  'series?': string('words of the series that is missing'),
});

const MESSAGE = object({ code: nullable(string()), message: string() });

export function outputOf(answer: JsonSchema): JsonSchema {
  const properties = {
    answer,
    mirror: object(
      {
        complete: nullable(boolean('false: rows are missing or values are null for want of rows; null: not judged')),
        'missing?': array(MISSING),
        'truncated?': boolean('more is missing than is listed'),
        'checked_at?': string('when the mirror last looked'),
        'reason?': string('why completeness is not judged'),
      },
      'how much of the question the mirror covers',
    ),
    synthetic: boolean('synthetic data: never to be taken for real'),
    as_of: nullable(string('the moment that the question was put at')),
    page: object({
      offset: integer('rows before these'),
      rows: integer('rows of this result'),
      total: nullable(integer('rows in all, where it is known')),
      next_cursor: nullable(string('argument cursor of the call that gives the next rows')),
    }),
    notes: array(MESSAGE, 'what else is to be known about the answer'),
    error: object({ code: string(), kind: string(), message: string(), hint: nullable(string()) }),
  };
  return {
    type: 'object',
    properties,
    anyOf: [{ required: ['answer', 'mirror', 'synthetic', 'as_of', 'page', 'notes'] }, { required: ['error'] }],
  };
}

export function rowsIn(row: JsonSchema, member = 'data'): JsonSchema {
  return object({ [member]: array(row) });
}

/** No honest argument is longer. */
const LONGEST = 20_000;

/** Arguments as texts, those of paging aside. */
interface GivenToTool {
  readonly texts: Readonly<Record<string, string>>;
  /** Arguments that are objects themselves. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly limit: RowWindow['limit'];
  readonly cursor: string | undefined;
}

/** Reads the form of arguments; whoever answers judges their meaning. @throws MacroError of kind `usage`. */
export function readToolArguments(tool: string, given: unknown, schema: JsonSchema): GivenToTool {
  const properties = objectIn(schema.properties);
  if (given !== undefined && !isJsonObject(given)) throw wrong('The arguments are no object.', tool, properties);
  const texts: Record<string, string> = {};
  const objects: Record<string, Record<string, string>> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(properties, name))
      throw wrong(`${tool} has no argument '${name.slice(0, 60)}'.`, tool, properties);
    if (value === null) continue;
    if (objectIn(properties[name]).type === 'object') objects[name] = textsIn(tool, name, value);
    else texts[name] = textOf(tool, name, value);
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((name) => texts[String(name)] === undefined && objects[String(name)] === undefined);
  if (missing.length > 0) throw wrong(`${tool} needs ${missing.join(' and ')}.`, tool, properties);
  const { limit, cursor, ...others } = texts;
  return { texts: others, objects, limit: readLimit(limit), cursor };
}

function textsIn(tool: string, name: string, value: unknown): Record<string, string> {
  if (!isJsonObject(value)) throw wrongType(tool, name, 'an object');
  return Object.fromEntries(
    Object.entries(value).flatMap(([inner, one]) =>
      one === null ? [] : [[inner, textOf(tool, `${name}.${inner}`, one)]],
    ),
  );
}

function textOf(tool: string, name: string, value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return textOf(tool, name, value.join(','));
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw wrongType(tool, name, 'a string, a number, a truth value or a list of strings');
  const text = String(value);
  if (text.length <= LONGEST) return text;
  throw new MacroError('usage', `${name} of ${tool} is longer than ${LONGEST} characters.`, {
    code: 'bad_arguments',
    hint: 'Give less at once.',
  });
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROWS;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_ROWS) return Number(text);
  throw new MacroError('usage', `'${text.slice(0, 60)}' is no value for limit.`, {
    code: 'bad_arguments',
    hint: `Give a whole number from 1 to ${MOST_ROWS}; next_cursor leads to more rows.`,
  });
}

function wrongType(tool: string, name: string, legal: string): MacroError {
  return new MacroError('usage', `${name.slice(0, 60)} of ${tool} has a wrong type.`, {
    code: 'bad_arguments',
    hint: `Give ${legal}.`,
  });
}

function wrong(sentence: string, tool: string, properties: object): MacroError {
  return new MacroError('usage', sentence, {
    code: 'bad_arguments',
    hint: `Legal arguments of ${tool}: ${Object.keys(properties).join(', ')}.`,
  });
}

/** A tool of one endpoint: its schemas are those of the contract. */
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
