import { describe, expect, it } from 'vitest';
import { type CotArgs, deriveCot } from '../../../src/derive/positioning.ts';
import { bodyOf, pageOf, rowsOf } from '../announcements/page.ts';

const ROWS = [
  '{"date":"2026-11-17","announcement_datetime":1795206600,"noncommercial_long":200000,"noncommercial_short":150000,"commercial_long":1,"commercial_short":4,"commercial_net":-3,"noncommercial_net_zscore":0.80}',
  '{"date":"2026-11-10","announcement_datetime":1794601800,"noncommercial_long":190000,"noncommercial_short":200000}',
];

const ask = (more: { args?: Partial<CotArgs>; stored?: Record<string, never> | object; now?: string } = {}) => {
  const args: CotArgs = {
    currency: 'EUR',
    report: 'legacy_futures',
    start_date: '2025-11-21',
    end_date: '2026-11-21',
    limit: 20,
    offset: 0,
    ...more.args,
  };
  const view = pageOf({
    rows: ROWS,
    args,
    now: more.now ?? '2026-11-21T05:46:13Z',
    stored: JSON.parse(JSON.stringify(more.stored ?? {})),
  });
  return deriveCot(view);
};

describe('weekly positions', () => {
  it('get the nets that their rows left out, long minus short; all else stays as spelled', async () => {
    const derived = await ask();
    expect(rowsOf(derived).map(({ noncommercial_net, commercial_net }) => [noncommercial_net, commercial_net])).toEqual(
      [
        [50000, -3],
        [-10000, undefined],
      ],
    );
    expect(derived.rows?.[0]).toContain('"noncommercial_net_zscore":0.80');
  });

  it('tell what they are and when the next ones come', async () => {
    const body = bodyOf(await ask());
    expect(body).toMatchObject({
      report_name: 'Legacy report, futures only',
      available_reports: ['legacy_futures', 'tff_futures'],
      fx_overlay: { pair: 'EUR/USD' },
      latest_available_date: '2026-11-17',
      latest_available_announcement_datetime: 1795206600,
      expected_next_release: '2026-11-27T20:30:00Z',
      expected_next_release_epoch: 1795811400,
      expected_next_release_holiday_adjusted: false,
      data_lag_days: 4,
      last_updated: '2026-11-20T20:30:00Z',
      provenance: { value_field: 'noncommercial_net', served_by: '/v1/cot/{currency}' },
    });
    expect(body.data_quality).toMatchObject({
      row_count: 2,
      is_stale: false,
      data_lag_days: 4,
      latest_available_date: '2026-11-17',
    });
  });

  it('keep the service’s own forecast of the next release, which knows holidays, until it has come', async () => {
    const stored = {
      latest_available_date: '2026-11-17',
      expected_next_release: '2026-11-30T20:30:00Z',
      expected_next_release_epoch: 1796070600,
    };
    expect(bodyOf(await ask({ stored }))).not.toHaveProperty('expected_next_release');
    const late = bodyOf(await ask({ stored, now: '2026-11-30T20:30:00Z' }));
    expect(late.expected_next_release).toBe('2026-12-04T20:30:00Z');
    const outdated = { ...stored, latest_available_date: '2026-11-10' };
    expect(bodyOf(await ask({ stored: outdated })).expected_next_release).toBe('2026-11-27T20:30:00Z');
  });

  it('of financial traders name their own value field, and the dollar has no pair beside it', async () => {
    const body = bodyOf(await ask({ args: { report: 'tff_futures', currency: 'USD' } }));
    expect([body.provenance, body.fx_overlay]).toMatchObject([{ value_field: 'leveraged_funds_net' }, undefined]);
    expect(bodyOf(await ask({ args: { currency: 'JPY' } })).fx_overlay).toEqual({ pair: 'USD/JPY' });
    expect(bodyOf(await ask({ args: { currency: 'XAU' } })).fx_overlay).toEqual({ pair: 'XAU/USD' });
  });

  it('are stale after three weeks', async () => {
    const body = bodyOf(await ask({ now: '2026-12-09T00:00:00Z' }));
    expect(body.data_quality).toMatchObject({ is_stale: true, data_lag_days: 22, stale_after_days: 21 });
  });
});
