import { describe, expect, it } from 'vitest';
import { WRITE_VERBS } from '../../src/contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/contract/json/json.ts';
import type { JsonSchema } from '../../src/contract/json/schema.ts';
import { checkBody } from '../../src/contract/params/post.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { KEY, serveScripted } from '../serve/scripted-source.ts';

/** A legal body of each operation that takes one, with every member. */
const LEGAL: Readonly<Record<string, JsonObject>> = {
  'research_panel question': {
    series: [{ currency: 'usd', indicator: 'inflation', max_age_days: 60 }],
    decision_times: ['2026-10-14T12:30:00Z'],
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    availability: 'public',
    dataset_version: 'a'.repeat(64),
  },
  'webhook_subscriptions post': {
    url: 'https://hooks.example.com/in',
    events: ['announcement'],
    currencies: ['usd'],
    indicators: ['inflation'],
    description: 'desk',
  },
  'webhook_subscription patch': {
    url: 'https://hooks.example.com/in',
    events: ['announcement'],
    currencies: ['usd'],
    indicators: ['inflation'],
    description: 'desk',
    status: 'active',
  },
};

const BODIES = INTERFACE.flatMap((endpoint) => [
  ...(endpoint.post ? [[`${endpoint.id} question`, endpoint.post.body] as const] : []),
  ...WRITE_VERBS.flatMap((verb) => {
    const body = endpoint.writes?.[verb]?.body;
    return body ? [[`${endpoint.id} ${verb}`, body] as const] : [];
  }),
]);

/** A body with one thing wrong in it, and where. */
type Illegal = readonly [place: string, body: Json];

/** Everything that can be wrong with a value of a schema, in one place each. */
function illegalOf(schema: JsonSchema, legal: Json, place: string): readonly Illegal[] {
  const otherType = legal === null || typeof legal === 'object' ? 7 : [legal];
  const wrong: readonly Json[] = [
    otherType,
    ...illegalLists(schema, legal),
    ...illegalTexts(schema, legal),
    ...illegalCounts(schema, legal),
  ];
  return [...wrong.map((value) => [place, value] as const), ...illegalInside(schema, legal, place)];
}

function illegalLists({ minItems, maxItems }: JsonSchema, legal: Json): readonly Json[] {
  if (!Array.isArray(legal)) return [];
  const most = typeof maxItems === 'number' ? [Array.from({ length: maxItems + 1 }, () => legal[0] ?? null)] : [];
  return typeof minItems === 'number' ? [[], ...most] : most;
}

function illegalTexts(
  { minLength, maxLength, pattern, enum: choices, format }: JsonSchema,
  legal: Json,
): readonly Json[] {
  if (typeof legal !== 'string') return [];
  const isBound = typeof pattern === 'string' || Array.isArray(choices) || format !== undefined;
  return [
    ...(typeof minLength === 'number' ? [''] : []),
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    ...(isBound ? ['?'] : []),
  ];
}

function illegalCounts({ minimum, maximum }: JsonSchema, legal: Json): readonly Json[] {
  if (typeof legal !== 'number') return [];
  return [
    1.5,
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
  ];
}

function illegalInside({ properties, required, items }: JsonSchema, legal: Json, place: string): readonly Illegal[] {
  if (Array.isArray(legal) && isJsonObject(items))
    return illegalOf(items, legal[0] ?? null, `${place}.0`).map(([at, value]) => [at, [value]]);
  if (!isJsonObject(legal) || !isJsonObject(properties)) return [];
  const needed = Array.isArray(required) ? required.map(String) : [];
  return [
    [`${place}.no_such_member`, { ...legal, no_such_member: 1 }],
    ...needed.map((name): Illegal => {
      const { [name]: _, ...others } = legal;
      return [`${place}.${name}`, others];
    }),
    ...Object.entries(properties).flatMap(([name, member]) =>
      illegalOf(isJsonObject(member) ? member : {}, legal[name] ?? null, `${place}.${name}`).map(
        ([at, value]): Illegal => [at, { ...legal, [name]: value }],
      ),
    ),
  ];
}

function findingsOf(schema: JsonSchema, body: Json) {
  try {
    checkBody(schema, body);
    return [];
  } catch (error) {
    if (error instanceof MacroError) return error.findings;
    throw error;
  }
}

it('every operation with a body has a legal one here', () => {
  expect(Object.keys(LEGAL)).toEqual(BODIES.map(([name]) => name));
});

describe.each(BODIES)('the body of a %s', (name, schema) => {
  const legal = LEGAL[name] ?? {};
  const cases = illegalOf(schema, legal, 'body');

  it('is legal as it is written here', () => {
    expect(findingsOf(schema, legal)).toEqual([]);
  });

  it('is refused for each thing that is wrong, and told of that alone', () => {
    const told = cases.map(([, body]) => findingsOf(schema, body).map(({ loc }) => loc.join('.')));
    expect(told).toEqual(cases.map(([place]) => [place]));
  });
});

it('a posted question is refused by the server with the findings of the client', async () => {
  const { app } = await serveScripted({ quotas: false });
  for (const endpoint of INTERFACE.filter(({ post }) => post)) {
    const schema = endpoint.post?.body ?? {};
    const cases = illegalOf(schema, LEGAL[`${endpoint.id} question`] ?? {}, 'body');
    const told = await Promise.all(
      cases.map(async ([, body]) => {
        const headers = { ...KEY, 'content-type': 'application/json' };
        const answer = await app.inject({ method: 'POST', url: endpoint.path, headers, payload: JSON.stringify(body) });
        return [answer.statusCode, answer.json()];
      }),
    );
    expect(told).toEqual(cases.map(([, body]) => [422, { detail: findingsOf(schema, body) }]));
  }
});
