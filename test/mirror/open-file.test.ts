import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { MIDNIGHT, page, rate, testMirror } from './support.ts';

const end = { ended: MIDNIGHT, outcome: 'complete' as const, requests: 1, rows: 1 };

async function withRun() {
  const { mirror, path } = await testMirror();
  await mirror.commitPage(page([rate('2026-11-19', 1.1)]));
  const run = await mirror.startRun({ started: MIDNIGHT, holder: 'a test', words: 'fx' });
  return { mirror, path, run };
}

/** Changes of the file of an open mirror, and how each is called. */
const CHANGES: readonly (readonly [string, (path: string) => void])[] = [
  ['removed', (path: string) => rmSync(path)],
  [
    'replaced',
    (path: string) => {
      copyFileSync(path, `${path}.other`);
      renameSync(`${path}.other`, path);
    },
  ],
];

it.each(CHANGES)(
  'a file that is %s while it is open takes nothing more, and no run of it ends as complete',
  async (_, change) => {
    const { mirror, path, run } = await withRun();
    change(path);
    const moved = {
      kind: 'mirror',
      code: 'mirror_moved',
      message: `The mirror ${path} was removed or replaced while this program used it.`,
      hint: 'Later rows are not in a file of this name. Put the file back if you can, then run the command again.',
    };
    await expect(mirror.commitPage(page([rate('2026-11-20', 1.2)]))).rejects.toMatchObject(moved);
    await expect(mirror.endRun(run, end)).rejects.toMatchObject(moved);
    await expect(mirror.journal.moveConsumer('a', 1, MIDNIGHT)).rejects.toMatchObject(moved);
    await expect(mirror.outbox.position()).rejects.toMatchObject(moved);
    await expect(mirror.snapshot(async () => 1)).rejects.toMatchObject(moved);
  },
);

it('a file that is put back is the same', async () => {
  const { mirror, path, run } = await withRun();
  renameSync(path, `${path}.away`);
  await expect(mirror.endRun(run, end)).rejects.toMatchObject({ code: 'mirror_moved' });
  renameSync(`${path}.away`, path);
  await mirror.endRun(run, end);
  expect((await mirror.runs(1))[0]?.outcome).toBe('complete');
});

it.each(CHANGES)('a file that is %s under its reader answers nothing more', async (_, change) => {
  const { mirror, path } = await withRun();
  const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
  if (!series) throw new Error('no series');
  change(path);
  await expect(mirror.look()).rejects.toThrow(`The mirror ${path} was removed or replaced`);
  expect(() => mirror.state?.()).toThrow(`The mirror ${path} was removed or replaced`);
  const reads = [
    mirror.find(series),
    mirror.rows(series, {}),
    mirror.count(series, {}),
    mirror.stamp(),
    mirror.runs(1),
  ];
  for (const read of reads) await expect(read).rejects.toMatchObject({ code: 'mirror_moved' });
});

it('is looked at once in a turn of the event loop, and knows its own commits at once', async () => {
  const { again } = await testMirror();
  const { platform } = testPlatform({ now: MIDNIGHT });
  let turn = 1;
  const mirror = await again({ platform: { ...platform, clock: { ...platform.clock, turn: () => turn } } });
  const stateOf = () => [mirror.state?.('this turn'), mirror.state?.()];
  const [first, same] = stateOf();
  expect(first).toBe(same);
  await (await again()).commitPage(page([rate('2026-11-19', 1.1)]));
  const [asFound, asItIs] = stateOf();
  expect([asFound, asFound === asItIs]).toEqual([first, false]);
  turn += 1;
  expect(stateOf()).toEqual([asItIs, asItIs]);
  await mirror.commitPage(page([rate('2026-11-20', 1.2)]));
  const [own, all] = stateOf();
  expect([own === asItIs, own === all]).toEqual([false, true]);
});
