import { describe, expect, test } from 'vitest';
import { INFLATION, page, sql, testMirror, texts } from './support.ts';

const released = (date: string, val: number, time: number) =>
  `{"date":"${date}","val":${val},"announcement_datetime":${time}}`;
const keyless = { series: INFLATION, access: 'keyless' } as const;
const keyed = { series: INFLATION, access: 'key:1' } as const;

describe('a keyless answer', () => {
  test('never takes away what an answer to a key brought', async () => {
    const { mirror } = await testMirror();
    const rows = [released('2026-10-31', 3, 300), released('2026-09-30', 2, 200), released('2026-08-31', 1, 100)];
    await mirror.commitPage(page(rows, keyed));
    const report = await mirror.commitPage(page([rows[2] ?? ''], { ...keyless, extent: 'replaces' }));
    expect(report).toEqual({ commit: 1, added: 0, revised: 0, vanished: 0, unchanged: 1 });
    expect(await texts(mirror, INFLATION)).toEqual(rows);
  });

  test('never replaces what an answer to a key brought, not even in dependent fields', async () => {
    const { mirror } = await testMirror();
    const full = '{"date":"2026-10-31","val":3,"announcement_datetime":300,"previous_value":2}';
    await mirror.commitPage(page([full], keyed));
    const older = released('2026-10-31', 2.9, 300);
    const bare = released('2026-10-31', 3, 300);
    expect((await mirror.commitPage(page([older], keyless))).revised).toBe(0);
    expect((await mirror.commitPage(page([bare], keyless))).commit).toBe(1);
    expect(await texts(mirror, INFLATION)).toEqual([full]);
  });

  test('replaces it when its release, or its newest vintage, is later', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page([released('2026-10-31', 3, 300)], keyed));
    expect((await mirror.commitPage(page([released('2026-10-31', 3.1, 301)], keyless))).revised).toBe(1);
    const revised = (epoch: number, val: number) =>
      `{"date":"2026-10-31","val":${val},"announcement_datetime":301,"revisions":[{"epoch":${epoch},"val":${val}}]}`;
    await mirror.commitPage(page([revised(400, 3.2)], keyed));
    expect((await mirror.commitPage(page([revised(400, 3.3)], keyless))).revised).toBe(0);
    expect((await mirror.commitPage(page([revised(401, 3.3)], keyless))).revised).toBe(1);
  });

  test('does replace and take away what keyless answers brought', async () => {
    const { mirror } = await testMirror();
    await mirror.commitPage(page([released('2026-10-31', 3, 300), released('2026-09-30', 2, 200)], keyless));
    const report = await mirror.commitPage(
      page([released('2026-10-31', 3.1, 300)], { ...keyless, extent: 'replaces' }),
    );
    expect(report).toEqual({ commit: 2, added: 0, revised: 1, vanished: 1, unchanged: 0 });
  });

  test('cannot take away a row once an answer to a key has confirmed it', async () => {
    const { mirror, path } = await testMirror();
    const rows = [released('2026-10-31', 3, 300)];
    await mirror.commitPage(page(rows, keyless));
    expect((await mirror.commitPage(page(rows, keyed))).commit).toBe(1);
    expect((await mirror.commitPage(page([], { ...keyless, extent: 'replaces' }))).vanished).toBe(0);
    expect(sql(path, 'select keyed from announcements')).toEqual([{ keyed: 1 }]);
  });
});

test('an answer to a key replaces and takes away what any answer brought', async () => {
  const { mirror } = await testMirror();
  await mirror.commitPage(page([released('2026-10-31', 3, 300), released('2026-09-30', 2, 200)], keyless));
  const report = await mirror.commitPage(
    page([released('2026-10-31', 2.9, 299)], { ...keyed, access: 'key:2', extent: 'replaces' }),
  );
  expect(report).toEqual({ commit: 2, added: 0, revised: 1, vanished: 1, unchanged: 0 });
});
