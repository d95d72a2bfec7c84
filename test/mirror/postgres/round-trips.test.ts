import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { LABELS } from '../../serve/scripted-source.ts';
import { KEYED, NOW, question } from '../../source/world.ts';
import { testPlatform } from '../../support/platform.ts';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { slowLink } from '../../support/slow-link.ts';
import { page, rate, walkOver } from '../support.ts';
import { serverMirror } from './support.ts';

const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19'];
const covered = { from: '2026-11-01', to: '2026-11-20', rows: 3 };
const pairs = ['USD', 'GBP', 'CAD', 'AUD', 'PLN', 'CHF'];

/** A mirror with some pairs, and an address of it behind a line of 20 ms there and back. */
async function behindSlowLink() {
  const { mirror, path } = await serverMirror();
  for (const [i, quote] of pairs.entries())
    await mirror.commitPage(
      page(
        DAYS.map((day) => rate(day, i + 1)),
        {
          covered,
          extent: 'listed',
          series: { origin: 'https://api.example.test', endpoint: 'forex', scope: { base: 'EUR', quote } },
        },
      ),
    );
  const address = new URL(path);
  const link = await slowLink(Number(address.port), 10);
  address.port = String(link.port);
  const { platform } = testPlatform({ now: NOW });
  const open = async (mode: 'read' | 'write') => {
    const opened = await openServerMirror({
      address: address.href,
      mappings: MAPPINGS,
      platform,
      mode,
      dates: 'caller',
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  return { link, open };
}

describe.skipIf(POSTGRES_BIN === undefined)('a mirror on a server that is far away', () => {
  // Twelve on a quiet machine; a busy one has split an exchange into two.
  it('waits at most 14 times for a question, opening and logging in included', async () => {
    const { link, open } = await behindSlowLink();
    const source = createMirrorSource({ mirror: await open('read'), labels: LABELS });
    const asked = question('forex', { base: 'EUR', quote: 'USD' }, { start_date: '2026-11-01' });
    const { body } = await source.ask(asked, { caller: KEYED, now: NOW });
    expect(JSON.parse(body).data.map(({ date }: { date: string }) => date)).toEqual(DAYS.toReversed());
    expect(link.waits()).toBeLessThanOrEqual(14);
  });

  it('waits at most 6 times for a page of a sync, under its lock', async () => {
    const { link, open } = await behindSlowLink();
    const mirror = await open('write');
    const lock = await mirror.lockSync();
    const listed = { extent: 'listed', etag: '"1"' } as const;
    const run = (seen: number) => ({ ...listed, walk: walkOver('2026-11-01', '2026-11-30', seen) });
    await mirror.commitPage(page([rate('2026-11-24', 1), rate('2026-11-23', 1)], run(2)));
    link.waits();
    const done = await mirror.commitPage(page([rate('2026-11-22', 1), rate('2026-11-21', 1)], run(4)));
    expect([done.added, link.waits() <= 6]).toEqual([2, true]);
    await lock.release();
  });
});
