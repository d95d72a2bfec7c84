import { describe, expect, it } from 'vitest';
import { needsKey, readableAt, releaseCutoff } from '../../src/contract/access.ts';
import { dateToMs } from '../../src/contract/time/time.ts';

const at = (time: string) => Date.parse(`2026-10-14T${time}Z`) / 1000;

describe('the keyless delay', () => {
  // See docs/interface-access.md#release-delay: a 12:30:00Z or 12:27:00Z release opens at 12:45:00Z.
  it.each([
    ['12:30:00', '12:45:00'],
    ['12:27:00', '12:45:00'],
    ['12:25:00', '12:40:00'],
  ])('a release of %s is readable at %s and not before', (release, opens) => {
    expect(readableAt(at(release))).toBe(at(opens));
    expect(releaseCutoff(at(opens))).toBeGreaterThanOrEqual(at(release));
    expect(releaseCutoff(at(opens) - 1)).toBeLessThan(at(release));
  });
  it('gives the cutoff of the worked example', () => {
    expect(releaseCutoff(at('12:44:00'))).toBe(1791980700);
    expect(dateToMs('2026-10-14') / 1000 + 12 * 3600 + 25 * 60).toBe(1791980700);
  });
});

describe('needsKey', () => {
  const changes = { class: 'usd', narrows: 'currencies' } as const;
  it.each([
    [{ class: 'public' } as const, {}, false],
    [{ class: 'keyed' } as const, { base: 'USD' }, true],
    [{ class: 'usd' } as const, { currency: 'USD' }, false],
    [{ class: 'usd' } as const, { currency: 'EUR' }, true],
    [changes, {}, false],
    [changes, { currencies: ['usd', 'eur'] }, false],
    [changes, { currencies: ['g10'] }, false],
    [changes, { currencies: ['eur', 'gbp'] }, true],
  ])('%j with %j: %s', (access, args, expected) => expect(needsKey(access, args)).toBe(expected));
});
