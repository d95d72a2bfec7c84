import { describe, expect, it } from 'vitest';
import { KEYED, question, whole, world } from './world.ts';

// Recorded bodies say so beside their rows.
const MODES = { is_proxy: false, remap: { applied: false }, value_metadata: { normalization_applied: false } };

const asked = (query: Record<string, string> = {}) =>
  question('announcements', { currency: 'usd', indicator: 'inflation' }, query);

// See docs/interface-access.md#errors: the body of the refusal.
const OFFERED = { frequency: ['yoy', 'mom'], basis: [] };

async function canonical(more: Readonly<Record<string, unknown>> = {}) {
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
    ...more,
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

  it.each([{ series_mode: 'raw' }, { value_mode: 'normalized' }, { official_only: 'true' }, { revisions: 'latest' }])(
    '%j, the default, is the same question',
    async (query) => {
      const { ask } = await canonical();
      const plain = await ask(asked(), KEYED);
      expect((await ask(asked(query), KEYED)).json).toEqual(plain.json);
    },
  );

  it.each([{ series_mode: 'canonical' }, { value_mode: 'source' }, { official_only: 'false' }])(
    '%j is answered where the held series has it anyway',
    async (query) => {
      const id = 'usd_inflation_canonical_yoy_nsa_standard_period';
      const { ask } = await canonical({ ...MODES, selected_series_id: id });
      expect((await ask(asked(query), KEYED)).json.data).toMatchObject([{ date: '2026-10-31', val: 3 }]);
    },
  );

  it.each([
    ['series_mode', 'canonical', 'raw', { remap: { applied: true } }],
    ['value_mode', 'source', 'normalized', { value_metadata: { normalization_applied: true } }],
    ['official_only', false, 'true', { is_proxy: true }],
    ['official_only', false, 'true', {}],
  ])('%s=%s is refused where it would be another series', async (option, value, offered, told) => {
    const { ask } = await canonical({ ...(Object.keys(told).length > 0 && MODES), ...told });
    await expect(ask(asked({ [option]: String(value) }), KEYED)).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_series_option',
      extra: { option, value, supported_values: [offered], supported_options: OFFERED },
    });
  });

  it('of a series that nobody has brought names the words that would bring it', async () => {
    const { ask } = await world();
    await expect(ask(asked({ series_mode: 'canonical' }), KEYED)).rejects.toMatchObject({
      status: 404,
      code: 'not_mirrored',
      hint: 'Fill it with: macro sync announcements usd inflation',
    });
  });

  it('of a series that is held is answered from that one', async () => {
    const { ask, take } = await canonical();
    const data = [{ date: '2026-10-31', val: 0.2, announcement_datetime: 1_794_576_600 }];
    await take(asked({ frequency: 'mom' }), { currency: 'USD', indicator: 'inflation', pagination: whole(1), data });
    expect((await ask(asked({ frequency: 'mom' }), KEYED)).json.data).toMatchObject([{ val: 0.2 }]);
  });
});
