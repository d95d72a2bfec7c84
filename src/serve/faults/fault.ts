// Faults as values: what can go wrong and what it hits, their schema, and how they are read from a file or a header.
import { isJsonObject, type Json, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';

/** Which of the things that a fault concerns it hits. They are requests, events of a connection, or deliveries. */
export interface FaultWindow {
  /** Part of them that is hit, drawn from the seed: 0 to 1. All when left out. */
  readonly share?: number;
  /** So many pass first. */
  readonly skip?: number;
  /** So many are in reach after that; all when left out. */
  readonly times?: number;
  /** `skip` and `times` begin anew after so many. */
  readonly every?: number;
}

/** Faults of an answer. */
export type AnswerFault =
  | { readonly fault: 'latency'; readonly ms: number; readonly jitter?: number }
  | { readonly fault: 'reset'; readonly bytes?: number }
  | { readonly fault: 'truncated-gzip'; readonly bytes?: number }
  | { readonly fault: 'wrong-length'; readonly by?: number }
  | { readonly fault: 'error'; readonly status?: number; readonly retry_after?: number }
  | { readonly fault: 'limit'; readonly window: LimitFaultWindow; readonly retry_after?: number }
  | { readonly fault: 'page'; readonly as: PageLie }
  | { readonly fault: 'stale-etag' }
  | { readonly fault: 'clock-skew'; readonly seconds: number };

export type LimitFaultWindow = 'minute' | 'hour' | 'day' | 'month' | 'concurrency' | 'endpoint';
export type PageLie = 'repeated' | 'shifted' | 'empty' | 'total' | 'next';

/** Faults of the events of a stream. */
export type EventFault =
  | { readonly fault: 'stall'; readonly ms?: number }
  | { readonly fault: 'cut'; readonly bytes?: number }
  | { readonly fault: 'doubled' }
  | { readonly fault: 'late'; readonly by?: number; readonly ms?: number }
  | { readonly fault: 'reordered'; readonly size?: number; readonly ms?: number };

/** Faults of webhooks. */
type DeliveryFault = { readonly fault: 'webhook-doubled'; readonly copies?: number };

export type InjectedFault = AnswerFault | EventFault | DeliveryFault;
type FaultName = InjectedFault['fault'];

export type FaultRule = InjectedFault & FaultWindow & { readonly path?: string };

/** A rule with the name under which it draws. */
export interface NamedFault<F extends InjectedFault = InjectedFault> {
  readonly name: string;
  readonly rule: F & FaultWindow;
}

/** The values that a field of a fault accepts. */
type FieldRule =
  | { readonly kind: 'number' | 'integer'; readonly least: number; readonly most: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'choice'; readonly numbers: readonly number[] }
  | { readonly kind: 'path' };

export interface FaultKind {
  /** The target of the fault. */
  readonly of: 'answers' | 'events' | 'deliveries';
  readonly fields: Readonly<Record<string, FieldRule>>;
  readonly required: readonly string[];
}

const MINUTE_MS = 60_000;

const SHAPE = 'Write {"faults": [{"fault": "latency", "ms": 200}]}.';

const count = (least = 0, most = 1_000_000): FieldRule => ({ kind: 'integer', least, most });

/** Fields that every fault of a file may have; docs/faults.md describes them. */
const WINDOW_FIELDS: Readonly<Record<string, FieldRule>> = {
  share: { kind: 'number', least: 0, most: 1 },
  skip: count(),
  times: count(1),
  every: count(1),
};
export const FILE_FIELDS: Readonly<Record<string, FieldRule>> = { path: { kind: 'path' }, ...WINDOW_FIELDS };

/** The schema of a faults file: each fault, its fields, and what they may hold. */
export const FAULT_KINDS: Readonly<Record<FaultName, FaultKind>> = {
  latency: {
    of: 'answers',
    fields: { ms: count(0, MINUTE_MS), jitter: count(0, MINUTE_MS) },
    required: ['ms'],
  },
  reset: { of: 'answers', fields: { bytes: count(0, 1_000_000_000) }, required: [] },
  'truncated-gzip': { of: 'answers', fields: { bytes: count(0, 1_000_000_000) }, required: [] },
  'wrong-length': { of: 'answers', fields: { by: count(-1_000_000) }, required: [] },
  error: {
    of: 'answers',
    fields: { status: { kind: 'choice', numbers: [500, 502, 503, 504] }, retry_after: count(0, 86_400) },
    required: [],
  },
  limit: {
    of: 'answers',
    fields: {
      window: { kind: 'word', words: ['minute', 'hour', 'day', 'month', 'concurrency', 'endpoint'] },
      retry_after: count(0, 2_678_400),
    },
    required: ['window'],
  },
  page: {
    of: 'answers',
    fields: { as: { kind: 'word', words: ['repeated', 'shifted', 'empty', 'total', 'next'] } },
    required: ['as'],
  },
  'stale-etag': { of: 'answers', fields: {}, required: [] },
  'clock-skew': {
    of: 'answers',
    fields: { seconds: { kind: 'integer', least: -31_536_000, most: 31_536_000 } },
    required: ['seconds'],
  },
  stall: { of: 'events', fields: { ms: count(0, 60 * MINUTE_MS) }, required: [] },
  cut: { of: 'events', fields: { bytes: count() }, required: [] },
  doubled: { of: 'events', fields: {}, required: [] },
  late: { of: 'events', fields: { by: count(1, 1_000), ms: count(0, MINUTE_MS) }, required: [] },
  reordered: { of: 'events', fields: { size: count(2, 1_000), ms: count(0, MINUTE_MS) }, required: [] },
  'webhook-doubled': { of: 'deliveries', fields: { copies: count(1, 10) }, required: [] },
};

/** Reads a faults file. @throws {MacroError} usage: the first fault and the legal values. */
export function readFaults(text: string): readonly FaultRule[] {
  let body: unknown;
  try {
    body = readJson(text);
  } catch (error) {
    throw wrong('The faults file is no JSON.', SHAPE, error);
  }
  if (!isJsonObject(body)) throw wrong('The faults file has no list of faults.', SHAPE);
  const other = Object.keys(body).find((name) => name !== 'faults');
  if (other !== undefined) throw wrong(`The faults file does not know '${other}'.`, SHAPE);
  return readFaultList(body.faults);
}

/** Checks faults that another program gives as values. The same rules hold as for a file. */
export function readFaultList(faults: unknown): readonly FaultRule[] {
  if (!Array.isArray(faults)) throw wrong('There is no list of faults.', SHAPE);
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
