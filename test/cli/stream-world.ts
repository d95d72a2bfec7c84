import { onTestFinished } from 'vitest';
import { LAST_SECOND } from '../../src/contract/time/time.ts';
import { main } from '../../src/main.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { page } from '../mirror/support.ts';
import { settle } from '../support/clock.ts';
import { type StreamService, streamService } from '../support/event-stream.ts';
import { inMirror } from '../support/in-mirror.ts';
import { type TestPlatform, type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { splitLine } from '../support/run.ts';
import { freshMirror, SERVICE_URL, serviceOver } from '../support/service.ts';

/** 2026-10-14T12:30:10Z: some seconds after the release of the documented example was processed. */
export const NOW = 1_791_981_010_000;
export const FEED = { origin: SERVICE_URL, endpoint: 'announcements_changes', scope: {} };

/** An event as changes lists it. */
export function event(id: string, timestamp: number, val = 3.2): string {
  const [, currency, indicator, release] = /^([a-z]{3})_(.*)_(\d+)$/.exec(id) ?? [];
  const at = new Date(Number(release) * 1000).toISOString().replace('.000', '');
  return `{"event_id":"${id}","currency":"${currency}","indicator":"${indicator}","records_written":1,"timestamp":${timestamp},"release_timestamp":${release},"latest_announcement":{"date":"2026-09-30","val":${val},"announcement_datetime":"${at}"}}`;
}

export const frame = (text: string): string =>
  `id: ${JSON.parse(text).event_id}\nevent: announcement\ndata: ${text}\n\n`;

export const INFLATION = event('usd_inflation_1791981000', 1_791_981_002);
export const GDP = event('usd_gdp_1791981001', 1_791_981_003);
export const RATE = event('eur_policy_rate_1791981002', 1_791_981_004);

/** A command that is running in this process. */
export interface Running {
  /** Its exit code; until then the clock moves. */
  end(): Promise<number>;
  /** Waits, and moves the clock, until this holds. */
  until(holds: () => boolean): Promise<void>;
  lines(): readonly string[];
}

export interface StreamWorld extends TestPlatform {
  /** Every request for a stream waits for the test. */
  readonly streams: StreamService;
  /** The service's own mirror, whose changes are asked for. */
  readonly service: Mirror;
  /** Requests that were made for anything but a stream. */
  readonly seen: readonly string[];
  /** Processes releases at the service, without a word in the stream. */
  process(rows: readonly string[]): Promise<void>;
  run(line: string): Running;
  /** The client's mirror, when no command runs. */
  held<T>(read: (mirror: Mirror) => Promise<T>): Promise<T>;
}

/** A service with a real `/v1`, except that its stream does what the test says, and a client with the same clock. */
export async function streamWorld(options: TestPlatformOptions = {}): Promise<StreamWorld> {
  const streams = streamService();
  const server = testPlatform({ now: NOW, sleeping: 'waits' });
  const service = await freshMirror(server.platform, 'service.db');
  const rest = await serviceOver(service, server.platform);
  const fetch: TestPlatformOptions['fetch'] = (url, init) =>
    new URL(url).pathname === '/v1/stream/events' ? streams.fetch(url, init) : rest.fetch(url, init);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k', ...options.env };
  const client = testPlatform({ ...options, env, fetch, now: NOW, sleeping: 'waits' });
  const platform = { ...client.platform, clock: server.clock };
  const process = async (rows: readonly string[]) => {
    // A service watches its own releases.
    const covered = { from: 0, to: LAST_SECOND, rows: rows.length };
    await service.commitPage(page(rows, { series: FEED, arrived: { via: 'local' }, covered, at: server.clock.now() }));
  };
  await process([event('usd_cpi_old_1791800000', 1_791_800_002)]);
  return {
    ...client,
    platform,
    clock: server.clock,
    streams,
    service,
    seen: rest.seen,
    process,
    run(line) {
      const before = client.out().length;
      const ended = main(splitLine(line), platform);
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      onTestFinished(async () => {
        client.interrupt();
        await ended;
      });
      const look = async () => {
        await settle();
        await server.clock.advance(20);
      };
      return {
        lines: () => client.out().slice(before).split('\n').slice(0, -1),
        async end() {
          while (!isOver) await look();
          return ended;
        },
        async until(holds) {
          while (!holds()) {
            if (isOver) throw new Error(`It ended before that: ${client.out()}${client.err()}`);
            await look();
          }
        },
      };
    },
    held: (read) => inMirror({ path: `${client.folder}/macro/mirrors/default.db`, platform }, read),
  };
}
