import type { JsonSchema } from '../../../contract/json/schema.ts';
import { endpointById } from '../../../endpoints/index.ts';
import type { App } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import { rowSchema, SCHEMA_DIALECT } from '../../print/answer.ts';
import { indentJson } from '../../print/json.ts';
import type { Call, CommandSpec } from '../command.ts';

/** Commands whose rows are those of an endpoint, by its id. */
const BY_ENDPOINT: Readonly<Record<string, string>> = {
  wait: 'announcements',
  'webhooks create': 'webhook_subscription',
  'webhooks deliveries': 'webhook_deliveries',
  'webhooks enable': 'webhook_subscription',
  'webhooks list': 'webhook_subscriptions',
  'webhooks rotate-secret': 'webhook_subscription',
  'webhooks show': 'webhook_subscription',
  'webhooks trigger': 'announcements_changes',
  'webhooks update': 'webhook_subscription',
};

/** A column for each currency that is compared. */
const COMPARED: JsonSchema = {
  type: 'object',
  properties: { date: { type: 'string' } },
  required: ['date'],
  patternProperties: { '^[a-z]{3}$': { type: ['number', 'null'] } },
  additionalProperties: false,
};

const IMPORTED: RowFields = {
  format: 'text',
  file: 'text',
  series: 'count',
  rows: 'count',
  added: 'count',
  revised: 'count',
  vanished: 'count',
  unchanged: 'count',
  from: 'text?',
  to: 'text?',
};

const SCHEDULE: RowFields = { scheduler: 'text', next: 'time?', last: 'time?' };

/** Rows of the commands that no endpoint describes, by their words; behind them the option that makes other rows of a command. */
const ROW_FIELDS: Readonly<Record<string, RowFields>> = {
  'auth status': { service: 'text', key: ['present', 'none'], from: 'text?', fingerprint: 'text?' },
  'config explain': { name: 'text', value: 'any', from: 'text' },
  diff: {
    change: ['added', 'revised', 'withdrawn'],
    series: 'text',
    origin: 'text',
    row: 'text',
    'old?': 'any',
    'new?': 'any',
    'fields?': 'list',
  },
  doctor: { check: 'text', state: ['ok', 'note', 'problem'], says: 'text', do: 'text?' },
  selftest: { check: 'text', state: ['ok', 'note', 'problem'], says: 'text', do: 'text?' },
  import: IMPORTED,
  'import csv': IMPORTED,
  'import csv --preview': { series: 'text', date: 'text', row: 'text', known_from: 'text' },
  'import list': {
    id: 'count',
    imported_at: 'time',
    format: 'text',
    publisher: 'text',
    file: 'text',
    series: 'count',
    added: 'count',
    revised: 'count',
    withdrawn: 'count',
    undone_at: 'time?',
    sha256: 'text',
  },
  'import undo': { id: 'count', format: 'text', file: 'text', series: 'count', withdrawn: 'count', restored: 'count' },
  journal: {
    position: 'count',
    event_id: 'text',
    processed_at: 'time',
    released_at: 'time?',
    currency: 'text',
    indicator: 'text',
    date: 'any',
    val: 'any',
    via: 'text',
    arrivals: 'list',
    origin: 'text',
  },
  'journal --gaps': {
    id: 'count?',
    from: 'time?',
    to: 'time?',
    seconds: 'count?',
    reason: 'text',
    via: 'text?',
    noted_at: 'time?',
    closed_at: 'time?',
    origin: 'text',
  },
  'journal --consumers': { name: 'text', position: 'count', behind: 'count', moved_at: 'time?', set_aside: 'count' },
  'journal --failures': {
    consumer: 'text',
    event_id: 'text?',
    position: 'count',
    attempts: 'count',
    error: 'text',
    failed_at: 'time?',
    next_at: 'time?',
  },
  latest: {
    indicator: 'text',
    name: 'text?',
    value: 'number?',
    unit: 'text?',
    period: 'text?',
    previous: 'number?',
    previous_period: 'text?',
    change: 'number?',
    released: 'time?',
    next_release: 'time?',
    frequency: 'text?',
    source: 'text?',
  },
  manual: { topic: 'text', about: 'text' },
  'mirror backup': { file: 'text', bytes: 'count', series: 'count', commits: 'count' },
  'mirror compact': { file: 'text', before: 'count', after: 'count' },
  'mirror rebuild': { table: 'text', rows: 'count', left: 'count', old: 'text?' },
  'mirror restore': { file: 'text', bytes: 'count', series: 'count', commits: 'count', replaced: 'text?' },
  'mirror status': {
    series: 'text',
    origin: 'text',
    rows: 'count',
    from: 'text?',
    to: 'text?',
    as_of: 'time?',
    proven: 'text?',
    proven_ranges: 'list',
  },
  'mirror verify': { level: 'text', series: 'text?', row: 'text?', finding: 'text', detail: 'text?' },
  next: {
    in: 'text',
    announcement_datetime: 'time',
    local: 'time?',
    indicator: 'text',
    name: 'text?',
    event_importance: 'text?',
    confirmed: 'flag',
    seconds_left: 'number?',
    reference_period: 'text?',
    period: 'text?',
    calendar_event_id: 'text?',
    'forecast?': 'number?',
    'forecast_by?': 'text?',
  },
  'profile list': { name: 'text', base_url: 'text', mirror: 'text?', in_use: 'flag' },
  quota: {
    budget: 'text',
    limit: 'count?',
    used: 'count',
    reserved: 'count',
    left: 'count?',
    resets_at: 'time?',
    resets_in: 'count?',
    source: 'text',
    reported_at: 'time?',
  },
  'schedule install': SCHEDULE,
  'schedule status': SCHEDULE,
  search: {
    kind: ['indicator', 'commodity', 'currency', 'command', 'value'],
    word: 'text',
    name: 'text?',
    currencies: 'text?',
    command: 'text',
  },
  'settlement verify': {
    result: ['valid', 'invalid', 'unsigned', 'unknown_key'],
    'reason?': 'any',
    'contract_id?': 'any',
    'currency?': 'any',
    'indicator?': 'any',
    'period?': 'any',
    'status?': 'any',
    'key_id?': 'any',
    'key_status?': 'any',
    'signed_at?': 'any',
    'sha256?': 'any',
    'detail?': 'any',
  },
  status: {
    selection: 'text',
    state: 'text',
    series: 'count',
    held: 'count',
    due: 'count',
    gaps: 'count',
    checked: 'time?',
  },
  sync: {
    series: 'text',
    outcome: 'text',
    requests: 'count',
    added: 'count',
    revised: 'count',
    vanished: 'count',
    unchanged: 'count',
    code: 'text?',
    problem: 'text?',
  },
  'sync --plan': {
    reason: 'text',
    series: 'text',
    from: 'text?',
    to: 'text?',
    requests: 'count?',
    more: 'text?',
    why: 'text',
  },
  'track list': { words: 'text', series: 'count?' },
  'webhooks replay': { event_id: 'text', outcome: 'text', problem: 'text?' },
  'webhooks sign': { header: 'text', value: 'text' },
  'webhooks verify': {
    result: ['valid', 'invalid'],
    reason: 'text',
    detail: 'text',
    'event_id?': 'any',
    'timestamp?': 'any',
  },
  why: {
    series: 'text',
    'date?': 'date?',
    'row?': 'text',
    'val?': 'any',
    'fields?': 'list',
    public: 'time?',
    captured: 'time?',
    mirrored: 'time?',
    'until?': 'any',
    'ambiguous?': 'any',
    'source?': 'any',
    'source_url?': 'any',
    request: 'text',
    how: 'text',
    origin: 'text',
    'access?': ['keyless', 'keyed'],
    commit: 'count',
    text: 'text',
  },
};

/** What a field of a row of ours holds. `?` at the end: or null. A list is its legal words. */
type FieldKind =
  | 'any'
  | 'count'
  | 'count?'
  | 'date?'
  | 'flag'
  | 'list'
  | 'number?'
  | 'object'
  | 'text'
  | 'text?'
  | 'time'
  | 'time?'
  | readonly string[];

/** Fields by name, in their order. A name that ends in a question mark may be left out of a row. */
type RowFields = Readonly<Record<string, FieldKind>>;

const TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$';
const DATE = '^\\d{4}-\\d{2}-\\d{2}$';

const KINDS: Readonly<Record<Exclude<FieldKind, readonly string[]>, JsonSchema>> = {
  any: {},
  count: { type: 'integer', minimum: 0 },
  'count?': { type: ['integer', 'null'], minimum: 0 },
  'date?': { type: ['string', 'null'], pattern: DATE },
  flag: { type: 'boolean' },
  list: { type: 'array' },
  'number?': { type: ['number', 'null'] },
  object: { type: 'object' },
  text: { type: 'string' },
  'text?': { type: ['string', 'null'] },
  time: { type: 'string', pattern: TIME },
  'time?': { type: ['string', 'null'], pattern: TIME },
};

/** Prints the JSON Schema of the rows that a command of ours would print with these options. */
export async function printOwnSchema(
  app: App,
  { options }: Call,
  { path, summary }: Pick<CommandSpec, 'path' | 'summary'>,
): Promise<void> {
  const words = path.join(' ');
  const option = Object.keys(options).find((name) => isOn(options, name) && `${words} --${name}` in ROW_FIELDS);
  const title = option === undefined ? words : `${words} --${option}`;
  const named = { title, description: summary };
  const schema = { $schema: SCHEMA_DIALECT, ...named, ...rowsOf(title), ...named };
  await app.printText(indentJson(JSON.stringify(schema)));
}

function rowsOf(title: string): JsonSchema {
  const fields = ROW_FIELDS[title];
  if (fields) return schemaOfFields(fields);
  const endpoint = endpointById(BY_ENDPOINT[title] ?? '');
  return endpoint ? rowSchema(endpoint) : COMPARED;
}

/** The JSON Schema of rows with these fields, and with no others. */
function schemaOfFields(fields: RowFields): JsonSchema {
  const names = Object.keys(fields);
  const properties = Object.entries(fields).map(([name, kind]) => [
    name.replace(/\?$/, ''),
    typeof kind === 'string' ? KINDS[kind] : { enum: kind },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}
