import { describe, expect, it } from 'vitest';
import { readDateWord, readMomentWord } from '../../src/cli/parse/moments.ts';
import { readDuration } from '../../src/cli/parse/options.ts';

describe('a date word', () => {
  it.each([
    ['today', '2026-11-21'],
    ['TODAY', '2026-11-21'],
    ['yesterday', '2026-11-20'],
    ['tomorrow', '2026-11-22'],
    ['ytd', '2026-01-01'],
    ['-90d', '2026-08-23'],
    ['+7d', '2026-11-28'],
    ['-1w', '2026-11-14'],
    ['-3m', '2026-08-21'],
    ['-12m', '2025-11-21'],
    ['-2y', '2024-11-21'],
    ['+2m', '2027-01-21'],
    ['2026-03-09', '2026-03-09'],
  ])('%s is %s on 2026-11-21', (word, date) => {
    expect(readDateWord(word, '2026-11-21')).toBe(date);
  });

  it('takes the last day of a month that is too short', () => {
    expect(readDateWord('-1m', '2026-03-31')).toBe('2026-02-28');
    expect(readDateWord('-1y', '2024-02-29')).toBe('2023-02-28');
    expect(readDateWord('-4y', '2024-02-29')).toBe('2020-02-29');
    expect(readDateWord('-1m', '2026-01-31')).toBe('2025-12-31');
  });

  it.each(['90d', '-d', '-90', '-90x', 'last week', '2026-02-30', '-99999y', ''])('leaves %j as it is', (word) => {
    expect(readDateWord(word, '2026-11-21')).toBe(word);
  });
});

describe('a moment word', () => {
  it.each([
    ['now', '2026-11-21T05:46:13Z'],
    ['NOW ', '2026-11-21T05:46:13Z'],
    ['-1h', '2026-11-21T04:46:13Z'],
    ['-24h', '2026-11-20T05:46:13Z'],
    ['-30min', '2026-11-21T05:16:13Z'],
    ['-90s', '2026-11-21T05:44:43Z'],
    ['+1H', '2026-11-21T06:46:13Z'],
    ['-1d', '2026-11-20'],
    ['-3m', '2026-08-21'],
    ['yesterday', '2026-11-20'],
    ['2026-11-01T13:30:00Z', '2026-11-01T13:30:00Z'],
    ['-1hour', '-1hour'],
    ['1795219200', '1795219200'],
  ])('%s is %s at 05:46:13.9 on 2026-11-21', (word, moment) => {
    expect(readMomentWord(word, Date.parse('2026-11-21T05:46:13.900Z'))).toBe(moment);
  });
});

describe('a duration', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['15min', 900],
    ['6H', 21_600],
    ['2d', 172_800],
    ['1w', 604_800],
    ['0', 0],
  ])('%s is %i seconds', (text, seconds) => {
    expect(readDuration(text, '--max-age')).toBe(seconds);
  });

  it.each(['', 'soon', '-5m', '1.5h', '5 m', '1y'])('%j is refused', (text) => {
    expect(() => readDuration(text, '--max-age')).toThrow('is no duration for --max-age');
  });
});
