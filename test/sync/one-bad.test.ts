import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { Clock, Fetch } from '../../src/platform/platform.ts';
import { inSession, runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { settle, type TestClock } from '../support/clock.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';

const TEN = ['gdp', 'ppi', 'm1', 'm2', 'm3', 'imports', 'exports', 'wages', 'pce', 'nairu'];
const WORDS = TEN.map((slug) => `announcements usd ${slug}`).join(', ');

/** Milliseconds that a healthy answer takes. */
const SOON = 100;

type Answer = () => Response | 'hangs';

const failing: Answer = () => new Response('{"detail":"x","code":"internal_error"}', { status: 500 });
const hanging: Answer = () => 'hangs';
const missing: Answer = () => new Response('{"detail":"None here","code":"unknown_indicator"}', { status: 404 });
const page: Answer = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
const refusing: Answer = () => new Response('{"detail":"No","code":"subscription_required"}', { status: 403 });

function healthy(slug: string): Response {
  const rows = ['2026-10-31', '2026-09-30'].map((date, i) => ({
    date,
    val: i + 1.5,
    announcement_datetime: 1790000000 - i,
  }));
  const pagination = { limit: 100, offset: 0, returned_count: 2, total_count: 2, has_more: false };
  return Response.json({ currency: 'USD', indicator: slug, data: rows, pagination });
}

/** Tells whether an operation of the mirror is under way, which on a server takes time of its own. */
function watchedMirror(mirror: Mirror): { readonly mirror: Mirror; isBusy(): boolean } {
  let open = 0;
  const watch = (work: unknown) => {
    if (!(work instanceof Promise)) return work;
    open += 1;
    const done = () => {
      open -= 1;
    };
    work.then(done, done);
    return work;
  };
  const watched = <T extends object>(object: T): T =>
    new Proxy(object, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'function') return (...args: unknown[]) => watch(member.apply(target, args));
        return typeof member === 'object' && member !== null ? watched(member) : member;
      },
    });
  return { mirror: watched(mirror), isBusy: () => open > 0 };
}

/** Tells whether a pause or an answer is waited for: both sleep, and what only limits them is an alarm. */
function watchedClock(clock: TestClock): { readonly clock: Clock; isAwaited(): boolean } {
  let asleep = 0;
  const watched: Clock = {
    now: () => clock.now(),
    turn: () => clock.turn(),
    turnEnd: () => clock.turnEnd(),
    alarm: (ms, signal) => clock.alarm(ms, signal),
    async sleep(ms, signal) {
      asleep += 1;
      try {
        await clock.sleep(ms, signal);
      } finally {
        asleep -= 1;
      }
    },
  };
  return { clock: watched, isAwaited: () => asleep > 0 };
}

/** Ten series of a service, some of which are answered in another way; time goes on while nothing else can. */
async function world(odd: Readonly<Record<string, Answer>>) {
  const { platform: plain, clock: base } = testPlatform({ now: '2026-11-20T15:00:00Z', sleeping: 'waits' });
  const { clock, isAwaited } = watchedClock(base);
  const platform = { ...plain, clock };
  const { mirror, isBusy } = watchedMirror(await freshMirror(platform));
  const bad = new Map(Object.entries(odd));
  const asked: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url);
    const slug = pathname.split('/').at(-1) ?? '';
    asked.push(slug);
    await clock.sleep(SOON, init.signal ?? undefined);
    const answer = (bad.get(slug) ?? bad.get('*'))?.();
    if (answer === 'hangs') {
      await clock.sleep((init.deadline ?? 0) - SOON, init.signal ?? undefined);
      throw Object.assign(new Error('late'), { name: 'TimeoutError' });
    }
    if (answer) return answer;
    if (slug === 'ping') return Response.json({ status: 'ok', service: 'x' });
    return slug === 'changes'
      ? Response.json({ data: [], count: 0, has_more: false, next_cursor: 'c' })
      : healthy(slug);
  };
  const sync = async (words = WORDS) => {
    const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
    const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
    const targets = await selectTargets([words], select);
    asked.length = 0;
    const begun = clock.now();
    let isDone = false;
    const session = { mirror, clock, holder: 'process 1', words };
    const running = inSession(session, () => runSync({ client, mirror, clock, targets })).finally(() => {
      isDone = true;
    });
    // The clock moves on only while everything that goes on waits for it. The run's own alarms are no reason to: they would
    // go off in the middle of whatever takes time of its own.
    while (!isDone) await (isAwaited() && !isBusy() ? base.advance(SOON / 2) : settle());
    const report = await running;
    const problems = report.series.flatMap(({ name, problem }) => (problem ? [[name.slice(18), problem.code]] : []));
    const complete = report.series.filter((one) => one.outcome === 'complete' && !one.isImplied);
    return {
      report,
      problems,
      complete: complete.map(({ name }) => name.slice(18)),
      ms: clock.now() - begun,
      asked: [...asked],
    };
  };
  return { sync, bad };
}

describe('one series that cannot be had', () => {
  it('keeps none of the others: each is named with its code, in the time of the others and one timeout', async () => {
    const odd = { gdp: failing, m1: hanging, m3: missing, exports: page, nairu: refusing };
    const { sync, bad } = await world(odd);
    const { m1: _, ...others } = odd;
    const alone = await (await world(others)).sync();
    const first = await sync();
    expect([first.report.kind, first.report.skipped, first.complete, first.problems]).toEqual([
      'incomplete',
      0,
      ['ppi', 'm2', 'imports', 'wages', 'pce'],
      [
        ['gdp', 'internal_error'],
        ['m1', 'timeout'],
        ['m3', 'unknown_indicator'],
        ['exports', 'not_json'],
        ['nairu', 'subscription_required'],
      ],
    ]);
    expect(first.ms).toBeLessThan(alone.ms + 31_000);
    bad.clear();
    const second = await sync();
    expect([second.report.outcome, [...new Set(second.asked)]]).toEqual([
      'complete',
      ['changes', 'gdp', 'm1', 'm3', 'exports', 'nairu'],
    ]);
  });

  it('is complete in the same run when it is answered at the end', async () => {
    let left = 4;
    const { sync } = await world({
      m1() {
        left -= 1;
        return left >= 0 ? failing() : healthy('m1');
      },
    });
    const { report, problems, complete } = await sync();
    expect([report.outcome, problems, complete]).toEqual(['complete', [], TEN]);
  });

  it('is waited for beside the others while its answer is slow', async () => {
    const { sync } = await world({});
    const slow = await world({ m1: hanging });
    const [fast, late] = [await sync(), await slow.sync()];
    expect(late.complete).toEqual(TEN.filter((slug) => slug !== 'm1'));
    expect(late.ms).toBeLessThan(fast.ms + 31_000);
  });

  it('is 6 when no other is complete, and names nothing as done', async () => {
    const { sync } = await world({ gdp: failing });
    const { report, complete } = await sync('announcements usd gdp');
    expect([report.kind, report.outcome, complete]).toEqual(['upstream', 'failed', []]);
  });
});

describe('a service that fails as a whole', () => {
  it('ends the run after one series when its probe fails too', async () => {
    const { sync } = await world({ '*': failing });
    const { report, asked } = await sync();
    expect([report.kind, report.end?.kind, report.skipped, new Set(asked)]).toEqual([
      'upstream',
      'upstream',
      10,
      new Set(['changes', 'ping']),
    ]);
  });

  it('ends it after five series in a row, and the next run begins with those that were not tried', async () => {
    const { sync, bad } = await world(Object.fromEntries(TEN.map((slug) => [slug, failing])));
    const first = await sync();
    expect([first.report.kind, first.report.skipped, first.problems.map(([name]) => name)]).toEqual([
      'upstream',
      5,
      TEN.slice(0, 5),
    ]);
    for (const slug of TEN.slice(5)) bad.delete(slug);
    const second = await sync();
    expect([second.report.kind, second.complete]).toEqual(['incomplete', TEN.slice(5)]);
    expect([...new Set(second.asked)].slice(0, 6)).toEqual(['changes', ...TEN.slice(5)]);
  });
});
