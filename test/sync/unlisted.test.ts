import { describe, expect, it } from 'vitest';
import { type JsonObject, parseObject } from '../../src/contract/json/json.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { DAY } from './world.ts';

const GONE = JSON.stringify({ detail: 'Unknown indicator.', code: 'unknown_indicator', error: 'unknown_indicator' });

/** A tracked currency whose catalogue, and whose series, the service may answer otherwise than before. */
async function world() {
  const made = testPlatform();
  const service = await serviceOver(await sandboxMirror(made.platform), made.platform);
  let listed = (body: JsonObject): JsonObject => body;
  let isGone = false;
  const sent: string[] = [];
  const fetch = async (url: string, init: Parameters<typeof service.fetch>[1]) => {
    const { pathname } = new URL(url);
    sent.push(pathname);
    if (isGone && pathname.endsWith('/inflation')) return new Response(GONE, { status: 404 });
    const headers = new Headers(init.headers);
    const isCatalogue = pathname.includes('data_catalogue');
    if (isCatalogue) headers.delete('if-none-match');
    const answer = await service.fetch(url, { ...init, headers });
    if (!isCatalogue) return answer;
    const synthetic = { 'X-SVC-Synthetic': answer.headers.get('X-SVC-Synthetic') ?? '' };
    return new Response(JSON.stringify(listed(parseObject(await answer.text()))), { headers: synthetic });
  };
  const env = { MACRO_API_KEY: 'k-test-0123456789', MACRO_BASE_URL: SERVICE_URL };
  const at = testPlatform({ folder: made.folder, fetch, env });
  const run = async (line: string) => {
    sent.length = 0;
    const { code, out, err } = await macro(line, at);
    return { code, text: `${out}${err}`, sent: [...sent] };
  };
  await run('track add announcements usd');
  const first = await run('sync');
  expect(first.code, first.text).toBe(0);
  const tracked = async () => (await run('track list --format json')).text;
  await at.clock.advance(DAY / 4);
  return {
    run,
    tracked,
    clock: at.clock,
    lists(change: typeof listed) {
      listed = change;
    },
    goes() {
      isGone = true;
    },
  };
}

const without = ({ inflation: _, ...rest }: JsonObject): JsonObject => rest;

describe('a series that the catalogue does not list any more', () => {
  it('stays tracked, and is asked directly', async () => {
    const { run, lists, clock } = await world();
    lists(without);
    const first = await run('sync');
    expect(first.code, first.text).toBe(0);
    expect(first.sent).toContain('/v1/announcements/USD/inflation');
    expect((await run('announcements usd inflation --offline --format json --limit 1')).code).toBe(0);
    // What was asked since the catalogue came is not asked again before the next one.
    await clock.advance(60_000);
    expect((await run('sync')).sent).not.toContain('/v1/announcements/USD/inflation');
    await clock.advance(DAY / 4);
    expect((await run('sync')).sent).toContain('/v1/announcements/USD/inflation');
  });

  it('is named with its reason where the service does not answer it', async () => {
    const { run, lists, goes } = await world();
    lists(without);
    goes();
    const { code, text } = await run('sync');
    expect([code, text.includes('announcements usd inflation'), text.includes('unknown_indicator')]).toEqual([
      10,
      true,
      true,
    ]);
  });
});

describe('a catalogue without one entry', () => {
  it.each([
    ['an empty object', () => ({})],
    ['an error', () => ({ error: { message: 'backend timeout' } })],
    ['an error under the name of the wrapper', () => ({ catalogue: {} })],
  ])('%s is no catalogue: what is tracked stays so', async (_, body) => {
    const { run, lists, tracked } = await world();
    const before = await tracked();
    lists(body);
    const { code, text } = await run('sync');
    expect([code, text.includes('catalogue usd')], text).toEqual([10, true]);
    expect(await tracked()).toBe(before);
    lists((whole) => whole);
    expect((await run('sync')).code).toBe(0);
    expect((await run('announcements usd inflation --offline --limit 1')).code).toBe(0);
  });
});
