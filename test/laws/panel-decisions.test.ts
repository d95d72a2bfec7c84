import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALL_PAYROLLS, chosenPayrolls } from '../support/payrolls.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const SERIES = 'usd non_farm_payrolls_change';

/** Releases of the excerpt, each with the first print of the month before it, as the columns of the file begin with them. */
const RELEASES: readonly (readonly [string, number])[] = [
  ['2021-02-05T13:30:00Z', 49],
  ['2021-03-05T13:30:00Z', 379],
  ['2021-04-02T12:30:00Z', 916],
  ['2021-05-07T12:30:00Z', 266],
  ['2021-06-04T12:30:00Z', 559],
  ['2021-07-02T12:30:00Z', 850],
  ['2021-08-06T12:30:00Z', 943],
  ['2021-09-03T12:30:00Z', 235],
  ['2021-10-08T12:30:00Z', 194],
  ['2021-11-05T12:30:00Z', 531],
  ['2021-12-03T13:30:00Z', 210],
  ['2022-01-07T13:30:00Z', 199],
];

const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** From two months before the first vintage to a month behind the last one, and the seconds around each release. */
function decisions(): readonly string[] {
  const steps: string[] = [];
  for (let ms = Date.parse('2020-12-03'); ms < Date.parse('2022-02-05'); ms += 9 * 86_400_000) steps.push(iso(ms));
  const edges = [RELEASES[0], RELEASES.at(-1)].flatMap(([at = ''] = ['', 0]) =>
    [0, 1000, 2000].map((after) => iso(Date.parse(at) + after)),
  );
  return [...steps, ...edges, '2021-06-10T00:00:00Z', '2021-12-31T00:00:00Z', '2022-01-05T00:00:00Z'];
}

/** What the file tells of a decision: the newest print before it, from the first vintage to the last one. */
function printBefore(decision: string): number | 'not_known_then' {
  const [first, last] = [RELEASES[0]?.[0] ?? '', RELEASES.at(-1)?.[0] ?? ''];
  // A decision knows what was known in the second before it.
  const known = iso(Date.parse(decision) - 1000);
  if (known < first || known > last) return 'not_known_then';
  return RELEASES.findLast(([at]) => at <= known)?.[1] ?? 'not_known_then';
}

async function mirrored() {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'alfredgraph.csv'), chosenPayrolls(...ALL_PAYROLLS));
  expect((await macro('import alfredgraph.csv --quiet', at)).code).toBe(0);
  const json = async (line: string) => {
    const { code, out } = await macro(`${line} --offline --quiet --format json`, at);
    return { code, body: out === '' ? undefined : JSON.parse(out) };
  };
  return {
    async panel(...times: readonly string[]) {
      const { code, body } = await json(`panel --series ${SERIES.replace(' ', '/')} --at ${times.join(',')}`);
      const cells: { val: number | null; reason?: string }[] = body.data.map(
        (row: { values: [object] }) => row.values[0],
      );
      return { code, cells };
    },
    async asOf(moment: string) {
      const { code, body } = await json(`announcements ${SERIES} --as-of ${moment} --limit 1`);
      return { code, val: body?.data[0]?.val };
    },
  };
}

it('a decision has the same answer alone and in company, and it is that of the history as of its moment', async () => {
  const { panel, asOf } = await mirrored();
  const times = decisions();
  const { code, cells } = await panel(...times);
  expect(code).toBe(10);
  expect(cells.map(({ val, reason }) => reason ?? val)).toEqual(times.map(printBefore));
  for (const [i, time] of times.entries()) {
    const alone = await panel(time);
    expect([time, alone.cells]).toEqual([time, [cells[i]]]);
    const history = await asOf(iso(Date.parse(time) - 1000));
    const isWhole = history.code === 0;
    expect([time, alone.code, alone.cells[0]?.val]).toEqual([time, isWhole ? 0 : 10, isWhole ? history.val : null]);
  }
});
