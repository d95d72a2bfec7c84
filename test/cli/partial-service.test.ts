import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL } from '../support/service.ts';
import { syncWorld } from '../sync/world.ts';

const HINT = 'Whoever runs that server can bring it; macro sync at this end cannot.';
const MARK = {
  complete: false,
  missing: [{ from: '2026-01-01', to: '2026-02-28' }],
  checked_at: '2026-11-20T08:00:00Z',
};

/** A service that is a mirror with missing ranges and shows two rates a page, so many pages; some of them are marked. */
function holed(marks: readonly (object | undefined)[], told: 'body' | 'header' = 'body'): Fetch {
  return async (url) => {
    const offset = Number(new URL(url).searchParams.get('offset') ?? 0);
    const page = offset / 2;
    const mark = marks[page];
    const hasMore = page < marks.length - 1;
    const data = [0, 1].map((i) => ({ date: `2026-11-${20 - offset - i}`, val: 1.5 }));
    const total_count = marks.length * 2;
    const pagination = { limit: 2, offset, returned_count: 2, total_count, has_more: hasMore };
    const next = hasMore ? { next_offset: offset + 2 } : {};
    const body = { base: 'EUR', quote: 'USD', pagination: { ...pagination, ...next }, data };
    const headers = mark && told === 'header' ? { 'x-svc-mirror': 'partial' } : undefined;
    return Response.json(
      { ...body, ...(mark && told === 'body' && { mirror: mark }) },
      { ...(headers && { headers }) },
    );
  };
}

const asking = (fetch: Fetch, terminal = false) =>
  testPlatform({ fetch, terminal, env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' } });

describe('a live answer that lacks something by its own word', () => {
  const missingParts = 'This answer is partial. Missing in the service: 2026-01-01 to 2026-02-28.';

  it('is exit 10 also under --quiet, and its mark stays in the data', async () => {
    const { code, out, err } = await macro('fx eur usd --live --quiet --format json', asking(holed([MARK])));
    expect([code, JSON.parse(out).mirror, JSON.parse(err)]).toMatchObject([
      10,
      MARK,
      { level: 'error', kind: 'incomplete', code: 'mirror_incomplete', message: missingParts, hint: HINT },
    ]);
  });

  it('is exit 0 with --allow-partial, which warns', async () => {
    const { code, err } = await macro('fx eur usd --live --quiet --allow-partial', asking(holed([MARK])));
    expect([code, err]).toEqual([0, `warning: ${missingParts} ${HINT}\n`]);
  });

  it('says so in the title of the table', async () => {
    const { out } = await macro('fx eur usd --live', asking(holed([MARK]), true));
    expect(out).toContain('PARTIAL, without 2026-01-01 to 2026-02-28');
  });

  it('is partial where only a header says it, and where a later page of a walk does', async () => {
    const header = await macro('fx eur usd --live --quiet', asking(holed([{}], 'header')));
    expect([header.code, header.err]).toEqual([
      10,
      `macro: This answer is partial: the service itself has only part of it.\n${HINT}\n`,
    ]);
    const later = await macro('fx eur usd --live --quiet --all --format json', asking(holed([undefined, MARK])));
    expect([later.code, JSON.parse(later.out).data.length, JSON.parse(later.out).mirror]).toEqual([10, 4, MARK]);
  });

  it('covers nothing in the mirror', async () => {
    const at = asking(holed([MARK]));
    await macro('fx eur usd --live --quiet --start 2026-01-01', at);
    const { code, out } = await macro('fx eur usd --offline --quiet --start 2026-01-01 --format json', at);
    const { data, mirror } = JSON.parse(out);
    expect([code, data.length, mirror.missing]).toEqual([10, 2, [{ from: '2026-01-01', to: '2026-11-21' }]]);
  });

  it('may be sent by nobody who can write to a terminal with it', async () => {
    const mark = { ...MARK, missing: [{ series: 'fx\u001b[31m eur\nusd', from: 1, to: {} }, 7, {}] };
    const { err } = await macro('fx eur usd --live --quiet', asking(holed([mark])));
    expect(err.split('\n')[0]).toBe('macro: This answer is partial. Missing in the service: fx [31m eur usd.');
  });

  it('is exit 10 by its path as well', async () => {
    const { code, out } = await macro('api /v1/forex/EUR/USD', asking(holed([MARK])));
    expect([code, JSON.parse(out).mirror]).toEqual([10, MARK]);
    expect((await macro('api /v1/forex/EUR/USD --allow-partial', asking(holed([MARK])))).code).toBe(0);
  });
});

describe('macro wait for a service that is a mirror with holes', () => {
  const refused: Fetch = async () =>
    Response.json({ code: 'mirror_incomplete', detail: 'The mirror has only part of this answer.' }, { status: 503 });

  it.each([
    ['marks its answers', undefined, 'The service itself has only part of it'],
    ['refuses to answer in part', refused, 'The mirror has only part of this answer.'],
  ])('ends with exit 10 where it %s', async (_, refusing, reason) => {
    const { at, service, clock } = await syncWorld({ key: 'k-test', now: '2026-12-07T12:00:00Z' });
    const fetch: Fetch = async (url, init) => {
      if (refusing) return refusing(url, init);
      const { body, status, headers } = await service.fetch(url, init);
      return new Response(body, { status, headers: { ...Object.fromEntries(headers), 'x-svc-mirror': 'partial' } });
    };
    const env = { ...at.platform.env, MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
    const begun = clock.now();
    const { code, out, err } = await macro('wait usd unemployment', {
      ...at,
      platform: { ...at.platform, env, fetch },
    });
    expect([code, out, clock.now() - begun]).toEqual([10, '', 0]);
    expect(err).toContain(reason);
  });
});
