import { describe, expect, it } from 'vitest';
import { doubtOf } from '../../../src/derive/sentiment/sentiment.ts';

const row = {
  date: '2026-11-19',
  val: 0.3095,
  regime: 'risk_on',
  components: { ofr_fsi: 0.13, gold: -0.04, aud_usd: 0.15, usd_jpy: 0.08 },
};

describe('a row of risk sentiment', () => {
  it('holds together when its score is the tanh of the sum of its components', () => {
    // tanh(0.32) = 0.30950...
    expect(doubtOf(row)).toBeUndefined();
    expect(doubtOf({ ...row, val: 0.309 })).toBeUndefined();
  });

  it('does not when the score is another one, by more than rounding can do', () => {
    expect(doubtOf({ ...row, val: 0.4, regime: 'risk_on' })).toBe('score');
    const exact = { ofr_fsi: 0.1301, gold: -0.0401, aud_usd: 0.1501, usd_jpy: 0.0799 };
    expect(doubtOf({ ...row, components: exact })).toBeUndefined();
    expect(doubtOf({ ...row, val: 0.3099, components: exact })).toBe('score');
  });

  it('leaves missing components out of the sum', () => {
    const components = { ...row.components, ofr_fsi: null };
    expect(doubtOf({ ...row, components })).toBe('score');
    // tanh(0.19) = 0.18774...
    expect(doubtOf({ ...row, val: 0.1877, regime: 'neutral', components })).toBeUndefined();
  });

  it('does not when the regime is that of another score', () => {
    expect(doubtOf({ ...row, regime: 'neutral' })).toBe('regime');
    expect(doubtOf({ date: '2026-11-19', val: -0.3, regime: 'risk_on' })).toBe('regime');
  });

  it('may have either regime where rounding hides which side the score was on', () => {
    expect(doubtOf({ val: 0.25, regime: 'risk_on' })).toBeUndefined();
    expect(doubtOf({ val: 0.25, regime: 'neutral' })).toBeUndefined();
    expect(doubtOf({ val: 0.25, regime: 'risk_off' })).toBe('regime');
  });

  it('is not judged where it does not tell enough', () => {
    expect(doubtOf({ date: '2026-11-19', val: null })).toBeUndefined();
    expect(doubtOf({ val: 0.9 })).toBeUndefined();
    expect(doubtOf({ val: 0.9, components: {} })).toBeUndefined();
  });
});
