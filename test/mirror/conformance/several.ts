import { expect, test } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { PageCommit } from '../../../src/mirror/api/page-commit.ts';
import {
  EURUSD,
  type FreshMirror,
  held,
  INFLATION,
  MIDNIGHT,
  page,
  rate,
  SERVICE,
  texts,
  walkOver,
} from '../support.ts';

/** Several answers in one transaction. */
export function severalOf(fresh: FreshMirror): void {
  const walk = (seen: number) => walkOver('2026-11-01', '2026-11-20', seen);
  const covered = { from: '2026-11-01', to: '2026-11-20', rows: 3 };
  const envelope = { text: asJsonText('{"base":"EUR"}'), inputs: 'all' };

  /** A walk of two pages, a row of another series between them, then a revision and a row that vanished. */
  const answers: readonly PageCommit[] = [
    page([rate('2026-11-20', 3), rate('2026-11-19', 2)], { walk: walk(2), extent: 'listed', envelope }),
    page(['{"date":"2026-10-31","val":3,"revisions":[{"epoch":1,"val":3}]}'], { series: INFLATION, etag: '"1"' }),
    page([rate('2026-11-18', 1)], { walk: null, covered, extent: 'listed', at: MIDNIGHT + 1 }),
    page([rate('2026-11-20', 3.1), rate('2026-11-18', 1)], { covered, extent: 'listed', at: MIDNIGHT + 2 }),
  ];

  test('several answers are held as if they had been committed one after the other, and add up', async () => {
    const [alone, together] = [await fresh(), await fresh()];
    const reports = [];
    for (const answer of answers) reports.push(await alone.mirror.commitPage(answer));
    expect(await together.mirror.commitPages(answers)).toEqual(reports);
    expect(reports).toMatchObject([{ added: 2 }, { added: 1 }, { added: 1 }, { revised: 1, vanished: 1 }]);
    const tables = ['series', 'scopes', 'commits', 'proofs', 'walks', 'sums', 'validators'];
    for (const table of [...tables, 'fx_daily', 'fx_daily_superseded', 'announcements', 'announcements_vintages'])
      expect(await together.sql(`select * from ${table} order by 1, 2`), table).toEqual(
        await alone.sql(`select * from ${table} order by 1, 2`),
      );
    expect((await together.mirror.verify()).findings).toEqual([]);
  });

  test('one that cannot be kept keeps out all of them', async () => {
    const { mirror } = await fresh();
    const nameless = page(['{"val":1}']);
    await expect(mirror.commitPages([...answers, nameless])).rejects.toMatchObject({ code: 'row_without_key' });
    expect(await mirror.find({ endpoint: 'forex', scope: {} })).toEqual([]);
    await mirror.commitPage(page([rate('2026-11-17', 1)]));
    const foreign = page([rate('2026-11-16', 1)], { series: { ...EURUSD, origin: 'https://other.example.test' } });
    await expect(mirror.commitPages([...answers, foreign])).rejects.toMatchObject({ code: 'mirror_service' });
    expect(await texts(mirror)).toEqual([rate('2026-11-17', 1)]);
  });

  test('a stream of them is asked for one by one, and one that fails keeps out all of them', async () => {
    const { mirror } = await fresh();
    const asked: number[] = [];
    function* failing(): Generator<PageCommit> {
      for (const [place, answer] of answers.entries()) {
        asked.push(place);
        yield answer;
      }
      throw new Error('the file is cut off');
    }
    const endpoints = [EURUSD.endpoint, INFLATION.endpoint];
    await expect(mirror.commitStream(endpoints, failing())).rejects.toThrow('the file is cut off');
    expect(asked).toEqual([0, 1, 2, 3]);
    expect(await mirror.find({ endpoint: 'forex', scope: {} })).toEqual([]);
    expect(await mirror.commitStream(endpoints, answers)).toMatchObject([{ added: 2 }, { added: 1 }, { added: 1 }, {}]);
    expect((await mirror.verify()).findings).toEqual([]);
  });

  test('a rehearsed stream tells what it would do, and leaves everything as it is', async () => {
    const { mirror } = await fresh();
    const endpoints = [EURUSD.endpoint, INFLATION.endpoint];
    const would = [{ added: 2 }, { added: 1 }, { added: 1 }, {}];
    expect(await mirror.rehearseStream(endpoints, answers)).toMatchObject(would);
    expect(await mirror.find({ endpoint: 'forex', scope: {} })).toEqual([]);
    expect(await mirror.stamp()).toMatchObject({ service: undefined, nature: undefined });
    expect(await mirror.rehearseStream(endpoints, answers)).toMatchObject(would);
    expect(await mirror.commitStream(endpoints, answers)).toMatchObject(would);
    const again = await mirror.rehearseStream(endpoints, answers);
    expect(await mirror.commitStream(endpoints, answers)).toEqual(again);
    expect((await mirror.verify()).findings).toEqual([]);
  });

  test('the first of them decides whose answers the mirror holds, and the others have to fit', async () => {
    const { mirror } = await fresh();
    const [first] = answers;
    const made = page([rate('2026-11-16', 1)], { nature: 'synthetic' });
    await expect(mirror.commitPages([first ?? made, made])).rejects.toMatchObject({ code: 'mirror_nature' });
    expect(await mirror.stamp()).toMatchObject({ service: undefined, nature: undefined });
    await mirror.commitPages(answers);
    expect(await mirror.stamp()).toMatchObject({ service: SERVICE, nature: 'real' });
  });

  test('where rows of one page of a walk are held back, its last page proves nothing', async () => {
    const { mirror } = await fresh();
    await mirror.commitPage(page([rate('2026-11-20', 3)]));
    const keyless = { access: 'keyless', extent: 'listed' } as const;
    const reports = await mirror.commitPages([
      page([rate('2026-11-20', 2)], { ...keyless, walk: walk(1) }),
      page([rate('2026-11-19', 1)], { ...keyless, walk: null, covered }),
    ]);
    expect(reports.map(({ heldBack }) => heldBack)).toEqual([true, undefined]);
    expect(await mirror.coveredRanges(await held(mirror), 'keyless')).toEqual([]);
  });

  test('no answers are no commit', async () => {
    const { mirror } = await fresh();
    expect(await mirror.commitPages([])).toEqual([]);
    expect(await mirror.stamp()).toMatchObject({ nature: undefined });
  });
}
