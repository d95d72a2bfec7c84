import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openMirror } from '../../../src/mirror/sqlite/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { macro } from '../../support/run.ts';
import { SERVICE_URL, serviceOver } from '../../support/service.ts';
import { fullSandboxPath, SANDBOX_NOW } from '../../support/serving.ts';

const NOW = SANDBOX_NOW;
const FACTOR = 1.5;

/** The sandbox that people are shown: the small one of other tests has histories of a page or two. */
const service = fullSandboxPath(testPlatform({ now: NOW }).platform);

beforeAll(() => service, 300_000);

async function world() {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await openMirror({ path: await service, mappings: MAPPINGS, platform, mode: 'read' });
  onTestFinished(() => mirror.close());
  const asked = await serviceOver(mirror, platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  return { ...testPlatform({ now: NOW, env, fetch: asked.fetch }), seen: asked.seen };
}

type World = Awaited<ReturnType<typeof world>>;

/** What a plan says, and what the run then sends, counted where it arrives. */
async function plannedAndSent(words: string, at: World) {
  const plan = JSON.parse((await macro(`sync --plan ${words} --format json`, at)).out);
  const before = at.seen.length;
  await macro(`sync ${words} --quiet`, at);
  return { planned: plan.requests, sent: at.seen.length - before, atLeast: plan.at_least };
}

it.each([
  'fx eur usd',
  'fx intraday eur usd',
  'fx reference eur usd',
  'fx session eur usd',
  'announcements usd inflation',
  'announcements usd gov_bond_10y',
  'announcements usd gdp',
  'calendar usd',
  'sentiment',
  'cot',
  'commodities',
  'prices usd',
  'press usd',
  'factor usd',
  'differential eur usd',
  'fx eur usd, cot usd, commodities gold, announcements usd policy_rate, calendar usd',
])('sync --plan %s is within a factor of 1.5 of what the run sends', async (words) => {
  const { planned, sent, atLeast } = await plannedAndSent(words, await world());
  expect(planned, `sent ${sent}`).toBeGreaterThanOrEqual(sent / FACTOR);
  expect(planned, `sent ${sent}`).toBeLessThanOrEqual(sent * FACTOR);
  expect(atLeast).toBeLessThanOrEqual(sent);
});

it('reads the extent of an indicator from its catalogue, and of a pair from another one', async () => {
  const at = await world();
  await macro('sync catalogue eur, fx gbp usd --quiet', at);
  const plan = JSON.parse((await macro('sync --plan announcements eur --format json', at)).out);
  const before = at.seen.length;
  await macro('sync announcements eur --quiet', at);
  const sent = at.seen.length - before;
  expect([plan.requests >= sent / FACTOR, plan.requests <= sent * FACTOR, plan.data.length > 60]).toEqual([
    true,
    true,
    true,
  ]);
  const pair = await plannedAndSent('fx eur usd', at);
  expect(pair.planned).toBe(pair.sent);
});

it('guesses the indicators of a currency whose catalogue is not held, and says so', async () => {
  const at = await world();
  const { out, err } = await macro('sync --plan announcements usd --format json', at);
  expect(JSON.parse(out).data.at(-1)).toMatchObject({ series: 'announcements usd ...', more: 'estimated' });
  expect(err).toContain('a guess');
});
