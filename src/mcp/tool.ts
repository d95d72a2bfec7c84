// What a tool is, and the schemas that its arguments and results have in common.
import type { BodyShape } from '../contract/json/body.ts';
import { array, boolean, integer, type JsonSchema, nullable, object, string } from '../contract/json/schema.ts';
import { AVAILABILITIES } from '../contract/time/moments.ts';
import { DEFAULT_ROWS, type GivenToTool, MOST_ROWS } from './arguments.ts';
import type { RowWindow, ToolRequest } from './tool-request.ts';

/** A tool as data; the server lists and calls all of them alike. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Why nobody judges whether its answers are complete; undefined where the mirror does. */
  readonly unjudged?: string;
  /** `version` is what the first rows told of the state of the answer. */
  ask(given: GivenToTool, window: RowWindow, version: string | undefined): ToolRequest;
}

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
  as_of: string('only what was known at this moment: an ISO time with Z, or a date, which is its beginning in UTC'),
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

/** The schema of results around the schema of an answer. */
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

/** The schema of an answer whose rows stand in `data`. */
export function rowsIn(row: JsonSchema, member = 'data'): JsonSchema {
  return object({ [member]: array(row) });
}
