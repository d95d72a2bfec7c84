import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/contract/json/json.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { resolveAlias } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, serviceOver } from '../support/service.ts';
import { addressOf, EACH, fixtureIds, readFixture } from './wire.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const OWNER: Caller = { kind: 'owner' };
const KEYED: Caller = { kind: 'keyed', plan: 'individual' };

/** The fixture's body with one more member, which no schema knows, in front of every row. */
function withUnseenMembers(endpoint: Endpoint, body: string): string {
  return cutBody(endpoint.body, body).rows.reduce(
    (text, row) => text.replace(row.text, () => row.text.replace('{', '{"unseen_member":{"n":1.50,"list":[null]},')),
    body,
  );
}

/** Answers the fixture's question with it over the wire; what is to be kept lands in a mirror. */
async function receive(endpoint: Endpoint) {
  const fixture = readFixture(endpoint);
  const body = withUnseenMembers(endpoint, fixture.body);
  const fetch: Fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const { platform, clock } = testPlatform({ now: fixture.now, fetch });
  const mirror = await freshMirror(platform);
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const question = { endpoint, args: fixture.args };
  const live = await createLiveSource({ client, mirror }).ask(question, { caller: OWNER, now: clock.now() });
  return { fixture, body, platform, clock, mirror, question, live };
}

/** Members that a schema does not name, in the value itself and in the objects inside of it. */
function unknownMembers(value: Json | undefined, schema: Json | undefined): readonly string[] {
  if (!isJsonObject(schema)) return [];
  if (Array.isArray(value)) return value.flatMap((item) => unknownMembers(item, schema.items));
  const members = schema.properties;
  if (!isJsonObject(value) || !isJsonObject(members)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    Object.hasOwn(members, name) ? unknownMembers(inner, members[name]) : [name],
  );
}

/** Members that every paged answer has, whatever its contract says. */
const PAGING_MEMBERS = ['pagination', 'dataset_version', 'checkpoint'];

/** The shape of what stands beside the rows; of the whole body where it has none. */
const besideOf = ({ body, row, envelope = {} }: Endpoint) => (body.kind === 'document' ? row : envelope);

/** Endpoints whose unknown members beside the rows do not outlive the mirror, each with the reason. */
const FORGETS: Readonly<Record<string, string>> = {
  announcements_changes: 'a page speaks of one position and one caller, so what stands beside its events is made anew',
};

/**
 * What a mirror has to give back of a body: all of it, or without unknown members where the endpoint forgets them. A cursor is
 * that of its issuer, and the mirror marks its own.
 */
function keptOf(endpoint: Endpoint, body: string): JsonObject {
  const value = spelled(body.replace(/"next_cursor":\s*"c1\./, '"next_cursor":"m1.'));
  if (!FORGETS[endpoint.id]) return value;
  const unknown = unknownMembers(cutBody(endpoint.body, body).envelope, besideOf(endpoint));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !unknown.includes(name)));
}

/** A number as it was spelled. */
class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A body whose numbers are what they are spelled like: `-150.0` is another one than `-150`. */
function spelled(body: string): JsonObject {
  return JSON.parse(body, (_name, value, context?: { source: string }) =>
    typeof value === 'number' ? new Spelled(context?.source ?? '') : value,
  );
}

const rowTexts = (endpoint: Endpoint, body: string) => cutBody(endpoint.body, body).rows.map(({ text }) => text);
const keepsAnswers = (endpoint: Endpoint) => resolveAlias({ endpoint, args: {} }).endpoint.mirror !== undefined;

it('every fixture belongs to an endpoint, and every endpoint that answers has one', () => {
  const known = ENDPOINTS.map(({ id }) => id);
  expect(fixtureIds.filter((id) => !known.includes(id))).toEqual([]);
  expect(EACH.filter(([id]) => !fixtureIds.includes(id)).map(([id]) => id)).toEqual([]);
});

describe.each(EACH)('the fixture of %s', (_, endpoint) => {
  it('fits the shapes of its rows and of the members beside them', () => {
    const { envelope, rows } = cutBody(endpoint.body, readFixture(endpoint).body);
    const isOneRow = endpoint.body.kind === 'document' && endpoint.body.asRow;
    const findings = [
      ...(isOneRow ? [] : [[besideOf(endpoint), envelope] as const]),
      ...rows.map(({ value }) => [endpoint.row, value] as const),
    ].flatMap(([schema, value]) => (ajv.validate(schema, value) ? [] : (ajv.errors ?? [])));
    expect(findings).toEqual([]);
  });

  it('has members that the contract has never seen', () => {
    const { envelope, rows } = cutBody(endpoint.body, readFixture(endpoint).body);
    const beside = unknownMembers(envelope, besideOf(endpoint)).filter((name) => !PAGING_MEMBERS.includes(name));
    const inRows = rows.flatMap(({ value }) => unknownMembers(value, endpoint.row));
    // A map has room for nothing but rows; a body that is one document has only one place.
    const places = { list: [beside, inRows], map: [inRows], document: [[...beside, ...inRows]], stream: [] }[
      endpoint.body.kind
    ];
    expect(places.map((found) => found.length > 0)).toEqual(places.map(() => true));
  });

  it('comes from the wire untouched', async () => {
    const { live, body } = await receive(endpoint);
    expect(live.body).toBe(body);
  });
});

describe.each(EACH.filter(([, endpoint]) => keepsAnswers(endpoint)))('a received answer of %s', (_, endpoint) => {
  it('comes out of the mirror as out of the wire, to its owner', async () => {
    const { mirror, question, clock, live } = await receive(endpoint);
    const source = createMirrorSource({ mirror, labels: LABELS });
    const reply = await source.ask(question, { caller: OWNER, now: clock.now() });
    expect(spelled(reply.body)).toEqual(keptOf(endpoint, live.body));
    expect(rowTexts(endpoint, reply.body)).toEqual(rowTexts(endpoint, live.body));
    const keyed = await source.ask(question, { caller: KEYED, now: clock.now() });
    expect(spelled(keyed.body)).toEqual(keptOf(endpoint, live.body));
  });

  it('is served with every row as it was, keys in their order', async () => {
    const { mirror, platform, fixture, body } = await receive(endpoint);
    const { fetch } = await serviceOver(mirror, platform);
    const address = `${SERVICE_URL}${addressOf(endpoint, fixture.question)}`;
    const answer = await fetch(address, { headers: { 'x-api-key': 'any' } });
    const text = await answer.text();
    expect([answer.status, spelled(text)]).toEqual([200, keptOf(endpoint, body)]);
    expect(rowTexts(endpoint, text)).toEqual(rowTexts(endpoint, body));
  });
});

describe.each(EACH.filter(([, endpoint]) => !keepsAnswers(endpoint)))('a received answer of %s', (_, endpoint) => {
  it('leaves nothing in a mirror, since an answer is always computed', async () => {
    const { mirror } = await receive(endpoint);
    expect(await mirror.find({ endpoint: endpoint.id, scope: {} })).toEqual([]);
    expect(endpoint.local ?? endpoint.compose).toBeDefined();
  });
});
