import { describe, expect, it } from 'vitest';
import { KEYED, question, whole, world } from './world.ts';

const asked = (query: Record<string, string> = {}) =>
  question('announcements', { currency: 'usd', indicator: 'inflation' }, query);

// Wire facts, section 5: the body of the refusal.
const OFFERED = { frequency: ['yoy', 'mom'], basis: [] };

async function canonical() {
  const held = await world();
  await held.take(asked(), {
    currency: 'USD',
    indicator: 'inflation',
    unit: '%YoY',
    selected_series: {
      series_id: 'usd_inflation_canonical_yoy_nsa_standard_period',
      frequency: 'yoy',
      seasonality: 'nsa',
    },
    supported_options: OFFERED,
    pagination: whole(1),
    data: [{ date: '2026-10-31', val: 3, announcement_datetime: 1_794_576_600 }],
  });
  return held;
}

describe('a selector', () => {
  it('that names what the canonical series is anyway is answered from it', async () => {
    const { ask } = await canonical();
    const { json } = await ask(asked({ frequency: 'yoy', seasonality: 'nsa' }), KEYED);
    expect(json).toMatchObject({
      filters: { frequency: 'yoy', seasonality: 'nsa', basis: null },
      selected_series: { frequency: 'yoy', seasonality: 'nsa' },
      data: [{ date: '2026-10-31', val: 3 }],
    });
    expect((await ask(asked(), KEYED)).json.filters?.frequency ?? null).toBeNull();
  });

  it.each([
    ['frequency', 'qoq', ['yoy', 'mom']],
    ['basis', 'real', []],
  ])('%s=%s that the series does not offer is refused in the words of the service', async (option, value, values) => {
    const { ask } = await canonical();
    await expect(ask(asked({ [option]: value }), KEYED)).rejects.toMatchObject({
      message: `'${option}=${value}' is not offered for this series.`,
      status: 400,
      code: 'unsupported_series_option',
      extra: { option, value, supported_values: values, supported_options: OFFERED },
    });
  });

  it.each([{ frequency: 'mom' }, { annualization: 'saar' }])(
    '%j of a series that is not held is not mirrored',
    async (query) => {
      const { ask } = await canonical();
      await expect(ask(asked(query), KEYED)).rejects.toMatchObject({ status: 404, code: 'not_mirrored' });
    },
  );

  it('of a series that is held is answered from that one', async () => {
    const { ask, take } = await canonical();
    const data = [{ date: '2026-10-31', val: 0.2, announcement_datetime: 1_794_576_600 }];
    await take(asked({ frequency: 'mom' }), { currency: 'USD', indicator: 'inflation', pagination: whole(1), data });
    expect((await ask(asked({ frequency: 'mom' }), KEYED)).json.data).toMatchObject([{ val: 0.2 }]);
  });
});
