import { describe, expect, it } from 'vitest';
import type { Missing } from '../../src/contract/answer-members.ts';
import { mergeMissing } from '../../src/coverage/partial-answer.ts';

const part = (from: string | number, to: string | number, series?: string): Missing => ({
  from,
  to,
  ...(series !== undefined && { series }),
});

describe('what is missing', () => {
  it('is named once, in its order', () => {
    const [january, march] = [part('2026-01-01', '2026-01-31'), part('2026-03-01', '2026-03-31')];
    const whole = { series: 'fx eur usd' };
    expect(mergeMissing([march, january, { ...march }, whole, { ...whole }])).toEqual([march, january, whole]);
    expect(mergeMissing([])).toEqual([]);
  });

  it('is one range where ranges of one series overlap, lie within each other or touch', () => {
    const parts = [
      part('1900-01-01', '1959-01-30'),
      part('2024-03-01', '2026-03-31'),
      part('1958-12-11', '1959-01-30'),
      part('2026-04-01', '2026-04-30'),
      part('1913-01-01', '1913-01-31'),
      part('1959-01-15', '1959-02-27'),
    ];
    expect(mergeMissing(parts)).toEqual([{ to: '1959-02-27' }, part('2024-03-01', '2026-04-30')]);
  });

  it('stays apart where a day lies between, and from one series to another', () => {
    const parts = [
      part('2024-02-28', '2024-02-28'),
      part('2024-03-01', '2024-03-01'),
      part('2024-02-29', '2024-02-29', 'fx eur usd'),
    ];
    expect(mergeMissing(parts)).toEqual(parts);
    const leap = part('2024-02-29', '2024-02-29');
    expect(mergeMissing([...parts, leap])).toEqual([part('2024-02-28', '2024-03-01'), parts[2]]);
  });

  it('does not compare days with moments, and joins moments that are a second apart', () => {
    const days = part('2026-11-01', '2026-11-20');
    const moments = [
      part('2026-11-18T12:00:00Z', '2026-11-19T23:59:59Z'),
      part('2026-11-20T00:00:00Z', '2026-11-20T06:00:00Z'),
    ];
    expect(mergeMissing([days, ...moments])).toEqual([days, part('2026-11-18T12:00:00Z', '2026-11-20T06:00:00Z')]);
    expect(mergeMissing([part(100, 200), part(201, 300), part(302, 303)])).toEqual([part(100, 300), part(302, 303)]);
  });
});
