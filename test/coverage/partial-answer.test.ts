import { describe, expect, it } from 'vitest';
import { joinPartials, type PartialAnswer, servicePartial } from '../../src/coverage/partial-answer.ts';

const [JANUARY, MARCH] = [
  { from: '2026-01-01', to: '2026-01-31' },
  { from: '2026-03-01', to: '2026-03-31' },
];
const lackOf = (quote: string) => ({ series: { endpoint: 'forex', scope: { base: 'EUR', quote } } });
const LOST = { text: 'Gone.', goOn: 'macro announcements changes' };

const lacking = (more: Partial<PartialAnswer> = {}, mark: Partial<PartialAnswer['mark']> = {}): PartialAnswer => ({
  mark: { complete: false, missing: [JANUARY], checked_at: '2026-11-21T05:00:00Z', ...mark },
  missingParts: [lackOf('USD')],
  cures: ['macro sync fx eur usd'],
  holder: 'mirror',
  ...more,
});

it('what an answer of the service lacks by its own word cannot be brought from here', () => {
  const mark = { complete: false, missing: [JANUARY] } as const;
  expect(servicePartial(mark)).toEqual({ mark, missingParts: [], cures: [], holder: 'service' });
});

describe('what several pages lack', () => {
  it('is nothing where none lacks anything, and what the only one lacks', () => {
    expect(joinPartials([])).toBeUndefined();
    const one = lacking();
    expect(joinPartials([one])).toBe(one);
  });

  it('has each part and each command once, as of the oldest look', () => {
    const later = lacking(
      { missingParts: [lackOf('JPY')], cures: ['macro sync fx eur usd', 'macro sync fx eur jpy'] },
      { missing: [JANUARY, MARCH], checked_at: '2026-11-21T04:00:00Z' },
    );
    const joined = {
      mark: { complete: false, missing: [JANUARY, MARCH], checked_at: '2026-11-21T04:00:00Z' },
      missingParts: [lackOf('USD'), lackOf('JPY')],
      cures: ['macro sync fx eur usd', 'macro sync fx eur jpy'],
      holder: 'mirror',
    };
    expect(joinPartials([lacking(), later])).toEqual(joined);
    const [oldest, newest] = ['2026-11-21T04:00:00Z', '2026-11-21T05:00:00Z'];
    const looks = (...at: string[]) =>
      joinPartials(at.map((checked_at) => lacking({}, { checked_at })))?.mark.checked_at;
    expect([looks(oldest, newest), looks(newest, oldest)]).toEqual([oldest, oldest]);
  });

  it('was never looked at where a page never was', () => {
    const { checked_at: _, ...never } = lacking().mark;
    const joined = { complete: false, missing: [JANUARY] };
    expect(joinPartials([lacking(), { ...lacking(), mark: never }])?.mark).toEqual(joined);
    expect(joinPartials([{ ...lacking(), mark: never }, lacking()])?.mark).toEqual(joined);
  });

  it('says what is lost by the word of the first page', () => {
    expect(joinPartials([lacking({ lost: LOST, holder: 'service' }), lacking()])).toEqual({
      ...lacking({ lost: LOST, holder: 'service' }),
      missingParts: [lackOf('USD'), lackOf('USD')],
    });
    expect(joinPartials([lacking(), lacking({ lost: LOST })])).not.toHaveProperty('lost');
  });

  it('lists a hundred parts at most, and says that there are more', () => {
    const parts = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ from: 2 * (from + i), to: 2 * (from + i) }));
    const page = (from: number, count: number, more = {}) => lacking({}, { missing: parts(from, count), ...more });
    expect(joinPartials([page(0, 50), page(50, 50)])?.mark).toEqual({
      ...{ complete: false, missing: parts(0, 100), checked_at: '2026-11-21T05:00:00Z' },
    });
    expect(joinPartials([page(0, 50), page(50, 51)])?.mark).toEqual({
      ...{ complete: false, missing: parts(0, 100), truncated: true, checked_at: '2026-11-21T05:00:00Z' },
    });
    // One of them was cut before.
    expect(joinPartials([page(0, 1), page(1, 1, { truncated: true })])?.mark.truncated).toBe(true);
    expect(joinPartials([page(0, 1, { truncated: true }), page(1, 1)])?.mark.truncated).toBe(true);
  });
});
