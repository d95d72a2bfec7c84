import { describe, expect, it } from 'vitest';
import type { Caller, LoadedSeries, StoredRef } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import { type Coverage, FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { BEGINNING, LAST_DATE } from '../../../src/contract/time/time.ts';
import {
  type ContractArgs,
  composeContract,
  composeRecord,
  type RecordArgs,
} from '../../../src/derive/settlement/compose.ts';
import { composeContracts, composeKeys } from '../../../src/derive/settlement/contracts.ts';
import { context, SERVICE, seconds } from './context.ts';

const TODAY = '2026-11-21';
const ref = (endpoint: string, scope: Readonly<Record<string, string>> = {}, origin = SERVICE): StoredRef => ({
  origin,
  endpoint,
  scope,
});
const announcements = (indicator: string, currency = 'USD') => ref('announcements', { currency, indicator });
const history = (
  rows: readonly JsonObject[],
  { indicator = 'inflation', currency = 'USD', coverage = FULL_COVERAGE, envelope = {}, origin = SERVICE } = {},
): LoadedSeries => ({
  ref: ref('announcements', { currency, indicator }, origin),
  envelope,
  rows: rows.map((row) => ({ columns: { date: String(row.date) }, text: asJsonText(JSON.stringify(row)) })),
  coverage,
  proven: true,
});
const listed = (endpoint: string, rows: readonly JsonObject[], more: Partial<LoadedSeries> = {}): LoadedSeries => ({
  ref: ref(endpoint),
  envelope: {},
  rows: rows.map((row) => ({ columns: row as Record<string, string>, text: asJsonText(JSON.stringify(row)) })),
  coverage: FULL_COVERAGE,
  proven: true,
  ...more,
});
/** A print of a month that was public at once and never revised. */
const print = (date: string, val: number) => {
  const epoch = seconds(`${date}T12:30:00Z`);
  return { date, val, announcement_datetime: epoch, revisions: [{ epoch, val, is_first_release: true }] };
};
const covered = (...ranges: readonly (readonly [string, string])[]): Coverage => ({
  ranges: ranges.map(([from, to]) => ({ from, to })),
  isOpen: false,
});
const TEMPLATE = {
  contract_id: 'usd_inflation_threshold',
  currency: 'USD',
  indicator: 'inflation',
  precision: 1,
  outcome_rule: { type: 'threshold', comparison: 'gt' },
};
const lackOf = (indicator: string, from?: string, to?: string) => ({
  series: { endpoint: 'announcements', scope: { currency: 'USD', indicator }, exact: true },
  ...(from !== undefined && { range: { from, to } }),
});

const RECORD: RecordArgs = {
  currency: 'USD',
  indicator: 'inflation',
  period: 'latest',
  strike: undefined,
  comparison: 'gte',
};
const CONTRACT: ContractArgs = {
  contract_id: 'usd_inflation_threshold',
  period: 'latest',
  strike: undefined,
  comparison: undefined,
};

describe('the series of a record', () => {
  const history = { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' }, exact: true };

  it('are received ones, templates, and the history', () => {
    expect(composeRecord.reads(RECORD)).toEqual([
      { endpoint: 'settlement', scope: { currency: 'USD', indicator: 'inflation' } },
      { endpoint: 'settlement_contracts', scope: {} },
      history,
    ]);
    const bound = (indicator: string) => ({ ...history, scope: { currency: 'USD', indicator } });
    expect(composeRecord.reads({ ...RECORD, indicator: 'policy_rate_target_lower' }).slice(2)).toEqual([
      bound('policy_rate_target_lower'),
      bound('policy_rate'),
    ]);
    expect([composeRecord.signs, composeRecord.wholeOnly]).toEqual([true, true]);
  });

  it('of a contract are those that its id speaks of', () => {
    const own = (contract_id: string) => [
      { endpoint: 'settlement_contract', scope: { contract_id } },
      { endpoint: 'settlement_contracts', scope: {} },
    ];
    const reads = (contract_id: string) => composeContract.reads({ ...CONTRACT, contract_id });
    expect(reads('usd_inflation_threshold')).toEqual([...own('usd_inflation_threshold'), history]);
    expect(reads('eur_m2_decision')[2]).toEqual({ ...history, scope: { currency: 'EUR', indicator: 'm2' } });
    for (const id of ['k-17', 'x_usd_gdp_threshold_2', 'usd_gdp_other', 'usdx_gdp_threshold', 'usd__GDP_threshold'])
      expect(reads(id)).toEqual(own(id));
    expect(composeContract.follow?.({ ...CONTRACT, contract_id: 'k-17' }, [], 0)).toEqual([]);
    expect([composeContract.signs, composeContract.wholeOnly]).toEqual([true, true]);
  });

  it('are those of this very question, canonical histories and templates', () => {
    const scope = { currency: 'USD', indicator: 'inflation', period: 'latest' };
    const plain = ref('settlement', { ...scope, comparison: 'gte' });
    const strike = ref('settlement', { ...scope, comparison: 'gte', strike: '3.5' });
    const other = ref('settlement', { ...scope, comparison: 'lt' });
    const variant = ref('announcements', { currency: 'USD', indicator: 'inflation', transform: 'mom' });
    const templates = ref('settlement_contracts');
    const stored = [plain, strike, other, variant, announcements('inflation'), templates];
    expect(composeRecord.selectSeries?.(RECORD, stored)).toEqual([plain, announcements('inflation'), templates]);
    expect(composeRecord.selectSeries?.({ ...RECORD, strike: 3.5 }, stored)).toEqual([
      strike,
      announcements('inflation'),
      templates,
    ]);
    expect(composeRecord.selectSeries?.({ ...RECORD, comparison: 'lt' }, [other, plain])).toEqual([other]);
    expect(composeRecord.selectSeries?.(RECORD, [templates])).toEqual([]);
  });

  it('of a contract are chosen alike, and templates alone are enough to know it', () => {
    const own = ref('settlement_contract', { contract_id: CONTRACT.contract_id, period: 'latest' });
    const strike = ref('settlement_contract', { contract_id: CONTRACT.contract_id, period: 'latest', strike: '2' });
    const variant = ref('announcements', { currency: 'USD', indicator: 'inflation', transform: 'mom' });
    const templates = ref('settlement_contracts');
    expect(composeContract.selectSeries?.(CONTRACT, [own, strike, variant, templates])).toEqual([own, templates]);
    expect(composeContract.selectSeries?.({ ...CONTRACT, strike: 2 }, [own, strike])).toEqual([strike]);
  });

  it('that the service said of this period speak for it, no others', () => {
    const own = (endpoint: string, period: string) => ref(endpoint, { period });
    const picked = [
      own('settlement', 'latest'),
      own('settlement', '2026-09-30'),
      own('settlement_contract', 'latest'),
      announcements('inflation'),
    ];
    expect(composeRecord.vouches?.(RECORD, picked)).toEqual({ series: [picked[0]] });
    expect(composeRecord.vouches?.({ ...RECORD, period: '2026-09-30' }, picked)).toEqual({ series: [picked[1]] });
    expect(composeContract.vouches?.(CONTRACT, picked)).toEqual({ series: [picked[2]] });
  });
});

describe('what a record lacks', () => {
  const ask = (loaded: readonly LoadedSeries[], args: Partial<RecordArgs> = {}, caller?: Caller) =>
    composeRecord.build(loaded, context({ ...RECORD, ...args }, caller));
  const rows = [print('2026-09-30', 3.2), print('2026-08-31', 2.9)];

  it('is nothing of a history that is stored whole', () => {
    const done = ask([history(rows)]);
    expect(done?.missingParts).toEqual([]);
    expect(done?.total).toBe(1);
  });

  it('is what may have come since its newest row', () => {
    const coverage = covered([BEGINNING, '2026-09-30']);
    expect(ask([history(rows, { coverage })])).toEqual({
      envelope: {},
      rows: [],
      total: 0,
      missingParts: [lackOf('inflation', '2026-10-01', TODAY), lackOf('inflation', '2026-10-01', TODAY)],
    });
    // Its rules say how it is printed: then nothing but the row itself counts, and whether there is a newer one.
    const templates = listed('settlement_contracts', [TEMPLATE]);
    expect(ask([templates, history(rows, { coverage })])?.missingParts).toEqual([
      lackOf('inflation', '2026-10-01', TODAY),
    ]);
  });

  it('of a period is nothing where its row is there and its rules are known', () => {
    const templates = listed('settlement_contracts', [TEMPLATE]);
    const coverage = covered(['2026-08-31', '2026-08-31']);
    const done = ask([templates, history(rows, { coverage })], { period: '2026-08-31' });
    expect(JSON.parse(done?.rows[0] ?? '{}')).toMatchObject({ period: '2026-08-31', settlement_value: 2.9 });
    // Without rules the decimals of the newest 24 rows tell, so that all of them have to be there.
    expect(ask([history(rows, { coverage })], { period: '2026-08-31' })?.missingParts).toEqual([
      lackOf('inflation', BEGINNING, '2026-08-30'),
      lackOf('inflation', '2026-09-01', TODAY),
    ]);
  });

  it('begins with the 24 newest rows where they tell the decimals', () => {
    const dates = Array.from({ length: 30 }, (_, i) => new Date(Date.UTC(2026, 9 - i, 0)).toISOString().slice(0, 10));
    const many = dates.map((date) => print(date, 2.5));
    const since = (date = '') => history(many, { coverage: { ranges: [{ from: date, to: TODAY }], isOpen: true } });
    expect(ask([since(dates[23])])?.missingParts).toEqual([]);
    expect(ask([since(dates[22])])?.missingParts).toHaveLength(1);
  });

  it('of a period that no row has is the day itself, and nothing where it is covered or clipped', () => {
    const coverage = covered(['2026-09-01', TODAY]);
    const stored = [history(rows, { coverage })];
    expect(ask(stored, { period: '2026-07-31' })).toEqual({
      envelope: {},
      rows: [],
      total: 0,
      missingParts: [lackOf('inflation', '2026-07-31', '2026-07-31')],
    });
    expect(() => ask(stored, { period: '2026-09-15' })).toThrow('No release of inflation of USD for 2026-09-15 is');
    // Without a key nothing is shown of before 23 August, 90 days ago.
    expect(() => ask(stored, { period: '2026-07-31' }, { kind: 'keyless' })).toThrow('for 2026-07-31 is available');
    expect(ask(stored, { period: '2026-08-23' }, { kind: 'keyless' })?.missingParts).toEqual([
      lackOf('inflation', '2026-08-23', '2026-08-23'),
    ]);
  });

  it('is the whole range that is visible where no release is there at all', () => {
    const empty = [history([], { coverage: covered() })];
    expect(ask(empty)?.missingParts).toEqual([lackOf('inflation', BEGINNING, TODAY)]);
    expect(ask(empty, {}, { kind: 'keyless' })?.missingParts).toEqual([lackOf('inflation', '2026-08-23', TODAY)]);
  });

  it('of a decision is the one before it, and the bounds in force', () => {
    const rate = [print('2026-10-28', 4), print('2026-09-16', 4.25), print('2026-07-29', 4.5)];
    const lower = [print('2026-10-28', 3.75), print('2026-09-16', 4)];
    const args = { indicator: 'policy_rate', period: '2026-10-28' };
    const template = listed('settlement_contracts', [
      { ...TEMPLATE, contract_id: 'usd_policy_rate_decision', indicator: 'policy_rate', precision: 2 },
    ]);
    const of = (from: string, lowerFrom: string, known = template) =>
      ask(
        [
          known,
          history(rate, { indicator: 'policy_rate', coverage: covered([from, TODAY]) }),
          history(lower, { indicator: 'policy_rate_target_lower', coverage: covered([lowerFrom, TODAY]) }),
        ],
        args,
      )?.missingParts;
    expect(of('2026-09-16', '2026-10-28')).toEqual([]);
    expect(of('2026-09-17', '2026-10-28')).toEqual([lackOf('policy_rate', '2026-09-16', '2026-09-16')]);
    expect(of('2026-09-16', '2026-10-29')).toEqual([lackOf('policy_rate_target_lower', '2026-10-28', '2026-10-28')]);
    // A bound that no row states up to then has to be covered from its beginning.
    const late = history([print('2026-11-05', 3.5)], {
      indicator: 'policy_rate_target_lower',
      coverage: covered(['2026-10-01', TODAY]),
    });
    const history28 = history(rate, { indicator: 'policy_rate', coverage: covered(['2026-09-16', TODAY]) });
    expect(ask([template, history28, late], args)?.missingParts).toEqual([
      lackOf('policy_rate_target_lower', BEGINNING, '2026-09-30'),
    ]);
  });
});

describe('a contract', () => {
  const ask = (loaded: readonly LoadedSeries[], args: Partial<ContractArgs> = {}, caller?: Caller) =>
    composeContract.build(loaded, context({ ...CONTRACT, ...args }, caller));
  const inflation = history([print('2026-09-30', 3.2)]);
  const templates = (...rows: readonly JsonObject[]) => listed('settlement_contracts', rows);

  it('follows from a stored history where nobody published any', () => {
    const record = JSON.parse(ask([inflation], { strike: 3 })?.rows[0] ?? '{}');
    expect(record).toMatchObject({
      contract_id: 'usd_inflation_threshold',
      precision: 1,
      outcome: { strike: 3, comparison: 'gt', resolves_yes: true },
    });
    // A decision is no contract of a measured series: what a history would settle is another one.
    expect(ask([inflation], { contract_id: 'usd_inflation_decision' })).toBeUndefined();
  });

  it('is what the service settled, where its rules are not known', () => {
    const text =
      '{"contract_id":"k-17","currency":"usd","indicator":"Inflation","period":"2026-09-30","revised":false}';
    const row = { columns: { currency: 'usd', indicator: 'Inflation' }, text: asJsonText(text), seenAt: 1 };
    const own = listed('settlement_contract', [], { rows: [row] });
    expect(ask([own], { contract_id: 'k-17' })?.rows).toEqual([text]);
    expect(composeContract.follow?.({ ...CONTRACT, contract_id: 'k-17' }, [own], 0)).toEqual([
      { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' }, exact: true },
    ]);
    const nameless = listed('settlement_contract', [], { rows: [{ ...row, columns: { currency: 'usd' } }] });
    expect(composeContract.follow?.({ ...CONTRACT, contract_id: 'k-17' }, [nameless], 0)).toEqual([]);
  });

  it('that is unknown is refused with the way to those that there are', () => {
    const error = (loaded: readonly LoadedSeries[], contract_id: string) => {
      try {
        return ask(loaded, { contract_id });
      } catch (refusal) {
        const { kind, code, message, hint, extra } = refusal as Record<string, unknown>;
        return { kind, code, message, hint, extra };
      }
    };
    const unknown = { kind: 'notFound', code: 'unknown_resource', hint: 'macro settlement contracts lists them.' };
    expect(error([templates(TEMPLATE), inflation], 'eur_m2_decision')).toEqual({
      ...unknown,
      message: "Unknown contract 'eur_m2_decision'.",
      extra: {},
    });
    expect(error([inflation], 'k-17')).toEqual({ ...unknown, message: "Unknown contract 'k-17'.", extra: {} });
  });

  it('of USD is open to everybody, of another currency to everybody with a key', () => {
    const euro = { ...TEMPLATE, contract_id: 'eur_inflation_threshold', currency: 'EUR' };
    const eurozone = history([print('2026-09-30', 2.2)], { currency: 'EUR' });
    expect(ask([templates(TEMPLATE), inflation], {}, { kind: 'keyless' })?.total).toBe(1);
    const keyed = ask(
      [templates(euro), eurozone],
      { contract_id: 'eur_inflation_threshold' },
      { kind: 'keyed', plan: 'trial' },
    );
    expect(keyed?.total).toBe(1);
  });
});

describe('the list of templates', () => {
  const build = (loaded: readonly LoadedSeries[]) => {
    const built = composeContracts.build(loaded, context({ currency: undefined, indicator: undefined }));
    if (!built) throw new Error('The list of templates always has an answer');
    return built;
  };

  it('reads what was published and the histories that the question is about', () => {
    const histories = (currency?: string, indicator?: string) => composeContracts.reads({ currency, indicator })[1];
    expect(composeContracts.reads({ currency: undefined, indicator: undefined })).toEqual([
      { endpoint: 'settlement_contracts', scope: {} },
      { endpoint: 'announcements', scope: {} },
    ]);
    expect(histories('USD')).toEqual({ endpoint: 'announcements', scope: { currency: 'USD' } });
    expect(histories('USD', 'gdp')).toEqual({
      endpoint: 'announcements',
      scope: { currency: 'USD', indicator: 'gdp' },
    });
    expect(histories(undefined, 'gdp')).toEqual({ endpoint: 'announcements', scope: { indicator: 'gdp' } });
    const variant = ref('announcements', { currency: 'USD', indicator: 'gdp', transform: 'mom' });
    const args = { currency: undefined, indicator: undefined };
    expect(composeContracts.selectSeries?.(args, [variant, announcements('gdp')])).toEqual([announcements('gdp')]);
    const published = ref('settlement_contracts');
    expect(composeContracts.vouches?.(args, [announcements('gdp'), published])).toEqual({ series: [published] });
    expect(composeContracts.rowsNeeded?.(args, announcements('gdp'))).toEqual({ newest: 24 });
    expect(composeContracts.rowsNeeded?.(args, published)).toBeUndefined();
  });

  it('that was generated says so, and lacks those of the service', () => {
    const all = { series: { endpoint: 'settlement_contracts', scope: {}, exact: true } };
    const note = 'The templates of the service are not stored: these follow from the stored series.';
    const whole = build([history([print('2026-09-30', 3.2)])]);
    expect([whole.total, whole.missingParts, whole.notes]).toEqual([1, [all], [note]]);
    const part = history([print('2026-09-30', 3.2)], { coverage: covered([BEGINNING, '2026-09-30']) });
    const built = build([part]);
    expect([built.rows, built.missingParts]).toEqual([[], [lackOf('inflation', '2026-10-01', LAST_DATE), all]]);
  });

  it('that was published lacks nothing and says nothing', () => {
    const { missingParts, notes, total } = build([listed('settlement_contracts', [TEMPLATE])]);
    expect([missingParts, notes, total]).toEqual([undefined, [], 1]);
  });

  it('takes the template of the service before an importer’s, and a series of the service before another one', () => {
    const own = { ...TEMPLATE, title: 'own' };
    const published = build([
      listed('settlement_contracts', [{ ...TEMPLATE, title: 'imported' }], {
        ref: ref('settlement_contracts', {}, 'import:x'),
        envelope: { from: 'import' },
      }),
      listed('settlement_contracts', [own], { envelope: { from: 'service' } }),
    ]);
    expect(published).toMatchObject({ rows: [JSON.stringify(own)], envelope: { from: 'service', count: 1 } });
    const generated = build([
      history([print('2026-09-30', 3.25)], { origin: 'import:x' }),
      history([print('2026-09-30', 3.2)]),
    ]);
    expect(generated.rows.map((row) => JSON.parse(row).precision)).toEqual([1]);
  });

  it.each([
    ['no id', { ...TEMPLATE, contract_id: 7 }],
    ['no currency', { ...TEMPLATE, currency: null }],
    ['no indicator', { ...TEMPLATE, indicator: {} }],
    ['no precision', { ...TEMPLATE, precision: '1' }],
    ['half a decimal', { ...TEMPLATE, precision: 0.5 }],
    ['less than none', { ...TEMPLATE, precision: -1 }],
    ['more than 20', { ...TEMPLATE, precision: 21 }],
  ] as const)('passes over one with %s', (_, row) => {
    expect(build([listed('settlement_contracts', [row])]).rows).toEqual([]);
  });

  it('takes precisions from 0 to 20', () => {
    const rows = [0, 20].map((precision) => ({ ...TEMPLATE, contract_id: `c${precision}`, precision }));
    expect(build([listed('settlement_contracts', rows)]).total).toBe(2);
  });
});

describe('the list of keys', () => {
  const key = (key_id: string, more: JsonObject = {}) => ({ key_id, ...more });
  const signing = { keys: () => [{ ...key('c', { own: true }) }, key('a', { own: true })], sign: () => ({}) };

  it('has those of services and our own, sorted; of one name the service’s before an importer’s, ours before all', () => {
    const loaded = [
      listed('settlement_keys', [key('b', { by: 'import' }), key('d')], {
        ref: ref('settlement_keys', {}, 'import:x'),
      }),
      listed('settlement_keys', [key('b', { by: 'service' }), key('a')], { envelope: { note: 1 } }),
    ];
    const built = composeKeys.build(loaded, { ...context({}), signing: signing as never });
    expect(built).toEqual({
      envelope: { note: 1, count: 4 },
      rows: [
        '{"key_id":"a","own":true}',
        '{"key_id":"b","by":"service"}',
        '{"key_id":"c","own":true}',
        '{"key_id":"d"}',
      ],
      total: 4,
    });
    expect(composeKeys.build([], context({}))).toEqual({ envelope: { count: 0 }, rows: [], total: 0 });
    expect([composeKeys.signs, composeKeys.needs, composeKeys.reads({})]).toEqual([
      true,
      'none',
      [{ endpoint: 'settlement_keys', scope: {} }],
    ]);
  });
});

it('a record rests on the file that reaches furthest, as answers about the indicator do', () => {
  const IMPORTED = 'import:';
  const old = history([print('2026-09-30', 2.1)], { origin: `${IMPORTED}old` });
  const newer = history([print('2026-10-31', 2.3), print('2026-09-30', 2.4)], { origin: `${IMPORTED}newer` });
  const latestOf = (loaded: readonly LoadedSeries[]) => {
    const composed = composeRecord.build(loaded, context({ ...RECORD, period: '2026-09-30' }));
    return JSON.parse(String(composed?.envelope.text ?? composed?.rows[0] ?? '{}')).latest_value;
  };
  expect([latestOf([old, newer]), latestOf([newer, old])]).toEqual([2.4, 2.4]);
});

describe('of several histories', () => {
  const recordOf = (loaded: readonly LoadedSeries[], period: string) => {
    const composed = composeRecord.build(loaded, context({ ...RECORD, period }));
    return JSON.parse(String(composed?.rows[0] ?? '{}'));
  };

  it('no other one speaks for dates that the service was checked for', () => {
    const service = history([print('2026-09-30', 2.1)]);
    const desk = history([print('2026-10-31', 9.9), print('2026-09-30', 8.8)], { origin: 'import:desk' });
    expect(recordOf([desk, service], 'latest')).toMatchObject({ period: '2026-09-30', latest_value: 2.1 });
  });

  it('the present value of a period is the newest vintage of all sources of the series', () => {
    const envelope = { source_series_id: 'PAYEMS' };
    const revisions = [{ epoch: seconds('2026-11-10T12:00:00Z'), val: 2.5 }];
    const fred = history([print('2026-10-31', 2.3), print('2026-09-30', 2.4)], { origin: 'import:FRED', envelope });
    const alfred = history([{ ...print('2026-09-30', 2.5), revisions }], { origin: 'import:ALFRED', envelope });
    expect(recordOf([fred, alfred], '2026-09-30').latest_value).toBe(2.5);
    expect(recordOf([alfred, fred], '2026-09-30').latest_value).toBe(2.5);
  });
});
