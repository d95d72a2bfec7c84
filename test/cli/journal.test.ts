import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { page } from '../mirror/support.ts';
import { commandThat } from '../support/command-that.ts';
import { type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { FEED, GDP, INFLATION, NOW, RATE } from './stream-world.ts';

const AT = '2026-10-14T12:30:10Z';
const SPELLED = INFLATION.replace('"val":3.2', '"val":3.20');

/** A client whose mirror holds three events. */
async function held(
  fill: (mirror: Mirror) => Promise<unknown> = async () => undefined,
  options: TestPlatformOptions = {},
) {
  const world = testPlatform({ now: NOW, ...options });
  const folder = join(world.folder, 'macro', 'mirrors');
  mkdirSync(folder, { recursive: true });
  const mirror = await openMirror({
    path: join(folder, 'default.db'),
    mappings: MAPPINGS,
    platform: world.platform,
    mode: 'write',
  });
  const arrive = (rows: readonly string[], via: 'stream' | 'webhook', at: number) =>
    mirror.commitPage(page(rows, { series: FEED, arrived: { via }, at }));
  await arrive([SPELLED], 'stream', NOW);
  await arrive([SPELLED], 'webhook', NOW + 1000);
  await arrive([GDP, RATE], 'webhook', NOW + 1000);
  await fill(mirror);
  const positions = (await mirror.journal.events({ after: 0, limit: 9 })).map(({ position }) => position);
  mirror.close();
  const reopen = () =>
    openMirror({ path: join(folder, 'default.db'), mappings: MAPPINGS, platform: world.platform, mode: 'read' });
  return { world, positions, reopen };
}

const ids = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event_id);

describe('macro journal', () => {
  it('lists events with how each came, its value as it was published', async () => {
    const { world } = await held();
    const ran = await macro('journal --format ndjson --limit 9', world);
    expect(ran.out.split('\n')[0]).toBe(
      `{"position":1,"event_id":"usd_inflation_1791981000","processed_at":"2026-10-14T12:30:02Z","released_at":"2026-10-14T12:30:00Z","currency":"USD","indicator":"inflation","date":"2026-09-30","val":3.20,"via":"stream webhook","arrivals":[{"via":"stream","at":"${AT}"},{"via":"webhook","at":"2026-10-14T12:30:11Z"}],"origin":"http://127.0.0.1:8787"}`,
    );
    expect(ids(ran.out)).toEqual(['usd_inflation_1791981000', 'usd_gdp_1791981001', 'eur_policy_rate_1791981002']);
  });

  it('shows the newest ones, those behind a position, and those of some currencies and indicators', async () => {
    const { world, positions } = await held();
    const list = async (words: string) => ids((await macro(`journal --format ndjson ${words}`, world)).out);
    expect(await list('--limit 1')).toEqual(['eur_policy_rate_1791981002']);
    expect(await list(`--after ${positions[0]} --limit 1`)).toEqual(['usd_gdp_1791981001']);
    expect(await list('--currencies usd --indicators gdp,policy_rate')).toEqual(['usd_gdp_1791981001']);
  });

  it('lists gaps, consumers and failures', async () => {
    const { world, positions } = await held(async ({ journal }) => {
      const gap = { origin: FEED.origin, from: NOW / 1000, to: undefined, reason: 'the stream was not connected' };
      await journal.closeGap(await journal.noteGap({ ...gap, via: 'stream', notedAt: NOW }), NOW + 1000);
      await journal.moveConsumer('desk', 1, NOW);
      await journal.noteFailure({ consumer: 'desk', position: 1, error: 'exit 1', failedAt: NOW, nextAt: undefined });
    });
    const rows = async (words: string) => JSON.parse((await macro(`journal --format json ${words}`, world)).out).data;
    expect(await rows('--gaps')).toEqual([
      {
        id: 1,
        from: AT,
        to: null,
        seconds: null,
        reason: 'the stream was not connected',
        via: 'stream',
        noted_at: AT,
        closed_at: '2026-10-14T12:30:11Z',
        origin: FEED.origin,
      },
    ]);
    expect(await rows('--consumers')).toEqual([
      { name: 'desk', position: 1, behind: (positions.at(-1) ?? 0) - 1, moved_at: AT, set_aside: 1 },
    ]);
    expect(await rows('--failures')).toEqual([
      {
        consumer: 'desk',
        event_id: 'usd_inflation_1791981000',
        position: 1,
        attempts: 1,
        error: 'exit 1',
        failed_at: AT,
        next_at: null,
      },
    ]);
  });

  it.each([
    ['journal', 3, 'There is no mirror at'],
    ['journal --gaps --failures', 2, '--gaps and --failures do not go together.'],
    ['journal --gaps --after 3', 2, '--gaps and --after do not go together.'],
    ['journal usd', 2, 'macro journal takes no words.'],
    ['journal --limit 0', 2, "'0' is no value for --limit."],
  ])('%s is exit %d', async (line, code, message) => {
    const ran = await macro(line);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});

describe('macro journal forget', () => {
  const withDesk = () =>
    held(async ({ journal, outbox }) => {
      await journal.moveConsumer('desk', 1, NOW);
      await journal.noteFailure({ consumer: 'desk', position: 1, error: 'exit 1', failedAt: NOW, nextAt: undefined });
      await outbox.enqueue([], 2, NOW);
    });

  it('removes a consumer and its failures; the events stay', async () => {
    const { world } = await withDesk();
    expect(await macro('journal forget desk --dry-run', world)).toMatchObject({
      code: 0,
      err: 'Would forget the consumer desk, its position and its failures.\nThis was a dry run: nothing was changed.\n',
    });
    expect(await macro('journal forget desk', world)).toMatchObject({
      code: 0,
      out: '',
      err: 'note: Forgot the consumer desk. Started again, it begins with new events.\n',
    });
    expect((await macro('journal --consumers --fields name --no-header', world)).out).toBe('macro serve\n');
    expect((await macro('journal --failures --no-header', world)).out).toBe('');
    expect(ids((await macro('journal --format ndjson', world)).out)).toHaveLength(3);
  });

  it('refuses a consumer that runs, one that is unknown, and the outbox of a server', async () => {
    const { world, reopen } = await withDesk();
    const running = await reopen();
    const lock = await running.lockConsumer('desk');
    const refused = await macro('journal forget desk', world);
    await lock.release();
    running.close();
    expect([refused.code, refused.err]).toEqual([
      75,
      `macro: The consumer desk of ${join(world.folder, 'macro', 'mirrors', 'default.db')} is running already.\nEnd the other program first; a second reader of the same events takes another --consumer NAME.\n`,
    ]);
    const unknown = await macro('journal forget desc', world);
    expect([unknown.code, unknown.err]).toEqual([
      3,
      'macro: The journal knows no consumer desc.\nDid you mean desk? Known consumers: desk, macro serve.\n',
    ]);
    const outbox = await macro("journal forget 'macro serve'", world);
    expect([outbox.code, outbox.err]).toEqual([
      2,
      'macro: macro serve is no consumer to forget: it makes the deliveries of subscriptions.\nmacro webhooks delete ID ends a subscription and drops its deliveries.\n',
    ]);
  });
});

describe('macro webhooks replay', () => {
  /** A desk that fails for these events. */
  function desk(failing: ReadonlySet<string>) {
    const given: string[] = [];
    const run = commandThat((event) => {
      const { event_id: id } = JSON.parse(event);
      given.push(id);
      return { code: failing.has(id) ? 1 : 0 };
    });
    return { given, run };
  }
  const failed = (position: number, nextAt: number | undefined) => ({
    consumer: 'desk',
    position,
    error: 'exit 1',
    failedAt: NOW,
    nextAt,
  });

  it('gives what was set aside again, keeps what still fails, and leaves alone what is still being tried', async () => {
    const { given, run } = desk(new Set(['usd_gdp_1791981001']));
    const { world, reopen } = await held(
      async ({ journal }) => {
        const events = await journal.events({ after: 0, limit: 9 });
        for (const [i, { position }] of events.entries())
          await journal.noteFailure(failed(position, i === 2 ? NOW + 1000 : undefined));
        await journal.moveConsumer('desk', 1, NOW);
      },
      { run },
    );
    const ran = await macro('webhooks replay --consumer desk --exec ./desk --format csv', world);
    expect([ran.code, ran.out]).toEqual([
      10,
      'event_id,outcome,problem\nusd_inflation_1791981000,done,\nusd_gdp_1791981001,failed,exit 1\n',
    ]);
    expect(given).toEqual(['usd_inflation_1791981000', 'usd_gdp_1791981001']);
    const mirror = await reopen();
    expect((await mirror.journal.failures('desk')).map(({ attempts, nextAt }) => [attempts, nextAt])).toEqual([
      [2, undefined],
      [1, NOW + 1000],
    ]);
    expect((await mirror.journal.consumer('desk'))?.position).toBe(1);
    mirror.close();
  });

  it('gives events that are named, whatever became of them', async () => {
    const { given, run } = desk(new Set());
    const { world } = await held(undefined, { run });
    const ran = await macro('webhooks replay eur_policy_rate_1791981002 usd_inflation_1791981000 --exec ./desk', world);
    expect([ran.code, given]).toEqual([0, ['eur_policy_rate_1791981002', 'usd_inflation_1791981000']]);
  });

  it.each([
    ['webhooks replay', 2, 'macro webhooks replay needs the command or the address that events are given to.'],
    ['webhooks replay --consumer desk', 2, 'macro webhooks replay needs the command or the address'],
    ['webhooks replay usd_none_1 --exec ./desk', 3, 'The journal has no event usd_none_1.'],
    ['webhooks replay --consumer dsk --exec ./desk', 3, 'The journal knows no consumer dsk.'],
  ])('%s is exit %d', async (line, code, message) => {
    const { world } = await held(undefined, desk(new Set()));
    const ran = await macro(line, world);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(message);
  });
});
