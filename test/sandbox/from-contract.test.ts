import { describe, expect, it } from 'vitest';
import { defineEndpoint } from '../../src/contract/endpoint.ts';
import { listAt } from '../../src/contract/json/body.ts';
import * as s from '../../src/contract/json/schema.ts';
import { dateWindow, textField } from '../../src/contract/mapping.ts';
import { offset } from '../../src/contract/paging.ts';
import { choice } from '../../src/contract/params/params.ts';
import { generateFromContract } from '../../src/sandbox/from-contract.ts';
import { createWorld } from '../../src/sandbox/world.ts';

/** An endpoint that nobody has written a generator for. */
const endpoint = defineEndpoint({
  id: 'inventories',
  path: '/v1/inventories/{indicator}',
  group: 'commodities',
  at: { indicator: choice('stock that is counted', ['gasoline', 'crude_oil']) },
  query: {},
  access: { class: 'keyed' },
  paging: offset(),
  body: listAt('data'),
  row: s.object({
    date: s.date(),
    val: s.number(),
    revised: s.boolean(),
    unit: s.oneOf('barrels', 'litres'),
    'announcement_datetime?': s.nullable(s.integer()),
    'comment?': s.string(),
  }),
  envelope: s.object({ indicator: s.string(), source: s.string() }),
  fresh: 60,
  mirror: {
    table: 'inventories',
    scope: ['indicator'],
    key: [textField('date')],
    order: 'newest',
    columns: [],
    window: dateWindow(),
    sync: { kind: 'history', revisionDays: 30 },
  },
  doc: { summary: 'Stocks', example: { indicator: 'crude_oil' } },
});

const on = (day: string) => [
  ...generateFromContract(createWorld({ seed: 1, now: Date.parse(`${day}T12:00:00Z`), size: 'small' }), endpoint),
];

describe('an endpoint without a generator of its own', () => {
  it('has a series for its example and each word of its path, labelled as made up', () => {
    expect(on('2026-11-21').map(({ scope, envelope }) => [scope, envelope])).toEqual([
      [{ indicator: 'crude_oil' }, { indicator: 'crude_oil', source: 'Sandbox (synthetic)' }],
      [{ indicator: 'gasoline' }, { indicator: 'gasoline', source: 'Sandbox (synthetic)' }],
    ]);
  });

  it('has a row for each business day, with what the shape requires, spelled as it says', () => {
    const [{ rows = [] } = {}] = on('2026-11-21');
    const [newest, before] = rows.map(({ text }) => text);
    const row =
      /^\{"date":"2026-11-20","val":\d+\.\d+,"revised":false,"unit":"(barrels|litres)","announcement_datetime":1795186800\}$/;
    expect(newest).toMatch(row);
    expect(before).toContain('"date":"2026-11-19"');
    expect(rows.at(-1)?.value.date).toBe('2026-01-02');
  });

  it('only gains rows as days pass', () => {
    const [[today], [later]] = [on('2026-11-21'), on('2026-11-27')];
    const texts = later?.rows.map(({ text }) => text) ?? [];
    expect(texts.slice(4)).toEqual(today?.rows.map(({ text }) => text));
  });
});
