import { describe, expect, it } from 'vitest';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { page } from '../mirror/support.ts';
import { commandThat } from '../support/command-that.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL } from '../support/service.ts';
import { event, frame, GDP, INFLATION, NOW, RATE, streamWorld } from './stream-world.ts';

const INFLATION_SERIES = {
  origin: SERVICE_URL,
  endpoint: 'announcements',
  scope: { currency: 'USD', indicator: 'inflation' },
};
const idsIn = async ({ journal }: Mirror) => (await journal.events({ after: 0, limit: 99 })).map(({ id }) => id);

describe('macro stream', () => {
  it('prints what comes from now on, once, however it comes, and ends with 130 when interrupted', async () => {
    const world = await streamWorld();
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    const line = (await world.streams.request()).open(': connected\n\n');
    line.send(frame(INFLATION) + frame(INFLATION));
    await running.until(() => running.lines().length === 1);
    await world.process([INFLATION, GDP]);
    line.end();
    await running.until(() => world.streams.asked === 2);
    (await world.streams.request()).open(frame(GDP) + frame(RATE));
    await running.until(() => running.lines().length === 3);
    world.interrupt();
    expect(await running.end()).toBe(130);
    expect(running.lines()).toEqual([INFLATION, GDP, RATE]);
    const ways = await world.held(async ({ journal }) =>
      (await journal.events({ after: 0, limit: 10 })).map(({ id, arrivals }) => [id, arrivals.map(({ via }) => via)]),
    );
    expect(ways).toEqual([
      ['usd_inflation_1791981000', ['stream', 'changes']],
      ['usd_gdp_1791981001', ['changes', 'stream']],
      ['eur_policy_rate_1791981002', ['stream']],
    ]);
  });

  it('ends with 143 when terminated', async () => {
    const world = await streamWorld();
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    world.interrupt('SIGTERM');
    expect(await running.end()).toBe(143);
  });

  it('asks for what was processed between its last look and its connection, before it takes anything else', async () => {
    const world = await streamWorld();
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    await world.process([INFLATION]);
    (await world.streams.request()).open(frame(GDP));
    await running.until(() => running.lines().length === 2);
    expect(running.lines()).toEqual([INFLATION, GDP]);
  });

  it('misses nothing before the first stream of a mirror, and stores the day before it', async () => {
    const world = await streamWorld();
    await world.process([INFLATION, GDP]);
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    world.interrupt();
    await running.end();
    expect(world.err()).not.toContain('while it did not run');
    expect(await world.held(idsIn)).toHaveLength(2);
  });

  it('takes up what was missed while it did not run, though it prints it only to a consumer', async () => {
    const world = await streamWorld();
    const first = world.run('stream --max-events 1');
    await first.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(INFLATION));
    expect(await first.end()).toBe(0);
    await world.process([INFLATION, GDP, RATE]);
    const second = world.run('stream');
    await second.until(() => world.streams.asked === 2);
    world.interrupt();
    await second.end();
    expect(second.lines()).toEqual([]);
    expect(await world.held(idsIn)).toHaveLength(3);
  });

  it('without a consumer says what came since it last printed, and prints it first with --resume', async () => {
    const world = await streamWorld();
    const first = world.run('stream --max-events 1');
    await first.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(INFLATION));
    expect(await first.end()).toBe(0);
    await world.process([INFLATION, GDP, RATE]);
    const told =
      'warning: 2 events came since macro stream last printed in this mirror. ' +
      'This prints them: macro journal --after 1 --limit 2; --resume prints them first\n';
    const second = world.run('stream --quiet');
    await second.until(() => world.streams.asked === 2);
    expect(world.err()).toContain(told);
    world.interrupt();
    expect([await second.end(), second.lines()]).toEqual([130, []]);
    const listed = world.run('journal --after 1 --limit 2 --fields event_id --no-header');
    expect([await listed.end(), listed.lines()]).toEqual([0, ['usd_gdp_1791981001', 'eur_policy_rate_1791981002']]);
    const usd = world.run('stream --resume --currencies usd --max-events 1');
    await usd.until(() => world.streams.asked === 3);
    world.interrupt();
    expect([await usd.end(), usd.lines()]).toEqual([130, []]);
    const third = world.run('stream --resume --max-events 2');
    expect([await third.end(), third.lines()]).toEqual([0, [GDP, RATE]]);
    const before = world.err().length;
    const fourth = world.run('stream');
    const fifth = world.run('stream');
    await fifth.until(() => world.streams.asked >= 5);
    world.interrupt();
    expect([await fourth.end(), await fifth.end()]).toEqual([130, 130]);
    expect(world.err().slice(before)).not.toContain('since macro stream');
  });

  it('refuses --resume where something else remembers how far it came', async () => {
    const world = await streamWorld();
    for (const more of ['--consumer desk', '--live-only'])
      expect(await world.run(`stream --resume ${more}`).end()).toBe(2);
  });

  it('keeps everything and prints what is asked for', async () => {
    const world = await streamWorld();
    const running = world.run('stream --currencies g10 --indicators policy_rate --max-events 1');
    await running.until(() => world.streams.asked === 1);
    const request = await world.streams.request();
    expect(request.url).toBe('http://127.0.0.1:8787/v1/stream/events?payload=compact');
    const cedi = event('ghs_policy_rate_1791981002', 1_791_981_004);
    request.open(frame(INFLATION) + frame(cedi) + frame(RATE));
    expect(await running.end()).toBe(0);
    expect(running.lines()).toEqual([RATE]);
    expect(await world.held(idsIn)).toHaveLength(3);
  });

  it('tells one gap of what the service no longer keeps, prints its line in its place, and ends with 11', async () => {
    const world = await streamWorld();
    const running = world.run('stream --max-events 2');
    await running.until(() => world.streams.asked === 1);
    const line = (await world.streams.request()).open(frame(INFLATION));
    await running.until(() => running.lines().length === 1);
    const later = 1_791_981_002 + 8 * 86_400;
    line.end();
    await running.until(() => world.streams.asked === 2);
    world.clock.jump(8 * 86_400_000);
    await world.process([event('usd_gdp_1792672000', later)]);
    const next = event('usd_retail_sales_1792672000', later + 1);
    (await world.streams.request()).open(`event: gap\ndata: {"reason":"last_event_id_expired"}\n\n${frame(next)}`);
    expect(await running.end()).toBe(11);
    const gap = { id: 1, from: '2026-10-14T12:30:11Z', to: '2026-10-22T12:30:01Z' };
    expect(JSON.parse(running.lines()[1] ?? '')).toEqual({
      gap: { ...gap, reason: 'the service no longer keeps these events' },
    });
    expect(await world.held(({ journal }) => journal.gaps(9))).toHaveLength(1);
  });

  it.each(['', '"oldest_available":"lately",'])(
    'keeps a hole open of which the service does not say until when it goes: %j',
    async (said) => {
      const world = await streamWorld();
      const { fetch } = world.platform;
      Object.assign(world.platform, {
        fetch: async (url: string, init: Parameters<typeof fetch>[1]) => {
          const response = await fetch(url, init);
          const text = url.includes('/changes') ? await response.text() : undefined;
          if (text === undefined) return response;
          const answer = text.replace(/"oldest_available":"[^"]*",/, said);
          return new Response(answer, { headers: { 'content-type': 'application/json' } });
        },
      });
      const running = world.run('stream');
      await running.until(() => world.streams.asked === 1);
      const line = (await world.streams.request()).open(frame(INFLATION));
      await running.until(() => running.lines().length === 1);
      world.clock.jump(8 * 86_400_000);
      await world.process([event('usd_gdp_1792672000', 1_791_981_002 + 8 * 86_400)]);
      line.send('event: gap\ndata: {"reason":"slow_consumer"}\n\n');
      await running.until(() => world.err().includes('Missed events cannot be fetched now'));
      await running.until(() => running.lines().length === 2);
      world.interrupt();
      await running.end();
      expect(world.err()).toContain('does not say until when');
      expect(await world.held(({ journal }) => journal.gaps(9))).toMatchObject([
        { from: Math.floor(NOW / 1000) + 1, to: undefined, closedAt: undefined },
      ]);
    },
  );

  it('when changes cannot be asked says so, goes on, and fills the hole when they can', async () => {
    const world = await streamWorld();
    let isDown = false;
    const { fetch } = world.platform;
    Object.assign(world.platform, {
      fetch: (url: string, init: Parameters<typeof fetch>[1]) =>
        isDown && url.includes('/changes') ? Promise.resolve(new Response('', { status: 503 })) : fetch(url, init),
    });
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    isDown = true;
    await world.process([INFLATION]);
    const line = (await world.streams.request()).open(frame(RATE));
    await running.until(() => running.lines().length === 1);
    expect(world.err()).toContain('Missed events cannot be fetched now');
    isDown = false;
    for (const _ of [1, 2, 3, 4]) {
      await world.clock.advance(15_000);
      line.send(': heartbeat\n\n');
    }
    await running.until(() => running.lines().length === 2);
    world.interrupt();
    await running.end();
    expect(running.lines()).toEqual([RATE, INFLATION]);
    expect(await world.held(({ journal }) => journal.gaps(9))).toMatchObject([
      { from: Math.floor(NOW / 1000) + 1, to: undefined, closedAt: expect.any(Number) },
    ]);
  });

  it('fetches the series that an event names, where the mirror holds it, before it ends', async () => {
    const world = await streamWorld();
    const values = async () =>
      world.held(async (mirror) => {
        const [series] = await mirror.find({
          endpoint: 'announcements',
          scope: { currency: 'USD', indicator: 'inflation' },
        });
        return series ? (await mirror.rows(series, {})).map(({ text }) => JSON.parse(text).val) : [];
      });
    const publish = (date: string, val: number) =>
      world.service.commitPage(
        page([`{"date":"${date}","val":${val},"announcement_datetime":1791981000}`], {
          series: INFLATION_SERIES,
          covered: { from: BEGINNING, to: dateOf(NOW), rows: 1 },
          at: NOW,
        }),
      );
    await publish('2026-08-31', 3.05);
    expect(await world.run('sync announcements usd inflation').end()).toBe(0);
    await publish('2026-09-30', 3.2);
    const running = world.run('stream --max-events 1');
    await running.until(() => world.streams.asked === 1);
    await world.process([INFLATION]);
    (await world.streams.request()).open(frame(INFLATION));
    expect(await running.end()).toBe(0);
    expect(await values()).toEqual([3.2, 3.05]);
    // Another program that finds the lock taken says who has it.
    expect((await world.held((mirror) => mirror.runs(1)))[0]?.holder).toBe('macro stream, process 4242 on desk-a');
  });

  it.each(['--no-fetch', ''])('%s: fetches nothing that the mirror does not hold', async (option) => {
    const world = await streamWorld();
    const running = world.run(`stream --max-events 1 ${option}`);
    await running.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(INFLATION));
    expect(await running.end()).toBe(0);
    expect(world.seen.filter((line) => !line.includes('/changes'))).toEqual([]);
  });

  it('shows a person one line a release, with its value, the one before and the change', async () => {
    const world = await streamWorld({ terminal: true });
    const text = INFLATION.replace('"val":3.2,', '"val":3.20,"previous_value":3.05,');
    const running = world.run('stream --max-events 1');
    await running.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(text));
    expect(await running.end()).toBe(0);
    expect(running.lines()).toEqual(['2026-10-14T12:30:00Z  USD  inflation  2026-09-30  3.20  (previous 3.05, +0.15)']);
  });

  it('gives a command each event once, though the program is started again and again, and stands still while it fails', async () => {
    const runs: string[] = [];
    let fails = 0;
    const run = commandThat((event, line) => {
      runs.push(`${line} ${JSON.parse(event).event_id}`);
      fails -= 1;
      return { code: fails >= 0 ? 1 : 0, stderr: 'no desk' };
    });
    const world = await streamWorld({ run });
    const first = world.run('stream --exec ./desk --max-events 1');
    await first.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(INFLATION) + frame(GDP) + frame(RATE));
    expect([await first.end(), first.lines()]).toEqual([0, [INFLATION]]);
    fails = 1;
    const second = world.run('stream --exec ./desk --max-events 2');
    expect(await second.end()).toBe(0);
    const on = (id: string) => `/bin/sh -c ./desk ${id}`;
    const [inflation, gdp, rate] = ['usd_inflation_1791981000', 'usd_gdp_1791981001', 'eur_policy_rate_1791981002'];
    expect(runs).toEqual([on(inflation), on(gdp), on(gdp), on(rate)]);
    expect(second.lines()).toEqual([GDP, RATE]);
    expect(world.err()).toContain(
      'usd_gdp_1791981001 was not dealt with (try 1): exit 1: no desk; tried again at 2026-10-14T',
    );
  });

  it('is one consumer at a time: a second program of the same name is exit 75', async () => {
    const world = await streamWorld();
    const first = world.run('stream --consumer desk');
    await first.until(() => world.streams.asked === 1);
    expect(await world.run('stream --consumer desk').end()).toBe(75);
    expect(world.err()).toContain('The consumer desk of ');
    world.interrupt();
    expect(await first.end()).toBe(130);
  });

  it('gives a named reader what it has not read yet', async () => {
    const world = await streamWorld();
    const first = world.run('stream --consumer desk --max-events 1');
    await first.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(frame(INFLATION));
    expect(await first.end()).toBe(0);
    await world.process([INFLATION, GDP]);
    const second = world.run('stream --consumer desk --max-events 1');
    expect(await second.end()).toBe(0);
    expect(second.lines()).toEqual([GDP]);
  });

  it('never lets an event steer a terminal, in whichever form', async () => {
    const evil = INFLATION.replace('"2026-09-30"', '"\\u001b[2J\u009b2J\u202e"');
    for (const format of ['ndjson', 'table']) {
      const world = await streamWorld({ terminal: true });
      const running = world.run(`stream --format ${format} --max-events 1 --quiet`);
      await running.until(() => world.streams.asked === 1);
      (await world.streams.request()).open(frame(evil));
      expect(await running.end()).toBe(0);
      expect(['\u001b', '\u009b', '\u202e'].filter((char) => world.out().includes(char))).toEqual([]);
      expect(running.lines()).toHaveLength(1);
    }
  });

  it('silence that lasts too long is exit 11', async () => {
    const world = await streamWorld();
    const running = world.run('stream --max-stale 10s');
    await running.until(() => world.streams.asked === 1);
    (await world.streams.request()).open(': connected\n\n');
    for (let second = 0; second < 12; second += 1) await world.clock.advance(1000);
    expect(await running.end()).toBe(11);
    expect(world.err()).toContain('Not a byte came from the stream for 10 s.');
  });

  it('ends with 0 when the service says that there is no more', async () => {
    const world = await streamWorld();
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    (await world.streams.request()).answer(204);
    expect(await running.end()).toBe(0);
  });

  it('that never reaches the service is exit 6, and does not name an option that it has not', async () => {
    const world = await streamWorld();
    const running = world.run('stream');
    for (let tries = 1; tries <= 4; tries += 1) {
      await running.until(() => world.streams.asked === tries);
      (await world.streams.request()).fail(new TypeError('fetch failed'));
    }
    expect(await running.end()).toBe(6);
    expect(world.err()).toContain('\nCheck the network and the address of the service (--base-url, MACRO_BASE_URL).\n');
  });

  it('asks the stream where its own address is', async () => {
    const world = await streamWorld({ env: { MACRO_STREAM_URL: 'https://stream.example.test/v1' } });
    const running = world.run('stream');
    await running.until(() => world.streams.asked === 1);
    const { url, headers } = await world.streams.request();
    expect([new URL(url).origin, headers.get('x-api-key')]).toEqual(['https://stream.example.test', 'k']);
  });

  it('of another currency needs a key, where a service answers', async () => {
    const env = { MACRO_BASE_URL: 'https://a.test' };
    const ping = async () => Response.json({ status: 'ok', service: 'macro-data' });
    expect(await macro('stream --currencies eur', testPlatform({ env, fetch: ping }))).toEqual({
      code: 4,
      out: '',
      err: 'macro: Without an API key the stream has releases of USD only.\nStore a key with: macro auth login, or give it in MACRO_API_KEY.\n',
    });
    const other = async () => new Response('<html>', { status: 404 });
    expect(await macro('stream --currencies eur', testPlatform({ env, fetch: other }))).toEqual({
      code: 7,
      out: '',
      err: 'macro: https://a.test is not the service: it answers HTTP 404 to /v1/ping, without the words of the service.\nCheck the address of the service (--base-url, MACRO_BASE_URL); macro config explain shows where it comes from.\n',
    });
  });

  it.each([
    ['stream', {}, 4, 'No service is chosen, so there is nothing to sync from.'],
    ['stream --payload all', { MACRO_BASE_URL: 'https://a.test' }, 2, undefined],
    ['stream --max-events 0', { MACRO_BASE_URL: 'https://a.test' }, 2, "'0' is no value for --max-events."],
    ['stream --max-stale soon', { MACRO_BASE_URL: 'https://a.test' }, 2, "'soon' is no duration for --max-stale."],
    [
      'stream --format csv',
      { MACRO_BASE_URL: 'https://a.test' },
      2,
      'Events that are still to come cannot be written as csv.',
    ],
    [
      'stream --exec a --forward http://b.test',
      { MACRO_BASE_URL: 'https://a.test' },
      2,
      '--exec and --forward are two consumers, each with a cursor of its own.',
    ],
    ['stream --consumer a/b', { MACRO_BASE_URL: 'https://a.test' }, 2, "'a/b' cannot be the name of a consumer."],
    ['stream usd', { MACRO_BASE_URL: 'https://a.test' }, 2, 'macro stream takes no words.'],
  ])('%s with %o is exit %d', async (line, env, code, message) => {
    const ran = await macro(line, testPlatform({ env }));
    expect([ran.code, ran.out]).toEqual([code, '']);
    if (message !== undefined) expect(ran.err.split('\n')[0]).toBe(`macro: ${message}`);
  });
});
