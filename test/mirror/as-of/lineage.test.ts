import { expect, it } from 'vitest';
import type { SourceCommit } from '../../../src/mirror/api/series.ts';
import { datedOf } from '../../../src/mirror/rules/as-of/dated.ts';
import { lineageOf } from '../../../src/mirror/rules/as-of/known-vintages.ts';
import { clock, DAY, entry, HOUR, keptRow, ns, owner, START, TABLE, type Text, textOf } from './stored-row.ts';

const commit = (number: number): SourceCommit => ({ number, at: 0, access: 'keyless', request: `request ${number}` });

function lineage(texts: readonly [Text, ...Text[]]) {
  const kept = keptRow(texts);
  return lineageOf(kept.stages, datedOf(TABLE, kept, clock), commit);
}

it('a row has texts with the commits that brought, refreshed and ended them', () => {
  const texts: readonly [Text, ...Text[]] = [
    { seen: 1, ended: 3, val: 1 },
    { seen: 3, refreshed: 4, ended: 5, val: 2 },
    { seen: 7, val: 2 },
  ];
  expect(lineage(texts).texts).toEqual([
    { text: textOf(texts[0]), brought: commit(1), ended: commit(3), wasReplaced: true },
    {
      ...{ text: textOf({ seen: 3, val: 2 }), brought: commit(3), refreshed: commit(4), ended: commit(5) },
      wasReplaced: false,
    },
    { text: textOf({ seen: 7, val: 2 }), brought: commit(7), wasReplaced: false },
  ]);
});

it('a row has values with the times at which they were known', () => {
  const list = [owner(-DAY, 1), owner(-DAY, 2)];
  const known = (at: number) => ({ public: ns(at), captured: ns(HOUR), mirrored: ns(HOUR) });
  const disputed = { isListed: true, isAssumed: false, brought: commit(1) };
  const dispute = { from: ns(-DAY), until: undefined, wins: false };
  expect(lineage([{ seen: 1, val: 1, list }]).values).toEqual([
    { ...disputed, text: JSON.stringify(list[0]), known: known(-DAY), dispute },
    { ...disputed, text: JSON.stringify(list[1]), known: known(-DAY), dispute },
  ]);
  expect(lineage([{ seen: 1, ended: 2, val: 1, assumed: -DAY }]).values).toEqual([
    {
      ...{
        text: textOf({ seen: 1, val: 1 }),
        isListed: false,
        isAssumed: true,
        known: known(-DAY),
        brought: commit(1),
      },
      withdrawnAt: (START + 2 * HOUR) * 1000,
    },
  ]);
  const [listed] = lineage([{ seen: 1, val: 1, list: [entry(-DAY, 1)] }]).values;
  expect(listed).toEqual({ ...disputed, text: JSON.stringify(entry(-DAY, 1)), known: known(-DAY) });
});
