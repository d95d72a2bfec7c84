import { EventSource } from 'eventsource';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LAST_SECOND } from '../../../src/contract/time/time.ts';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { createServer } from '../../../src/serve/create.ts';
import type { ServeOptions } from '../../../src/serve/options.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { page, SERVICE } from '../../mirror/support.ts';
import { testPlatform } from '../../support/platform.ts';
import { freshMirror, LABELS } from '../../support/service.ts';

/** 2026-10-14T12:30:03Z: a second after the release of the documented example was processed. */
const NOW = 1_791_981_003_000;
const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };

// As docs/interface-events.md#event-stream prints it.
const FRAME = `id: usd_inflation_1791981000
event: announcement
data: {"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation","records_written":1,"timestamp":1791981002,"release_timestamp":1791981000,"latest_announcement":{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"}}

`;
const OPENING = 'retry: 3000\n: connected\n\n';
const INFLATION = /data: (.*)/.exec(FRAME)?.[1] ?? '';
const event = (id: string, timestamp: number) => {
  const [currency, ...rest] = id.split('_');
  const release = Number(rest.pop());
  return `{"event_id":"${id}","currency":"${currency}","indicator":"${rest.join('_')}","timestamp":${timestamp},"release_timestamp":${release}}`;
};
const EARLIER = event('usd_gdp_1791900000', 1_791_900_002);
const EURO = event('eur_policy_rate_1791981001', 1_791_981_002);

async function served(rows: readonly string[] = [EARLIER], more: Partial<ServeOptions> = {}) {
  const { platform, clock } = testPlatform({ now: NOW, sleeping: 'waits' });
  const mirror = await freshMirror(platform);
  onTestFinished(() => mirror.close());
  if (rows.length > 0) await add(mirror, rows);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const app = await createServer({
    source,
    mirror,
    endpoints: ENDPOINTS,
    platform,
    options: { labels: LABELS, ...more },
  });
  onTestFinished(() => app.close());
  const address = await app.listen(0, '127.0.0.1');
  return { mirror, clock, app, url: `${address}/v1/stream/events` };
}

/** Keeps events; a mirror that watches has all there are. */
async function add(mirror: Mirror, rows: readonly string[], isWatched = true): Promise<void> {
  const covered = isWatched && { covered: { from: 0, to: LAST_SECOND, rows: rows.length } };
  await mirror.commitPage(page(rows, { series: FEED, arrived: { via: 'local' }, at: NOW, ...covered }));
}

/** Reads a stream until so much has come, as any HTTP client would. */
async function open(url: string, headers: Readonly<Record<string, string>> = { 'x-api-key': 'k' }) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(url, { headers, signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    async until(ending: string): Promise<string> {
      while (!text.includes(ending)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return `${text}[end]`;
        text += value;
      }
      return text;
    },
  };
}

/** Lets the server look again: moves its clock by hand until the look is under way. */
async function look(clock: { advance(ms: number): Promise<void> }, ms = 250): Promise<void> {
  await clock.advance(ms);
}

describe('the stream', () => {
  it('says that it is open, and has the headers of one', async () => {
    const { url } = await served();
    const { response, until } = await open(url);
    expect(await until(OPENING)).toBe(OPENING);
    expect(
      ['content-type', 'cache-control', 'x-accel-buffering', 'content-encoding'].map((name) =>
        response.headers.get(name),
      ),
    ).toEqual(['text/event-stream; charset=utf-8', 'no-store', 'no', null]);
  });

  it('asks its readers to come back after the time that whoever runs it decides', async () => {
    const { url } = await served([EARLIER], { streamRetry: 250 });
    const { until } = await open(url);
    expect(await until(': connected\n\n')).toBe('retry: 250\n: connected\n\n');
  });

  it('pushes a release in the documented frame, and nothing from before', async () => {
    const { url, mirror, clock } = await served();
    const { until } = await open(url);
    await until(OPENING);
    await add(mirror, [INFLATION]);
    await look(clock);
    expect(await until(FRAME)).toBe(OPENING + FRAME);
  });

  it('tells of a gap where nobody watched since an id, and goes on live', async () => {
    const { url, mirror, clock } = await served([]);
    await add(mirror, [EARLIER, EURO], false);
    const { until } = await open(url, { 'x-api-key': 'k', 'last-event-id': 'usd_gdp_1791900000' });
    const told = {
      reason: 'not_watched',
      requested_last_event_id: 'usd_gdp_1791900000',
      oldest_event_id: 'usd_gdp_1791900000',
      resume_with: '/v1/announcements/changes?since=1791900002',
    };
    const gap = `event: gap\ndata: ${JSON.stringify(told)}\n\n`;
    expect(await until(gap)).toBe(OPENING + gap);
    await add(mirror, [INFLATION], false);
    await look(clock);
    expect(await until(FRAME)).toBe(OPENING + gap + FRAME);
  });

  it('replays what came after an id, in the order of changes, and goes on live', async () => {
    const { url, mirror, clock } = await served([EARLIER, INFLATION, EURO]);
    const { until } = await open(url, { 'x-api-key': 'k', 'last-event-id': 'usd_gdp_1791900000' });
    const euro = `id: eur_policy_rate_1791981001\nevent: announcement\ndata: ${EURO}\n\n`;
    expect(await until(FRAME)).toBe(OPENING + euro + FRAME);
    const later = event('usd_gdp_1791981500', 1_791_981_503);
    await add(mirror, [later]);
    await look(clock);
    expect(await until(`${later}\n\n`)).toContain('id: usd_gdp_1791981500\n');
  });

  it('replays far more than may wait for a reader, in order and each once, with what comes meanwhile behind it', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) =>
      event(`usd_series_${1_791_901_000 + n}`, 1_791_901_002 + Math.floor(n / 3) * 3),
    );
    const late = event('usd_late_1791900500', 1_791_900_500);
    const { url, mirror, clock } = await served([EARLIER, ...many]);
    await add(mirror, [late]);
    const { until } = await open(url, { 'x-api-key': 'k', 'last-event-id': 'usd_gdp_1791900000' });
    await add(mirror, [INFLATION]);
    const stop = new AbortController();
    const moving = (async () => {
      while (!stop.signal.aborted) await look(clock);
    })();
    const text = await until(FRAME);
    stop.abort();
    await moving;
    const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
    expect(ids).toEqual([late, ...many, INFLATION].map((row) => JSON.parse(row).event_id));
    expect(text).not.toContain('event: gap');
  });

  it('tells an event that came to the mirror after its neighbours, live and in a replay', async () => {
    const { url, mirror, clock } = await served();
    const { until } = await open(url);
    await until(OPENING);
    await add(mirror, [INFLATION]);
    await look(clock);
    await until(FRAME);
    const late = event('usd_gdp_1791980000', 1_791_980_002);
    await add(mirror, [late]);
    await look(clock);
    const told = `id: usd_gdp_1791980000\nevent: announcement\ndata: ${late}\n\n`;
    expect(await until(told)).toBe(OPENING + FRAME + told);
    const again = await open(url, { 'x-api-key': 'k', 'last-event-id': 'usd_inflation_1791981000' });
    expect(await again.until(told)).toBe(OPENING + told);
    const young = await open(`${url}?max_age_ms=60000`, { 'x-api-key': 'k', 'last-event-id': 'usd_gdp_1791900000' });
    expect(await young.until(FRAME)).toBe(OPENING + FRAME);
  });

  it('tells nothing from hours before it was opened, which a first sync brings', async () => {
    const { url, mirror, clock } = await served();
    const { until } = await open(url);
    await until(OPENING);
    await add(mirror, [event('usd_gdp_1791970000', 1_791_970_002), INFLATION]);
    await add(mirror, [event('usd_gdp_1791960000', 1_791_960_002)]);
    await look(clock);
    expect(await until(FRAME)).toBe(OPENING + FRAME);
  });

  it.each([
    ['usd_inflation_1780000000', 'last_event_id_expired'],
    ['usd_inflation_1791980000', 'last_event_id_unknown'],
    ['nonsense', 'last_event_id_unknown'],
  ])('tells a gap after %s: %s', async (id, reason) => {
    const { url } = await served();
    const gap = `event: gap\ndata: {"reason":"${reason}","requested_last_event_id":"${id}","oldest_event_id":"usd_gdp_1791900000","resume_with":"/v1/announcements/changes?since=1791900002"}\n\n`;
    const { until } = await open(`${url}?last_event_id=${id}`);
    expect(await until('}\n\n')).toBe(OPENING + gap);
  });

  it('keeps to what was asked for', async () => {
    const { url } = await served([EARLIER, INFLATION, EURO]);
    const after = 'last_event_id=usd_gdp_1791900000';
    const euro = `id: eur_policy_rate_1791981001\nevent: announcement\ndata: ${EURO}\n\n`;
    expect(await (await open(`${url}?currencies=usd&${after}`)).until(FRAME)).toBe(OPENING + FRAME);
    expect(await (await open(`${url}?indicators=policy_rate&${after}`)).until(euro)).toBe(OPENING + euro);
    expect(await (await open(`${url}?live_only=true&${after}`)).until(OPENING)).toBe(OPENING);
    expect(await (await open(`${url}?max_age_ms=500&${after}`)).until(OPENING)).toBe(OPENING);
  });

  it('without a key pushes a USD release once it is readable, and no other currency', async () => {
    const { url, mirror, clock } = await served();
    const { until } = await open(url, {});
    await until(OPENING);
    await add(mirror, [INFLATION, EURO]);
    // Released at 12:30: readable without a key at 12:45. Heartbeats fill the time until then.
    await look(clock, 880_000);
    expect((await until(': heartbeat\n\n')).replaceAll(': heartbeat\n\n', '')).toBe(OPENING);
    await look(clock, 20_000);
    const text = await until(FRAME);
    expect(text.replaceAll(': heartbeat\n\n', '')).toBe(OPENING + FRAME);
  });

  it('beats while nothing happens', async () => {
    const { url, clock } = await served();
    const { until } = await open(url);
    await until(OPENING);
    await look(clock, 15_000);
    expect(await until(': heartbeat\n\n')).toBe(`${OPENING}: heartbeat\n\n`);
  });

  it('ends with the server', async () => {
    const { url, app } = await served();
    const { until } = await open(url);
    await until(OPENING);
    await app.close();
    expect(await until('never')).toBe(`${OPENING}: reconnect\n\n[end]`);
  });

  it.each([
    ['?currencies=eur', {}, 401],
    ['?payload=all', { 'x-api-key': 'k' }, 422],
    ['?max_age_ms=-1', { 'x-api-key': 'k' }, 422],
    ['', { 'x-api-key': '\u00e9' }, 401],
  ])('refuses %s with an ordinary answer', async (query, headers, status) => {
    const { url } = await served();
    const response = await fetch(url + query, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
    await response.arrayBuffer();
  });

  it('answers HEAD with its headers', async () => {
    const { url } = await served();
    const response = await fetch(url, { method: 'HEAD', headers: { 'x-api-key': 'k' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('is read by the eventsource package, unchanged', async () => {
    const { url, mirror, clock } = await served();
    const source = new EventSource(url, {
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, 'x-api-key': 'k' } }),
    });
    onTestFinished(() => source.close());
    await new Promise((resolve) => source.addEventListener('open', resolve));
    const heard = new Promise<MessageEvent>((resolve) => source.addEventListener('announcement', resolve));
    await add(mirror, [INFLATION]);
    await look(clock);
    const { data, lastEventId } = await heard;
    expect([data, lastEventId]).toEqual([INFLATION, 'usd_inflation_1791981000']);
  });
});
