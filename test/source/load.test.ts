import { expect, test } from 'vitest';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { LABELS } from '../support/service.ts';
import { KEYED, NOW, question, whole, world } from './world.ts';

const page = (offset: string) => question('forex', { base: 'EUR', quote: 'USD' }, { limit: '1', offset });
const rates = (val: number) => ({
  base: 'EUR',
  quote: 'USD',
  pagination: whole(2),
  data: ['2026-11-20', '2026-11-19'].map((date) => ({ date, val })),
});

/** The mirror, and how many times rows were read from it. */
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
        }),
      ),
  };
  return { watching, reads: () => reads };
}

test('pages of one series read its rows once, and anew once they have changed', async () => {
  const held = await world();
  const { watching, reads } = watched(held.mirror);
  const source = createMirrorSource({ mirror: watching, labels: LABELS });
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
