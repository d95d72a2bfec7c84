import { describe, expect, test } from 'vitest';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { EURUSD, type FreshMirror, held, MIDNIGHT, page, rate, texts, walkOver } from '../support.ts';

const [A, B] = [rate('2026-11-20', 1), rate('2026-11-19', 2)];
const started = { started: MIDNIGHT, holder: 'process 1', words: 'fx' };
const ended = { ended: MIDNIGHT, outcome: 'complete' as const, requests: 1, rows: 1 };

/** A mirror that a newer version of the program upgrades while this one has it open. */
export function upgradedOf(fresh: FreshMirror): void {
  describe.each(['write', 'read'] as const)('opened to %s', (mode) => {
    test('answers nothing, and says why', async () => {
      const { mirror: first, again, upgrade } = await fresh();
      await first.commitPage(page([A], { walk: walkOver('2026-11-01', '2026-11-20', 1), etag: '"1"' }));
      const mirror = await again({ mode });
      const series = await held(mirror);
      expect(await texts(mirror)).toEqual([A]);
      expect(await mirror.snapshot(texts)).toEqual([A]);
      await upgrade();
      const { signal } = new AbortController();
      const view = { endpoint: 'forex', part: 'current', series: [series.id], page: 3, signal } as const;
      const moment = { at: MIDNIGHT, by: 'captured' } as const;
      const reads: readonly (() => Promise<unknown>)[] = [
        () => mirror.find(EURUSD),
        () => mirror.count(series, {}),
        () => mirror.rows(series, {}),
        () => mirror.texts(series, {}),
        () => mirror.columns(series, {}, ['val']),
        () => mirror.coveredRanges(series, 'keyless'),
        () => mirror.timeline(series),
        () => mirror.differences(series, { from: moment, to: moment, limit: 5 }),
        () => mirror.snapshot(async () => 1),
        () => mirror.stamp(),
        () => mirror.walk(EURUSD, 'keyless'),
        () => mirror.validator('keyless', 'q'),
        () => mirror.follows('forex', 'keyless'),
        () => mirror.runs(1),
        () => mirror.journal.newest(),
        () => mirror.outbox.position(),
        () => mirror.viewRows(view, () => {}),
        () => mirror.verify(),
      ];
      for (const read of reads) await expect(read(), String(read)).rejects.toMatchObject(refusalOf(mirror));
    });
  });

  test('says why also where a read does not fit its tables any more', async () => {
    const { mirror: first, again, upgrade } = await fresh();
    await first.commitPage(page([A]));
    await first.startRun(started);
    const mirror = await again({ mode: 'read' });
    const series = await held(mirror);
    await upgrade('alter table series rename to named_series', 'alter table runs rename to all_runs');
    const reads: readonly (() => Promise<unknown>)[] = [
      () => mirror.find(EURUSD),
      () => mirror.coveredRanges(series, 'keyless'),
      () => mirror.walk(EURUSD, 'keyless'),
      () => mirror.runs(1),
    ];
    for (const read of reads) await expect(read(), String(read)).rejects.toMatchObject(refusalOf(mirror));
  });

  test('takes nothing', async () => {
    const { mirror, upgrade, sql } = await fresh();
    await mirror.commitPage(page([A]));
    const run = await mirror.startRun(started);
    const all = async () => [
      await sql('select * from commits'),
      await sql('select * from series'),
      await sql('select * from runs'),
      await sql('select * from consumers'),
      await sql('select * from gaps'),
    ];
    const before = await all();
    await upgrade();
    const writes: readonly (() => Promise<unknown>)[] = [
      () => mirror.commitPage(page([B])),
      () => mirror.commitPages([page([B])]),
      () => mirror.commitStream(['calendar'], []),
      () => mirror.rehearseStream(['forex'], [page([B])]),
      () => mirror.dropWalk(EURUSD, 'keyless'),
      () => mirror.confirmFollowed('forex', 'keyless', MIDNIGHT),
      () => mirror.startRun(started),
      () => mirror.endRun(run, ended),
      () => mirror.journal.moveConsumer('a', 1, MIDNIGHT),
    ];
    for (const write of writes) await expect(write(), String(write)).rejects.toMatchObject(refusalOf(mirror));
    expect(await all()).toEqual(before);
  });

  test('is read to the end by whoever stands in a snapshot from before', async () => {
    const { mirror, upgrade } = await fresh();
    await mirror.commitPage(page([A]));
    const seen = await mirror.snapshot(async (reader) => {
      await upgrade();
      return texts(reader);
    });
    expect(seen).toEqual([A]);
  });
}

function refusalOf({ name }: Mirror) {
  return {
    kind: 'mirror',
    code: 'mirror_newer',
    message: expect.stringContaining(
      `The mirror ${name} was upgraded by a newer version of this program while this one used it (`,
    ),
    hint: 'End this program and start the newer version.',
  };
}
