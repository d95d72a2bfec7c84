import { describe, expect, it } from 'vitest';
import { ageLimit, marksOf, mixedQuality, releaseCounts } from '../../src/coverage/data-quality.ts';

const MONTHLY = 95;

describe('what an answer says of itself', () => {
  it('counts a row as assumed when any time that it shows is', () => {
    const rows = [
      { date: '2026-03-31', publication_time_status: 'confirmed', announcement_datetime: 1 },
      { date: '2026-02-28', publication_time_status: 'assumed_historical' },
      {
        date: '2026-01-31',
        publication_time_status: 'confirmed',
        revisions: [{ publication_time_status: 'confirmed' }, { publication_time_status: 'assumed_historical' }],
      },
      { date: '2025-12-31', release_time_assumed: true },
    ];
    expect(releaseCounts(rows)).toMatchObject({
      row_count: 4,
      has_assumed_release_times: true,
      assumed_release_time_count: 3,
      announcement_datetime_count: 1,
    });
  });

  it.each([
    ['of a day long ago', { latest: '2026-01-31', staleAfter: MONTHLY }, { is_stale: true, data_lag_days: 120 }],
    ['of the last month', { latest: '2026-04-30', staleAfter: MONTHLY }, { is_stale: false, data_lag_days: 31 }],
    ['that never ages', { latest: '2020-01-31', staleAfter: 'never' as const }, { is_stale: false }],
    ['whose rhythm nobody knows', { latest: '2026-04-30', staleAfter: undefined }, { is_stale: undefined }],
    ['without a row', { latest: undefined, staleAfter: MONTHLY }, { is_stale: undefined, data_lag_days: undefined }],
  ])('says how old it is, or nothing: an answer %s', (_, shown, expected) => {
    expect(marksOf({ about: {}, counts: {}, today: '2026-05-31', ...shown })).toMatchObject(expected);
  });

  it('takes the limit of the service where it judged the age, none included', () => {
    expect(ageLimit({}, MONTHLY)).toBe(MONTHLY);
    expect(ageLimit({}, undefined)).toBeUndefined();
    expect(ageLimit({}, MONTHLY, false)).toBe('never');
    expect(ageLimit({ data_quality: { is_stale: false, stale_after_days: 40 } }, MONTHLY)).toBe(40);
    expect(ageLimit({ data_quality: { is_stale: false } }, MONTHLY)).toBe('never');
  });

  it('is official only where every source is, and of mixed type where they differ', () => {
    const envelopes = [{ data_quality: { source_type: 'official' } }, { is_proxy: true }];
    expect(mixedQuality(envelopes, ['Treasury', 'Desk'])).toEqual({
      is_official: false,
      is_proxy: true,
      is_fallback: false,
      source_type: 'mixed',
      source_name: 'Treasury, Desk',
    });
  });
});
