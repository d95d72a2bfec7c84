import { expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { PageCommit } from '../../src/mirror/api/page-commit.ts';
import { livePages } from '../../src/source/stored/collect-pages.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const seconds = (iso: string) => Date.parse(iso) / 1000;

const event = (iso: string) => ({
  event_id: `usd_inflation_${seconds(iso)}`,
  currency: 'usd',
  indicator: 'inflation',
  timestamp: seconds(iso),
  release_timestamp: seconds(iso) - 2,
});

const PAGES: Readonly<Record<string, object>> = {
  start: { data: [event('2026-11-20T13:30:00Z')], count: 1, next_cursor: 'c1.one', has_more: true },
  'c1.one': { data: [event('2026-11-21T09:00:00Z')], count: 1, next_cursor: 'c1.two', has_more: false },
};

/** What a walk of two pages from a position leaves: the questions that were kept, and what they cover. */
async function walk(since: string) {
  const { platform } = testPlatform({
    fetch: async (url) => {
      const asked = new URL(url).searchParams.get('since') ?? '';
      const body = PAGES[asked] ?? PAGES.start;
      return Response.json({ retention_seconds: 604_800, ...body });
    },
  });
  const endpoint = endpointById('announcements_changes');
  if (!endpoint) throw new Error('no endpoint');
  const commits: PageCommit[] = [];
  const kept = await freshMirror(platform);
  const commitPage: Mirror['commitPage'] = (page) => {
    commits.push(page);
    return kept.commitPage(page);
  };
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const mirror = { ...kept, commitPage };
  const context = { caller: { kind: 'owner' }, now: NOW } as const;
  for await (const page of livePages({ client, mirror }, { endpoint, args: { since } }, context)) void page;
  return commits.map(({ question, covered }) => [question, covered]);
}

it('a page of a feed is kept as the answer to its own position, and covers what follows the page before it', async () => {
  expect(await walk('2026-11-20T12:00:00Z')).toEqual([
    [
      'announcements_changes?offset=0&since=2026-11-20T12:00:00Z',
      { from: seconds('2026-11-20T12:00:00Z'), to: seconds('2026-11-20T13:30:00Z') - 1, rows: 1 },
    ],
    [
      'announcements_changes?offset=1&since=c1.one',
      { from: seconds('2026-11-20T12:00:00Z'), to: seconds('2026-11-21T12:00:00Z'), rows: 1 },
    ],
  ]);
});

it('a walk from a position that only the service reads covers nothing', async () => {
  expect(await walk('c0.before')).toEqual([
    ['announcements_changes?offset=0&since=c0.before', undefined],
    ['announcements_changes?offset=1&since=c1.one', undefined],
  ]);
});
