import { describe, expect, test } from 'vitest';
import { EURUSD, type FreshMirror, INFLATION, page, rate, SERVICE, texts } from '../support.ts';

/** Whose answers a mirror holds. */
export function stampOf(fresh: FreshMirror): void {
  const rows = [rate('2026-11-20', 1.15)];
  const ecb = { ...EURUSD, origin: 'import:ecb' };

  describe('the stamp', () => {
    test('is made with the file and is decided by the first answers', async () => {
      const { mirror, again } = await fresh();
      const { id, ...rest } = await mirror.stamp();
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(rest).toEqual({ service: undefined, nature: undefined });
      await mirror.commitPage(page(rows, { series: ecb }));
      expect(await mirror.stamp()).toEqual({ id, service: undefined, nature: 'real' });
      await mirror.commitPage(page(rows));
      expect(await mirror.stamp()).toEqual({ id, service: SERVICE, nature: 'real' });
      expect(await (await again({ mode: 'read' })).stamp()).toEqual({ id, service: SERVICE, nature: 'real' });
    });

    test('refuses the answers of another service, and nothing of them is written', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows));
      const other = { ...EURUSD, origin: 'https://other.example.test' };
      await expect(mirror.commitPage(page([rate('2026-11-19', 2)], { series: other }))).rejects.toMatchObject({
        kind: 'mirror',
        message: expect.stringContaining(`has answers of ${SERVICE}, not of https://other.example.test.`),
        hint: expect.stringContaining('--mirror'),
      });
      expect(await mirror.find({ endpoint: 'forex', scope: {} })).toHaveLength(1);
      expect(await texts(mirror)).toEqual(rows);
    });

    test('follows its service to another address, with a record, and what it holds adds up', async () => {
      const { mirror, again } = await fresh();
      const moved = 'https://moved.example.test';
      await mirror.commitPage(page(rows, { series: ecb }));
      await mirror.commitPage(page(rows, { etag: '"1"' }));
      const binding = { from: SERVICE, to: moved, at: 5, compared: 3, different: 0 };
      await mirror.bind(binding);
      const back = { ...binding, from: moved, to: SERVICE, different: 1 };
      expect((await mirror.stamp()).bindings).toEqual([binding]);
      await mirror.commitPage(page([rate('2026-11-19', 2)], { series: { ...EURUSD, origin: moved } }));
      await mirror.bind(back);
      const found = await (await again({ mode: 'read' })).find({ endpoint: 'forex', scope: {} });
      expect(found.map(({ origin }) => origin)).toEqual(['import:ecb', SERVICE]);
      expect(await mirror.stamp()).toMatchObject({ service: SERVICE, bindings: [binding, back] });
      expect(await mirror.validator('key:1', 'forex EUR USD')).toBeUndefined();
      expect((await mirror.verify()).findings).toEqual([]);
    });

    test('refuses to mix synthetic with real data, whoever brings it', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows, { series: ecb }));
      for (const series of [EURUSD, ecb])
        await expect(mirror.commitPage(page(rows, { series, nature: 'synthetic' }))).rejects.toMatchObject({
          kind: 'mirror',
          message: expect.stringContaining('has real data; this is synthetic.'),
          hint: expect.stringContaining('--mirror'),
        });
      expect((await mirror.stamp()).service).toBeUndefined();
    });

    test('a refused answer leaves no table and no view behind, and later ones that fit make them', async () => {
      const { mirror, sql } = await fresh();
      await mirror.commitPage(page(rows));
      const rowsOf = async (view: string) => {
        const found: unknown = await sql(`select val from ${view}`).catch(() => 'no view');
        return found;
      };
      const made = page(['{"date":"2026-10-31","val":3.1}'], { series: INFLATION, nature: 'synthetic' });
      await expect(mirror.commitPage(made)).rejects.toMatchObject({ code: 'mirror_nature' });
      await expect(mirror.commitPages([made, made])).rejects.toMatchObject({ code: 'mirror_nature' });
      expect(await rowsOf('v_announcements')).toBe('no view');
      expect(await rowsOf('v_fx')).toEqual([{ val: 1.15 }]);
      await mirror.commitPages([{ ...made, nature: 'real' }]);
      expect(await rowsOf('v_announcements')).toEqual([{ val: 3.1 }]);
    });

    test('lets importers of any name write beside a service', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page(rows));
      await mirror.commitPage(page(rows, { series: ecb }));
      await mirror.commitPage(page(rows, { series: { ...EURUSD, origin: 'import:boe' } }));
      const found = await mirror.find({ endpoint: 'forex', scope: EURUSD.scope });
      expect(found.map((one) => one.origin)).toEqual([SERVICE, 'import:ecb', 'import:boe']);
    });
  });
}
