import {
  asJsonText,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonText,
  toJsonText,
} from '../contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../contract/json/schema.ts';
import { wholeRange } from '../contract/time/coverage.ts';
import { endpointById } from '../endpoints/index.ts';
import type { AnswerCommit, NewRow } from '../mirror/api/page-commit.ts';
import { GENERATED_ACCESS } from '../mirror/rules/coverage.ts';
import type { World } from './world.ts';

/** Identity of every sandbox: series, stamps and answers are named by it. */
export const SANDBOX_ORIGIN = 'sandbox';

/** Publisher of everything here: nothing synthetic may be taken for real. */
export const SANDBOX_LABEL = 'Sandbox (synthetic)';

/** A name that no resolver may ever answer (RFC 2606), so that no link leads to a real publisher. */
export const SANDBOX_URL = 'https://sandbox.invalid/';

export interface GeneratedSeries {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly envelope?: JsonObject;
  readonly rows: readonly NewRow[];
}

/** A series of an endpoint, whose rows are these objects. */
export function generatedSeries(
  endpoint: string,
  scope: GeneratedSeries['scope'],
  envelope: JsonObject,
  rows: readonly JsonObject[],
): GeneratedSeries {
  return { endpoint, scope, envelope, rows: rows.map((row) => rowOf(endpoint, row)) };
}

/** A row of an endpoint, with its text as the shape of its rows spells it. */
export function rowOf(endpoint: string, value: JsonObject, name?: string): NewRow {
  const text = spelledBy(endpointById(endpoint)?.row ?? {}, value);
  return name === undefined ? { text, value } : { text, value, name };
}

/** The commit that makes a generated series the whole of what the mirror has of it. */
export function commitOfSeries(world: World, series: GeneratedSeries): AnswerCommit {
  const { endpoint, scope, envelope, rows } = series;
  const mapping = endpointById(endpoint)?.mirror;
  const covered = mapping && wholeRange(mapping, world.now);
  const name = [endpoint, ...Object.values(scope)].join('/');
  return {
    series: { origin: SANDBOX_ORIGIN, endpoint, scope },
    nature: 'synthetic',
    access: GENERATED_ACCESS,
    request: `generated ${name}`,
    // No real question reads like this, so that nothing generated is ever served as an answer captured whole.
    question: `sandbox ${name}`,
    ...(envelope && { envelope: { text: toJsonText(envelope), inputs: filledText(world) } }),
    rows,
    extent: 'replaces',
    ...(covered && { covered: { ...covered, rows: rows.length } }),
    at: world.now,
  };
}

/** The inputs of a filled data set, as one text. */
export function filledText({ seed, size, today }: Pick<World, 'seed' | 'size' | 'today'>): string {
  return `sandbox seed=${seed} size=${size} day=${today}`;
}

/** The text of a row: numbers of its shape have a point (`3.0`), unshaped members follow the row's own. */
function spelledBy(row: JsonSchema, value: JsonObject): JsonText {
  return asJsonText(textOf(row, value, propertiesOf(row)) ?? 'null');
}

/** Undefined for what JSON leaves out. */
function textOf(schema: JsonSchema, value: Json | undefined, known: JsonObject): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && isMeasured(schema) ? `${value}.0` : JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((item) => textOf(partOf(schema, 'items'), item, known) ?? 'null').join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const shape = objectShape(schema);
  const isOpen = shape.properties === undefined && shape.additionalProperties === undefined;
  const [properties, others] = [isOpen ? known : propertiesOf(shape), partOf(shape, 'additionalProperties')];
  let members = '';
  for (const name in value) {
    const named = properties[name];
    const text = textOf(isJsonObject(named) ? named : others, value[name], known);
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return `{${members}}`;
}

function isMeasured({ type }: JsonSchema): boolean {
  return type === 'number' || (Array.isArray(type) && type.includes('number'));
}

function partOf(schema: JsonSchema, name: 'items' | 'additionalProperties'): JsonSchema {
  const part = schema[name];
  return isJsonObject(part) ? part : {};
}

/** The shape of objects, if there are several. */
function objectShape(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  const shapes = Array.isArray(anyOf) && schema.properties === undefined ? anyOf.filter(isJsonObject) : [];
  return shapes.find(({ type }) => type === 'object') ?? schema;
}
