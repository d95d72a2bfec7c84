// Reads faults from a file or a header and checks them against the schema.
import { isJsonObject, type Json, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { FaultRule, FaultWindow, InjectedFault } from './fault.ts';
import { FAULT_KINDS, FILE_FIELDS, type FieldRule, WINDOW_FIELDS } from './fault-kinds.ts';

const SHAPE = 'Write {"faults": [{"fault": "latency", "ms": 200}]}.';

/**
 * Reads a faults file.
 *
 * @throws {MacroError} usage: names the first fault that does not fit the schema, and the legal values.
 */
export function readFaults(text: string): readonly FaultRule[] {
  let body: unknown;
  try {
    body = readJson(text);
  } catch (error) {
    throw wrong('The faults file is no JSON.', SHAPE, error);
  }
  if (!isJsonObject(body) || !Array.isArray(body.faults)) throw wrong('The faults file has no list of faults.', SHAPE);
  const other = Object.keys(body).find((name) => name !== 'faults');
  if (other !== undefined) throw wrong(`The faults file does not know '${other}'.`, SHAPE);
  return readFaultList(body.faults);
}

/** Checks faults that another program gives as values. The same rules hold as for a file. */
export function readFaultList(faults: readonly unknown[]): readonly FaultRule[] {
  // The schema has checked every member.
  return faults.map((fault, index) => checkFault(fault, `Fault ${index + 1}`, FILE_FIELDS) as FaultRule);
}

/** Reads the header of a request: `latency; ms=200, page; as=shifted`. */
export function readFaultHeader(text: string): readonly (InjectedFault & FaultWindow)[] {
  return text.split(',').map((part, index) => {
    const [fault = '', ...fields] = part.split(';').map((word) => word.trim());
    const entries = fields.map((field): [string, Json] => {
      const [name = '', value = ''] = field.split('=', 2).map((word) => word.trim());
      return [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
    });
    const checked = checkFault({ fault, ...Object.fromEntries(entries) }, `Fault ${index + 1}`, WINDOW_FIELDS);
    return checked as InjectedFault & FaultWindow; // the schema has checked every member
  });
}

function checkFault(value: unknown, where: string, common: Readonly<Record<string, FieldRule>>): object {
  if (!isJsonObject(value)) throw wrong(`${where} is no object.`, SHAPE);
  const { fault, ...fields } = value;
  const [name, kind] = Object.entries(FAULT_KINDS).find(([known]) => known === fault) ?? [];
  if (!kind) {
    const what = typeof fault === 'string' ? `'${fault}' is no fault` : 'the member "fault" is missing';
    throw wrong(`${where}: ${what}.`, `Legal faults: ${Object.keys(FAULT_KINDS).join(', ')}.`);
  }
  const known = { ...kind.fields, ...common };
  for (const [field, content] of Object.entries(fields)) {
    const rule = Object.hasOwn(known, field) ? known[field] : undefined;
    if (!rule)
      throw wrong(`${where}: ${name} has no field '${field}'.`, `Legal fields: ${Object.keys(known).join(', ')}.`);
    if (!isLegal(rule, content))
      throw wrong(`${where}: ${JSON.stringify(content)} is no value for ${field} of ${name}.`, `Give ${legal(rule)}.`);
  }
  const missing = kind.required.find((field) => fields[field] === undefined);
  if (missing === undefined) return value;
  const rule = kind.fields[missing];
  throw wrong(`${where}: ${name} needs ${missing}.`, rule ? `Give ${legal(rule)}.` : SHAPE);
}

function isLegal(rule: FieldRule, value: Json | undefined): boolean {
  if (rule.kind === 'word') return typeof value === 'string' && rule.words.includes(value);
  if (rule.kind === 'path') return typeof value === 'string' && value.startsWith('/');
  if (typeof value !== 'number') return false;
  if (rule.kind === 'choice') return rule.numbers.includes(value);
  return value >= rule.least && value <= rule.most && (rule.kind === 'number' || Number.isInteger(value));
}

function legal(rule: FieldRule): string {
  if (rule.kind === 'word') return `one of ${rule.words.join(', ')}`;
  if (rule.kind === 'choice') return `one of ${rule.numbers.join(', ')}`;
  if (rule.kind === 'path') return 'a path that begins with /, such as /v1/forex/*';
  return `${rule.kind === 'integer' ? 'a whole number' : 'a number'} from ${rule.least} to ${rule.most}`;
}

function wrong(message: string, hint: string, cause?: unknown): MacroError {
  return new MacroError('usage', message, { code: 'bad_faults', hint, ...(cause !== undefined && { cause }) });
}
