import { expect, it } from 'vitest';
import type { MirrorReader } from '../../../src/mirror/api/mirror.ts';
import type { StoredSeries } from '../../../src/mirror/api/series.ts';
import {
  undoneBy,
  undoneIn,
  undoneSelect,
  undoRequest,
  withoutUndone,
} from '../../../src/mirror/rules/as-of/undone.ts';

type SeriesRef = Parameters<MirrorReader['find']>[0];

const REQUEST = 'import undo 12 of 2026-01-05..2026-02-06';

it('a commit that takes an import back names its first commit and its dates', () => {
  expect(undoRequest({ since: 12, from: '2026-01-05', to: '2026-02-06' })).toBe(REQUEST);
  expect(undoneBy({ number: 15, request: REQUEST })).toEqual({
    since: 12,
    until: 15,
    from: '2026-01-05',
    to: '2026-02-06',
  });
});

it.each([
  'import ecb',
  `${REQUEST} again`,
  `an ${REQUEST}`,
  'import undo x of a..b',
  'import undo 1 of a',
  'import undo  of a..b',
  'import undo 1 of ..b',
])('a commit of another request takes nothing back: %s', (request) => {
  expect(undoneBy({ number: 15, request })).toBeUndefined();
});

it('of several commits those that took something back count, in their order', () => {
  const commits = [
    [3, 'import ecb'],
    [4, REQUEST],
    [9, 'import undo 5 of 2026-03-01..2026-03-02'],
  ] as const;
  expect(undoneIn(commits)).toEqual([
    { since: 12, until: 4, from: '2026-01-05', to: '2026-02-06' },
    { since: 5, until: 9, from: '2026-03-01', to: '2026-03-02' },
  ]);
});

it('only imported series are looked through', () => {
  const { sql, values } = undoneSelect(7);
  expect(sql.replace(/\s+/g, ' ')).toBe(
    'select commits.number, commits.request from series join commits on commits.series = series.id ' +
      "where series.id = ? and series.origin like 'import:%' and (commits.request like 'import undo %' or commits.request like 'import retime %')",
  );
  expect(values).toEqual([7]);
});

it('a reader does not find a series all of whose imports were taken back', async () => {
  const series = [
    ['import:ecb', 0],
    ['import:ecb', 1],
    ['https://svc.example', 0],
    ['https://svc.example/import:x', 0],
  ].map(([origin, checkedAt]) => ({ origin, checkedAt }) as StoredSeries);
  const asked: SeriesRef[] = [];
  const find = async (ref: SeriesRef) => {
    asked.push(ref);
    return series;
  };
  const ref: SeriesRef = { endpoint: 'forex', scope: {} };
  const reader = withoutUndone({ find } as unknown as MirrorReader);
  expect(await reader.find(ref)).toEqual(series.slice(1));
  expect(asked).toEqual([ref]);
});
