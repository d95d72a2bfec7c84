import type { Endpoint } from '../../contract/endpoint.ts';
import { type BodyRow, cutBody, patchRow, type RowTexts, spliceBody } from '../../contract/json/body.ts';
import { asJsonText, isJsonObject, type JsonObject, type JsonText, readJson } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { type JsonSchema, propertiesOf } from '../../contract/json/schema.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { scalarType, type ViewType } from '../../mirror/views/view-columns.ts';
import { questionText } from '../../source/question.ts';
import type { Question, Reply } from '../../source/source.ts';
import { columnKinds } from './column-kinds.ts';
import type { Listing, ListingView } from './listing.ts';
import { listingView } from './listing-view.ts';
import { spliceMap } from './splice.ts';

/** A reply as rows to print. The body stays the text that it is. */
export function listAnswer(question: Question, reply: Reply, moment: { now: number; imported?: boolean }): Listing {
  const { endpoint } = question;
  const { envelope, rows, values } = rowsOfReply(endpoint, reply);
  const fields = propertiesOf(endpoint.row);
  let view: ListingView | undefined;
  return {
    columns: endpoint.cli?.columns ?? [],
    known: [...Object.keys(fields), ...lineFieldsOf(endpoint)].filter((name) => name !== endpoint.cli?.lines),
    always: requiredOf(endpoint.row),
    added: addedBy(question),
    rows,
    ...(endpoint.cli?.lines !== undefined && { lines: linesOf([...rows], endpoint.cli.lines) }),
    spare: endpoint.cli?.spare ?? [],
    ...columnKinds(endpoint, question.args),
    types: typesOf(fields),
    ...chartFields(question, envelope),
    facts: {
      question: questionText(question.endpoint, question.args, 'without paging'),
      ...rowsFact(envelope),
      ...(reply.past && { as_of: isoSeconds(Math.floor(reply.past.at / 1000)), availability: reply.past.by }),
      nature: reply.synthetic ? 'synthetic' : 'real',
      answered_by: reply.from,
      ...(reply.shortfall && { mirror: JSON.stringify(reply.shortfall.mark) }),
    },
    body: (chosen) => (chosen === undefined ? reply.body : rebuild(endpoint, reply.body, chosen)),
    get view() {
      view ??= listingView({ question, reply, ...moment, envelope, rows: values() });
      return view;
    },
  };
}

/** The rows of a reply, and how they are read: most formats print them as they are. */
function rowsOfReply(endpoint: Endpoint, reply: Reply) {
  const { body: shape } = endpoint;
  const { parts } = reply;
  if (parts) {
    const { envelope } = cutBody(shape, spliceBody(shape, parts.envelope, []));
    return { envelope, rows: parts.rows, values: () => Array.from(parts.rows, (row) => readJson<JsonObject>(row)) };
  }
  const cut = cutBody(shape, reply.body);
  const rows: RowTexts = shape.kind === 'document' ? [reply.body] : cut.rows.map((row) => named(endpoint, row));
  return { envelope: cut.envelope, rows, values: () => cut.rows.map(({ value }) => value) };
}

/** Members that the arguments of the question add to its rows, such as technical indicators. */
function addedBy({ endpoint: { mirror }, args }: Question): ReadonlySet<string> {
  const given = Object.entries(mirror?.effects ?? {}).filter(([name]) => args[name] !== undefined);
  return new Set(given.flatMap(([, effect]) => (effect.does === 'adds' ? effect.rows : [])));
}

/** What the endpoint says of its chart; what only has a sparkline is drawn over its first column. */
function chartFields({ endpoint: { cli }, args }: Question, envelope: JsonObject): Pick<Listing, 'chart'> {
  const [at] = cli?.columns ?? [];
  if (cli?.chart) return { chart: typeof cli.chart === 'function' ? cli.chart(args) : cli.chart };
  if (at === undefined || cli?.spark === undefined) return {};
  const unit = typeof envelope.unit === 'string' ? { unit: envelope.unit } : {};
  return { chart: { at, panels: [{ values: [cli.spark], ...unit }] } };
}

/** Rows with each item of a list that they hold as a line of its own; one with nothing listed is one line. */
function linesOf(rows: readonly JsonText[], member: string): readonly JsonText[] {
  return rows.flatMap((row) => {
    const { [member]: list, ...others } = Object.fromEntries(membersOf(row));
    const items = list?.startsWith('[') ? memberSpans(list).map(({ start, end }) => list.slice(start, end)) : [];
    const lines = items.filter((item) => item.startsWith('{'));
    return (lines.length === 0 ? ['{}'] : lines).map((line) => joined([...Object.entries(others), ...membersOf(line)]));
  });
}

function membersOf(object: string): readonly (readonly [string, string])[] {
  return memberSpans(object).map(({ name, start, end }) => [name, object.slice(start, end)]);
}

function joined(members: readonly (readonly [string, string])[]): JsonText {
  return asJsonText(`{${[...new Map(members)].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}

/** Fields that the contract knows of the items of a list. */
function lineFieldsOf({ row, cli }: Endpoint): readonly string[] {
  const list = cli?.lines === undefined ? undefined : propertiesOf(row)[cli.lines];
  return isJsonObject(list) && isJsonObject(list.items) ? Object.keys(propertiesOf(list.items)) : [];
}

/** The row with the name that it has as a member of the body. */
function named({ body }: Endpoint, row: BodyRow): JsonText {
  if (body.kind !== 'map' || Object.hasOwn(row.value, body.keyName)) return row.text;
  const name = `${JSON.stringify(body.keyName)}:${JSON.stringify(row.name)}`;
  const inner = row.text.trim().slice(1, -1).trim();
  return asJsonText(`{${name}${inner === '' ? '' : `,${inner}`}}`);
}

/** The body with these rows instead of its own. */
function rebuild(endpoint: Endpoint, body: JsonText, rows: readonly JsonText[]): JsonText {
  const shape = endpoint.body;
  if (shape.kind === 'list') return patchRow(body, { [shape.member]: asJsonText(`[${rows.join(',')}]`) });
  if (shape.kind !== 'map') return rows[0] ?? body;
  const named = rows.map((row, i): readonly [string, JsonText] => {
    const value: unknown = readJson(row);
    const name = isJsonObject(value) ? value[shape.keyName] : undefined;
    return [typeof name === 'string' ? name : String(i), row];
  });
  return spliceMap(shape, body, named);
}

/** Which rows of the answer these are, as the answer tells it: pages of a walk are one answer. */
function rowsFact({ pagination }: JsonObject): Readonly<Record<string, string>> {
  if (!isJsonObject(pagination) || typeof pagination.total_count !== 'number') return {};
  const { returned_count: returned, total_count: total, offset } = pagination;
  return { rows: `${returned} of ${total}${offset ? `, after the first ${offset}` : ''}` };
}

/** Types of the members that the contract describes as single values. */
function typesOf(fields: JsonObject): ReadonlyMap<string, ViewType> {
  return new Map(
    Object.entries(fields).flatMap(([name, schema]) => {
      const type = isJsonObject(schema) ? scalarType(schema) : undefined;
      return type === undefined ? [] : [[name, type] as const];
    }),
  );
}

function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}
