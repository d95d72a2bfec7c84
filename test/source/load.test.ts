import { expect, test } from 'vitest';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { createReading } from '../../src/source/reading.ts';
import { LABELS } from '../support/service.ts';
import { KEYED, NOW, question, whole, world } from './world.ts';

const page = (offset: string) => question('forex', { base: 'EUR', quote: 'USD' }, { limit: '1', offset });
const rates = (val: number) => ({
  base: 'EUR',
  quote: 'USD',
  pagination: whole(2),
  data: ['2026-11-20', '2026-11-19'].map((date) => ({ date, val })),
});

/** The mirror, and how many times rows or their texts were read from it. */
function watched(mirror: Mirror) {
  let reads = 0;
  const watching: Mirror = {
    ...mirror,
    snapshot: (read) =>
      mirror.snapshot((reader) =>
        read({
          ...reader,
          rows(...args) {
            reads += 1;
            return reader.rows(...args);
          },
          texts(...args) {
            reads += 1;
            return reader.texts(...args);
          },
        }),
      ),
  };
  return { watching, reads: () => reads };
}

test('pages of one series read its rows once, and anew once they have changed', async () => {
  const held = await world();
  const { watching, reads } = watched(held.mirror);
  const source = createMirrorSource({ mirror: watching, labels: LABELS, columns: createColumns() });
  const ask = async (offset: string) => {
    const { body } = await source.ask(page(offset), { caller: KEYED, now: NOW });
    return [JSON.parse(body).data.map(({ date, val }: { date: string; val: number }) => [date, val]), reads()];
  };
  await held.take(page('0'), rates(1.25));
  expect(await ask('0')).toEqual([[['2026-11-20', 1.25]], 1]);
  expect(await ask('1')).toEqual([[['2026-11-19', 1.25]], 1]);
  await held.take(page('0'), rates(1.5));
  expect(await ask('1')).toEqual([[['2026-11-19', 1.5]], 2]);
});

test('the newest rows of a series are read once, and anew once they have changed', async () => {
  const held = await world();
  const { watching, reads } = watched(held.mirror);
  const read = createReading(watching, createColumns());
  const newest = (count: number) =>
    read(KEYED, async ({ reader }) => {
      const [series] = await reader.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } });
      return series ? reader.heads(series, count) : [];
    });
  await held.take(page('0'), rates(1.25));
  const one = await newest(1);
  expect([one.map(({ columns }) => columns.date), reads()]).toEqual([['2026-11-20', '2026-11-19'], 1]);
  expect([(await newest(1)) === one, (await newest(9)) === one, reads()]).toEqual([true, true, 1]);
  await held.take(page('0'), rates(1.5));
  expect([(await newest(1)).map(({ columns }) => columns.val), reads()]).toEqual([[1.5, 1.5], 2]);
});
