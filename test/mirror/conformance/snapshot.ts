import { describe, expect, test } from 'vitest';
import type { MirrorReader } from '../../../src/mirror/api/mirror.ts';
import { type FreshMirror, held, page, rate, texts } from '../support.ts';

/** Reads that all see one state. */
export function snapshotOf(fresh: FreshMirror): void {
  const [A, B] = [rate('2026-11-20', 1), rate('2026-11-20', 2)];

  describe('the state', () => {
    test('is another one when anybody has committed anything, for all who look', async () => {
      const { mirror, again } = await fresh();
      const other = await again({ mode: 'read' });
      await mirror.commitPage(page([A]));
      const first = await other.look();
      expect(await other.look()).toBe(first);
      await mirror.commitPage(page([B]));
      const second = await other.look();
      await mirror.startRun({ started: 1, holder: 'process 1', words: '' });
      const states = [first, second, await other.look()];
      expect(new Set(states).size).toBe(3);
      if (!other.state) expect(await other.snapshot(async ({ seen }) => seen?.state)).toBe(states[2]);
    });
  });

  describe('a snapshot', () => {
    test('sees one state of the mirror, while commits go on beside it', async () => {
      const { mirror, again } = await fresh();
      const other = await again();
      await mirror.commitPage(page([A]));
      const { state } = await held(mirror);
      const seen = await mirror.snapshot(async (reader) => {
        const first = await texts(reader);
        await mirror.commitPage(page([B]));
        await other.commitPage(page([rate('2026-11-19', 3)]));
        return [first, await texts(reader), (await held(reader)).state];
      });
      expect(seen).toEqual([[A], [A], state]);
      expect(await texts(mirror)).toEqual([B, rate('2026-11-19', 3)]);
      expect(await mirror.snapshot(texts)).toEqual([B, rate('2026-11-19', 3)]);
    });

    test('may hold another one, and many may run at once', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([A]));
      const nested = await mirror.snapshot(async (outer) => {
        await texts(outer);
        await mirror.commitPage(page([B]));
        return [await mirror.snapshot(texts), await texts(outer)];
      });
      expect(nested).toEqual([[B], [A]]);
      const many = await Promise.all(Array.from({ length: 40 }, () => mirror.snapshot(slowly(texts))));
      expect(many).toEqual(Array.from({ length: 40 }, () => [B]));
    });

    test('that fails is over: the error is handed on and the next one sees what is new', async () => {
      const { mirror } = await fresh();
      await mirror.commitPage(page([A]));
      const failing = mirror.snapshot(async (reader) => {
        await texts(reader);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await mirror.commitPage(page([B]));
      expect(await mirror.snapshot(texts)).toEqual([B]);
    });

    test('works on a mirror opened for reading', async () => {
      const { mirror, again } = await fresh();
      await mirror.commitPage(page([A]));
      const reader = await again({ mode: 'read' });
      expect(await reader.snapshot(texts)).toEqual([A]);
      await mirror.commitPage(page([B]));
      expect(await reader.snapshot(texts)).toEqual([B]);
      expect(await texts(reader)).toEqual([B]);
    });
  });

  /** Lets others run between the start of a snapshot and its reads. */
  function slowly<T>(read: (reader: MirrorReader) => Promise<T>) {
    return async (reader: MirrorReader) => {
      await new Promise((resolve) => setImmediate(resolve));
      return read(reader);
    };
  }
}
