import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Caller, LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import type { Signing } from '../../../src/contract/signing.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { composeContract, composeRecord, type RecordArgs } from '../../../src/derive/settlement/compose.ts';
import { composeContracts } from '../../../src/derive/settlement/contracts.ts';
import { verifyRecord } from '../../../src/derive/settlement/verify.ts';
import { context, KEYLESS, NOW, OWNER, SERVICE, seconds } from './context.ts';
import { KEY, RECORD } from './vector.ts';

const ARGS: RecordArgs = {
  currency: 'USD',
  indicator: 'inflation',
  period: 'latest',
  strike: undefined,
  comparison: 'gte',
};

interface HistoryOptions {
  readonly envelope?: JsonObject;
  readonly indicator?: string;
  readonly seenAt?: number;
}

function history(rows: readonly JsonObject[], options: HistoryOptions = {}): LoadedSeries {
  const { envelope = {}, indicator = 'inflation', seenAt } = options;
  return {
    ref: { origin: SERVICE, endpoint: 'announcements', scope: { currency: 'USD', indicator } },
    envelope: { name: 'Inflation (CPI)', unit: '%YoY', source: 'BLS', ...envelope },
    rows: rows.map((row) => ({
      columns: { date: String(row.date) },
      text: asJsonText(JSON.stringify(row)),
      ...(seenAt !== undefined && { seenAt }),
    })),
    coverage: FULL_COVERAGE,
    proven: true,
  };
}

function own(endpoint: string, text: string, seenAt: number): LoadedSeries {
  const row = JSON.parse(text);
  const columns = { period: row.period, currency: row.currency, indicator: row.indicator };
  return {
    ref: { origin: SERVICE, endpoint, scope: {} },
    envelope: {},
    rows: [{ columns, text: asJsonText(text), seenAt }],
    coverage: FULL_COVERAGE,
    proven: true,
  };
}

function templates(...rows: readonly JsonObject[]): LoadedSeries {
  return {
    ref: { origin: SERVICE, endpoint: 'settlement_contracts', scope: {} },
    envelope: { count: rows.length },
    rows: rows.map((row) => ({ columns: {}, text: asJsonText(JSON.stringify(row)) })),
    coverage: FULL_COVERAGE,
    proven: true,
  };
}

const RELEASE = '2026-10-14T12:30:00Z';

/** The release of the vector, as a history tells it: printed 3.2, revised to 3.0 a month later. */
const SEPTEMBER = {
  date: '2026-09-30',
  val: 3.0,
  announcement_datetime: seconds(RELEASE),
  source_url: 'https://stats.example/cpi',
  release_timing: {
    scheduled_at: RELEASE,
    published_after: '2026-10-14T12:29:59Z',
    published_by: '2026-10-14T12:30:01Z',
    picked_up_at: '2026-10-14T12:30:02Z',
  },
  revisions: [
    { epoch: seconds(RELEASE), val: 3.2, is_first_release: true },
    { epoch: seconds('2026-11-13T13:30:00Z'), val: 3.0, is_first_release: false },
  ],
};
const AUGUST = {
  date: '2026-08-31',
  val: 2.9,
  announcement_datetime: seconds('2026-09-11T12:30:00Z'),
  revisions: [{ epoch: seconds('2026-09-11T12:30:00Z'), val: 2.9, is_first_release: true }],
};

const TEMPLATE = {
  contract_id: 'usd_inflation_threshold',
  title: 'US CPI above strike',
  currency: 'USD',
  indicator: 'inflation',
  unit: '%YoY',
  publisher: 'BLS',
  precision: 1,
  outcome_rule: { type: 'threshold', comparison: 'gt' },
  settles_on: 'first_print',
};

function recordOf(
  loaded: readonly LoadedSeries[],
  args: Partial<RecordArgs> = {},
  caller: Caller = OWNER,
  now = NOW,
): JsonObject {
  const built = composeRecord.build(loaded, context({ ...ARGS, ...args }, caller, now));
  return JSON.parse(built?.rows[0] ?? 'null');
}

function refusal(loaded: readonly LoadedSeries[], args: Partial<RecordArgs>, caller: Caller, now = NOW): unknown {
  try {
    return recordOf(loaded, args, caller, now);
  } catch (error) {
    return error;
  }
}

describe('a record computed from a history', () => {
  it('is that of the specification, attestation apart', () => {
    const args = { contract_id: 'usd_inflation_threshold', period: '2026-09-30', strike: 3, comparison: undefined };
    const built = composeContract.build([templates(TEMPLATE), history([SEPTEMBER, AUGUST])], context(args));
    const { attestation, ...record } = JSON.parse(built?.rows[0] ?? '');
    const { attestation: stated, ...expected } = JSON.parse(RECORD);
    expect(record).toEqual(expected);
    expect(attestation).toEqual({ canonicalization: 'RFC8785', sha256: stated.sha256 });
    expect(built?.notes).toEqual(['This record was computed from the mirror: the service has not vouched for it.']);
  });

  it('spells measured values as floats and counts as integers', () => {
    const built = composeRecord.build([history([SEPTEMBER])], context({ ...ARGS, strike: 3 }));
    expect(built?.rows[0]).toContain('"latest_value":3.0,');
    expect(built?.rows[0]).toContain('"strike":3.0,');
    expect(built?.rows[0]).toContain('"latency_ms":1000,');
  });

  it('is signed by the keys that are handed in, over the canonical bytes', () => {
    const signed: Uint8Array[] = [];
    const signing: Signing = {
      keys: () => [],
      sign(bytes, now) {
        signed.push(bytes);
        return {
          algorithm: 'Ed25519',
          key_id: KEY.key_id,
          signature: 'AAAA',
          signed_at: new Date(now * 1000).toISOString(),
        };
      },
    };
    const built = composeRecord.build([history([SEPTEMBER])], context(ARGS, OWNER, NOW, signing));
    const { attestation, ...record } = JSON.parse(built?.rows[0] ?? '');
    expect(attestation).toMatchObject({ algorithm: 'Ed25519', key_id: KEY.key_id, signature: 'AAAA' });
    expect(JSON.parse(Buffer.from(signed[0] ?? []).toString())).toEqual(record);
    expect(verifyRecord(built?.rows[0] ?? '', [])).toMatchObject({ result: 'invalid', reason: 'malformed_signature' });
    expect(built?.notes).toEqual([]);
  });

  it('takes the newest release, or the one of a period', () => {
    const loaded = [history([SEPTEMBER, AUGUST])];
    expect(recordOf(loaded).period).toBe('2026-09-30');
    expect(recordOf(loaded, { period: '2026-08-31' })).toMatchObject({
      period: '2026-08-31',
      settlement_value: 2.9,
      revised: false,
    });
  });

  it.each([
    [
      'the template’s decimals, halves away from zero',
      [TEMPLATE],
      { first_print: { val: 3.25 }, precision: 1, settlement_value: 3.3 },
    ],
    ['without a template the printed ones', [], { first_print: { val: 3.25 }, precision: 2, settlement_value: 3.25 }],
  ] as const)('rounds to %s', (_, published, expected) => {
    const row = { ...SEPTEMBER, revisions: [{ epoch: seconds(RELEASE), val: 3.25, is_first_release: true }] };
    expect(recordOf([templates(...published), history([row])])).toMatchObject(expected);
  });

  it.each([
    [
      'no vintage is said to be the first and none has the time of the release',
      { revisions: [{ val: 3.1, is_first_release: false }] },
    ],
    [
      'the value at the release was not the earliest one',
      { revisions: [{ val: 3.1 }, { epoch: seconds(RELEASE), val: 3.0 }] },
    ],
    ['the row is only the latest value', { revisions: null, vintage_status: 'latest_snapshot' }],
    [
      'the row was captured long afterwards',
      { revisions: null, vintage_status: 'captured_snapshot', capture_time_basis: 'backfill_fetch_completed' },
    ],
    ['nothing tells where the value comes from', { revisions: null }],
  ])('is void when %s', (_, changes) => {
    const record = recordOf([history([{ ...SEPTEMBER, ...changes }])], { strike: 3 });
    expect(record).toMatchObject({ status: 'void', latest_value: 3.0 });
    for (const name of ['first_print', 'settlement_value', 'outcome', 'revised'])
      expect(record).not.toHaveProperty(name);
  });

  it.each([
    [
      'the value at the release is the earliest one',
      { revisions: [{ val: 3.4 }, { epoch: seconds(RELEASE), val: 3.4, is_first_release: false }] },
    ],
    ['the row was captured as it came out', { revisions: null, vintage_status: 'captured_snapshot' }],
    ['the publisher’s own vintage is held', { revisions: null, vintage_status: 'source_vintage' }],
  ])('is settled when %s', (_, changes) => {
    const record = recordOf([history([{ ...SEPTEMBER, val: 3.4, ...changes }])]);
    expect(record).toMatchObject({ status: 'settled', first_print: { val: 3.4, announcement_datetime: RELEASE } });
  });

  const recorded = '../shared/fixtures/recorded/probe/announcements_usd_inflation_limit3.json';
  it.skipIf(!existsSync(recorded))('settles a recorded release (skipped where there is no recording)', () => {
    const { data, ...envelope } = JSON.parse(readFileSync(recorded, 'utf8'));
    const record = recordOf([history(data, { envelope })]);
    expect(record).toMatchObject({
      period: '2026-08-31',
      status: 'settled',
      precision: 1,
      first_print: { val: 3.4, announcement_datetime: '2026-09-11T12:30:00Z' },
      publisher: 'BLS',
      release_timing: {
        scheduled_at: '2026-09-11T12:30:00Z',
        ingested_at: '2026-09-11T12:30:06.674Z',
        latency_ms: null,
        latency_status: 'not_measured',
      },
    });
  });
});

describe('the timing of a release', () => {
  const timed = (timing: JsonObject, more: JsonObject = {}) =>
    recordOf([history([{ ...SEPTEMBER, release_timing: timing, ...more }])]).release_timing;

  it('never measures from the schedule', () => {
    expect(timed({ scheduled_at: RELEASE, picked_up_at: '2026-10-14T12:30:05Z' })).toEqual({
      scheduled_at: RELEASE,
      ingested_at: '2026-10-14T12:30:05Z',
      latency_ms: null,
      latency_status: 'not_measured',
    });
  });

  it('measures milliseconds from the end of the bracket, and nothing when the capture precedes it', () => {
    const by = '2026-10-14T12:30:01.250Z';
    expect(timed({ published_by: by, picked_up_at: '2026-10-14T12:30:02Z' })).toMatchObject({
      latency_ms: 750,
      latency_status: 'measured',
    });
    expect(timed({ published_by: by, picked_up_at: RELEASE })).toMatchObject({
      latency_ms: null,
      latency_status: 'not_measured',
    });
  });

  it('takes the first capture of the first print where the row states none, but no backfill', () => {
    const vintage = {
      epoch: seconds(RELEASE),
      val: 3.2,
      is_first_release: true,
      observed_at_ns_string: '1791981003500000000',
    };
    const told = (basis: string) =>
      timed({ published_by: '2026-10-14T12:30:01Z' }, { revisions: [{ ...vintage, capture_time_basis: basis }] });
    expect(told('first_fresh_fetch_completed')).toMatchObject({
      ingested_at: '2026-10-14T12:30:03.500Z',
      latency_ms: 2500,
    });
    expect(told('backfill_fetch_completed')).toMatchObject({ latency_ms: null, latency_status: 'not_measured' });
  });
});

describe('a policy decision', () => {
  const at = (date: string, val: number) => {
    const release = seconds(`${date}T18:00:00Z`);
    return { date, val, announcement_datetime: release, revisions: [{ epoch: release, val, is_first_release: true }] };
  };
  const rate = history([at('2026-10-28', 4.0), at('2026-09-16', 4.25)], { indicator: 'policy_rate' });
  const lower = history([at('2026-10-28', 3.75), at('2026-09-16', 4.0)], { indicator: 'policy_rate_target_lower' });

  it('tells what changed, by how much and the range where both bounds are held', () => {
    expect(recordOf([rate, lower], { indicator: 'policy_rate' }).outcome).toEqual({
      decision: 'cut',
      change_bps: -25,
      previous_value: 4.25,
      target_range: { lower: 3.75, upper: 4.0 },
    });
    expect(recordOf([rate], { indicator: 'policy_rate' }).outcome).toEqual({
      decision: 'cut',
      change_bps: -25,
      previous_value: 4.25,
    });
  });

  it('has the outcome of a strike beside it, and none of its own before there was another', () => {
    const args = { indicator: 'policy_rate', period: '2026-09-16' };
    expect(recordOf([rate], { ...args, strike: 4.25 }).outcome).toEqual({
      strike: 4.25,
      comparison: 'gte',
      resolves_yes: true,
    });
    expect(recordOf([rate], args)).not.toHaveProperty('outcome');
  });
});

describe('what a caller may see', () => {
  const loaded = [history([SEPTEMBER, AUGUST])];
  const kept = (withheld: readonly number[], clipped: boolean) => ({
    kind: 'notFound',
    status: 404,
    code: 'release_not_available',
    extra: { kept: { withheld, clipped } },
  });

  it('without a key ends 15 to 20 minutes ago: the release of 12:30 opens at 12:45', () => {
    const minute = (at: string) => seconds(`2026-10-14T12:${at}Z`);
    expect(refusal(loaded, { period: '2026-09-30' }, KEYLESS, minute('44:59'))).toMatchObject(
      kept([seconds(RELEASE)], false),
    );
    expect(recordOf(loaded, { period: '2026-09-30' }, KEYLESS, minute('45:00'))).toMatchObject({
      settlement_value: 3.2,
    });
    expect(recordOf(loaded, { period: '2026-09-30' }, OWNER, minute('30:00'))).toMatchObject({ settlement_value: 3.2 });
  });

  it('hides a revision inside the delay, and the newest readable release stands for the latest one', () => {
    const revisedAt = seconds('2026-11-13T13:30:00Z');
    expect(recordOf(loaded, {}, KEYLESS, revisedAt + 60)).toMatchObject({ latest_value: 3.2, revised: false });
    expect(recordOf(loaded, {}, KEYLESS, revisedAt + 1200)).toMatchObject({ latest_value: 3.0, revised: true });
    expect(recordOf(loaded, {}, KEYLESS, seconds(RELEASE) + 60).period).toBe('2026-08-31');
  });

  it('without a key begins 90 days ago', () => {
    const later = seconds('2026-12-01T00:00:00Z');
    expect(refusal(loaded, { period: '2026-08-31' }, KEYLESS, later)).toMatchObject(kept([], true));
    expect(recordOf(loaded, { period: '2026-09-30' }, KEYLESS, later).period).toBe('2026-09-30');
    expect(recordOf(loaded, { period: '2026-08-31' }, { kind: 'keyed', plan: 'trial' }, later).period).toBe(
      '2026-08-31',
    );
  });

  it('is nothing before the release, of a placeholder, or of a period that there is not', () => {
    const before = seconds(RELEASE) - 1;
    const keyed: Caller = { kind: 'keyed', plan: 'trial' };
    for (const [series, period, now] of [
      [SEPTEMBER, '2026-09-30', before],
      [{ date: '2026-10-31', val: null }, '2026-10-31', NOW],
      [SEPTEMBER, '2026-09-29', NOW],
    ] as const)
      expect(refusal([history([series])], { period }, keyed, now)).toMatchObject({
        status: 404,
        code: 'release_not_available',
        extra: {},
      });
  });

  it('nothing held at all is no answer', () => {
    expect(composeRecord.build([templates(TEMPLATE)], context(ARGS))).toBeUndefined();
  });
});

describe('a record that the service sent', () => {
  const text = RECORD.replace('"status":"settled"', '"status":"settled","unknown_member":[1.0]');
  const seenAt = seconds('2026-11-14T00:00:00Z') * 1000;
  const received = own('settlement', text, seenAt);
  const answered = (
    loaded: readonly LoadedSeries[],
    args: Partial<RecordArgs> = {},
    caller: Caller = OWNER,
    now = NOW,
  ) => composeRecord.build(loaded, context({ ...ARGS, ...args }, caller, now))?.rows[0];

  it('is served as it came, to the byte, whatever an older history says', () => {
    expect(answered([received])).toBe(text);
    expect(answered([received, history([{ ...SEPTEMBER, val: 3.2 }], { seenAt: seenAt - 1 })])).toBe(text);
    expect(answered([received, history([SEPTEMBER], { seenAt: seenAt + 1 })])).toBe(text);
  });

  it('gives way to a value that came in later and differs, and to a newer release', () => {
    const revised = {
      ...SEPTEMBER,
      val: 2.9,
      revisions: [...SEPTEMBER.revisions, { epoch: seconds('2026-11-20T13:30:00Z'), val: 2.9 }],
    };
    const later = history([revised], { seenAt: seenAt + 1 });
    expect(JSON.parse(answered([received, later]) ?? '')).toMatchObject({
      latest_value: 2.9,
      first_print: { val: 3.2 },
    });
    const october = { ...SEPTEMBER, date: '2026-10-31', announcement_datetime: seconds('2026-11-13T13:30:00Z') };
    expect(JSON.parse(answered([received, history([october], { seenAt: 0 })]) ?? '').period).toBe('2026-10-31');
    expect(answered([received, history([october], { seenAt: 0 })], { period: '2026-09-30' })).toBe(text);
  });

  it('keeps the delay: neither its release nor a revision that may lie inside is told without a key', () => {
    const at = (iso: string) => refusal([received], {}, KEYLESS, seconds(iso));
    expect(at('2026-10-14T12:40:00Z')).toMatchObject({
      extra: { kept: { withheld: [seconds(RELEASE)], clipped: false } },
    });
    expect(at('2026-11-14T00:10:00Z')).toMatchObject({ code: 'release_not_available' });
    expect(answered([received], {}, KEYLESS, seconds('2026-11-14T00:20:00Z'))).toBe(text);
    const unrevised = own('settlement', text.replace('"revised":true', '"revised":false'), seenAt);
    expect(answered([unrevised], {}, KEYLESS, seconds('2026-11-14T00:01:00Z'))).toContain('"revised":false');
  });
});

describe('a contract', () => {
  const args = {
    contract_id: 'usd_inflation_threshold',
    period: 'latest',
    strike: 3.2,
    comparison: undefined,
  } as const;
  const outcome = (loaded: readonly LoadedSeries[], more: object = {}) =>
    JSON.parse(composeContract.build(loaded, context({ ...args, ...more }))?.rows[0] ?? '{}').outcome;
  const inflation = history([SEPTEMBER, AUGUST]);

  it('compares as its template says, unless it is told otherwise', () => {
    expect(outcome([templates(TEMPLATE), inflation])).toEqual({ strike: 3.2, comparison: 'gt', resolves_yes: false });
    expect(outcome([templates(TEMPLATE), inflation], { comparison: 'gte' })).toEqual({
      strike: 3.2,
      comparison: 'gte',
      resolves_yes: true,
    });
  });

  it('names the histories that its template is about', () => {
    expect(
      composeContract.follow?.(args, [templates({ ...TEMPLATE, contract_id: 'USD_Inflation_Threshold' })], 0),
    ).toEqual([{ endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' }, exact: true }]);
    const foreign = { ...TEMPLATE, contract_id: 'k-17', indicator: 'policy_rate' };
    const refs = composeContract.follow?.({ ...args, contract_id: 'k-17' }, [templates(foreign)], 0) ?? [];
    expect(refs.map(({ scope }) => scope.indicator)).toEqual(['policy_rate', 'policy_rate_target_lower']);
  });

  it('that nobody has published is unknown, with the nearest id', () => {
    const build = () =>
      composeContract.build(
        [templates(TEMPLATE), inflation],
        context({ ...args, contract_id: 'usd_inflation_treshold' }),
      );
    expect(build).toThrow(
      expect.objectContaining({
        kind: 'notFound',
        status: 404,
        code: 'unknown_resource',
        message: "Unknown contract 'usd_inflation_treshold'. Did you mean 'usd_inflation_threshold'?",
        extra: { suggestions: ['usd_inflation_threshold'] },
      }),
    );
  });

  it('of another currency than USD needs a key', () => {
    const euro = templates({ ...TEMPLATE, contract_id: 'eur_inflation_threshold', currency: 'EUR' });
    expect(() =>
      composeContract.build([euro], context({ ...args, contract_id: 'eur_inflation_threshold' }, KEYLESS)),
    ).toThrow(
      expect.objectContaining({
        kind: 'auth',
        status: 401,
        code: 'api_key_required',
        message: 'This route needs an API key for EUR.',
      }),
    );
  });
});

describe('templates', () => {
  const list = (loaded: readonly LoadedSeries[], args = { currency: undefined, indicator: undefined } as object) =>
    composeContracts.build(loaded, context({ currency: undefined, indicator: undefined, ...args }));

  it('are those that the service published, byte for byte, filtered', () => {
    const other = { ...TEMPLATE, contract_id: 'eur_gdp_threshold', currency: 'EUR', indicator: 'gdp' };
    const published = templates(TEMPLATE, other);
    expect(list([published])?.rows).toEqual([JSON.stringify(other), JSON.stringify(TEMPLATE)]);
    expect(list([published], { currency: 'EUR' })).toMatchObject({
      envelope: { count: 1 },
      rows: [JSON.stringify(other)],
    });
    expect(list([published], { indicator: 'm2' })).toMatchObject({ envelope: { count: 0 }, rows: [] });
    expect(
      composeContracts.selectSeries?.({ currency: undefined, indicator: undefined }, [published.ref, history([]).ref]),
    ).toEqual([published.ref]);
  });

  it('follow from the held series where nobody published any', () => {
    const envelope = { selected_series_id: 'usd_inflation_canonical_yoy', source_url: 'https://stats.example' };
    const rate = history([{ date: '2026-10-28', val: 4.25, announcement_datetime: 1 }], {
      indicator: 'policy_rate',
      envelope: { name: 'Policy Rate', unit: '%' },
    });
    const built = list([rate, history([SEPTEMBER, AUGUST], { envelope })]);
    expect(built?.rows.map((row) => JSON.parse(row))).toEqual([
      {
        contract_id: 'usd_inflation_threshold',
        title: 'USD Inflation (CPI) above strike',
        currency: 'USD',
        indicator: 'inflation',
        series_id: 'usd_inflation_canonical_yoy',
        unit: '%YoY',
        publisher: 'BLS',
        source_url: 'https://stats.example',
        precision: 1,
        outcome_rule: { type: 'threshold', comparison: 'gt', outcomes: ['yes', 'no'] },
        settles_on: 'first_print',
      },
      {
        contract_id: 'usd_policy_rate_decision',
        title: 'USD Policy Rate decision',
        currency: 'USD',
        indicator: 'policy_rate',
        unit: '%',
        publisher: 'BLS',
        precision: 2,
        outcome_rule: { type: 'decision', outcomes: ['hike', 'hold', 'cut'] },
        settles_on: 'first_print',
      },
    ]);
  });
});
