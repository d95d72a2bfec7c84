// Which source gives the value of a period, worked out by hand. Times are days, as nanoseconds.
import { expect, it } from 'vitest';
import {
  firstWitness,
  newestWitness,
  type PeriodValues,
  sharedNameOf,
  type Witness,
} from '../../src/coverage/period-source.ts';

const day = (count: number) => BigInt(count) * 86_400_000_000_000n;

/** A value with its vintages. */
function listed(...vintages: readonly (readonly [at: number, value: string])[]): PeriodValues {
  const [[firstAt, first] = [0, '']] = vintages;
  const [at, value] = vintages.at(-1) ?? [0, ''];
  return {
    value,
    since: day(at),
    seenAt: day(900),
    earliest: { at: day(firstAt), value: first },
    first: undefined,
  };
}

const proven = (period: PeriodValues): PeriodValues => ({ ...period, first: period.earliest });

/** A value without vintages, imported on day 900. */
const bare = (value: string, seen = 900): PeriodValues => ({
  value,
  since: undefined,
  seenAt: day(seen),
  earliest: undefined,
  first: undefined,
});

const source = (name: string, place: number, periods: Readonly<Record<string, PeriodValues>>): Witness<string> => ({
  source: name,
  place,
  periods: new Map(Object.entries(periods)),
});

const both = <T>(choose: (of: readonly Witness<string>[]) => (date: string) => Witness<string> | undefined, of: T) => {
  const witnesses = of as readonly Witness<string>[]; // callers give witnesses
  return (date: string) => [choose(witnesses)(date)?.source, choose(witnesses.toReversed())(date)?.source];
};

it('a file without vintages that reaches further is newer for every period', () => {
  const fred = source('FRED', 6, { '2021-01': bare('8'), '2021-02': bare('7') });
  const alfred = source('ALFRED', 7, { '2021-01': listed([40, '5'], [70, '6']) });
  const choice = both(newestWitness, [fred, alfred]);
  expect([choice('2021-01'), choice('2021-02')]).toEqual([
    ['FRED', 'FRED'],
    ['FRED', 'FRED'],
  ]);
});

it('one that was imported today and ends before a later release is older than that release', () => {
  const fred = source('FRED', 6, { '2021-01': bare('5'), '2021-02': bare('7') });
  const alfred = source('ALFRED', 7, {
    '2021-01': listed([40, '5'], [100, '6']),
    '2021-02': listed([70, '8']),
    '2021-03': listed([100, '9']),
  });
  const choice = both(newestWitness, [fred, alfred]);
  // The release of March on day 100 revised January and left February as it was; the other file is of before that day.
  expect(['2021-01', '2021-02', '2021-03'].map(choice)).toEqual([
    ['ALFRED', 'ALFRED'],
    ['ALFRED', 'ALFRED'],
    ['ALFRED', 'ALFRED'],
  ]);
});

it('where files end together a vintage of after the import is newer, and one of before it is not', () => {
  const fred = source('FRED', 6, { '2021-Q1': bare('5', 120) });
  const of = (at: number) => [fred, source('ALFRED', 7, { '2021-Q1': listed([90, '4'], [at, '6']) })];
  expect([both(newestWitness, of(110))('2021-Q1'), both(newestWitness, of(130))('2021-Q1')]).toEqual([
    ['FRED', 'FRED'],
    ['ALFRED', 'ALFRED'],
  ]);
});

it('two files without vintages are period apart by their reach, then by the order of publishers', () => {
  const near = source('FRED', 6, { '2021-01': bare('5', 901) });
  const far = source('BLS', 14, { '2021-01': bare('6', 900), '2021-02': bare('6', 900) });
  const same = source('BLS', 14, { '2021-01': bare('6', 905) });
  expect([both(newestWitness, [near, far])('2021-01'), both(newestWitness, [near, same])('2021-01')]).toEqual([
    ['BLS', 'BLS'],
    ['FRED', 'FRED'],
  ]);
});

it('a first print is the earliest that a source proves', () => {
  const alfred = source('ALFRED', 7, { '2021-01': proven(listed([40, '5'], [70, '6'])) });
  const later = source('Philadelphia Fed', 10, { '2021-01': proven(listed([46, '5'])), '2021-02': listed([70, '8']) });
  const choice = both(firstWitness, [later, alfred]);
  expect([choice('2021-01'), choice('2021-02')]).toEqual([
    ['ALFRED', 'ALFRED'],
    [undefined, undefined],
  ]);
});

it('no source proves a first print that another one had another value before', () => {
  const alfred = source('ALFRED', 7, { '2021-01': proven(listed([70, '6'])) });
  const older = source('Philadelphia Fed', 10, { '2021-01': listed([46, '5'], [76, '6']) });
  expect(both(firstWitness, [alfred, older])('2021-01')).toEqual([undefined, undefined]);
});

it('ids are one series where the table says so, else at one publisher', () => {
  const names = [
    ['Philadelphia Fed', 'EMPLOY'],
    ['FRED', 'PAYEMS'],
    ['ALFRED', 'PAYEMS'],
    ['BLS', 'CUSR0000SA0'],
    ['FRED', 'CPIAUCSL'],
    ['Eurostat', 'PAYEMS'],
  ].map(([publisher = '', id = '']) => sharedNameOf(publisher, id));
  expect(names).toEqual([
    'FRED PAYEMS',
    'FRED PAYEMS',
    'FRED PAYEMS',
    'FRED CPIAUCSL',
    'FRED CPIAUCSL',
    'Eurostat PAYEMS',
  ]);
});
