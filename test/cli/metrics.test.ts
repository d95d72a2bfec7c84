import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { prometheusText } from '../../src/serve/server-metrics.ts';
import { testPlatform } from '../support/platform.ts';
import { readPrometheusText } from '../support/prometheus-text.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;
const PARSER =
  'import sys; from prometheus_client.parser import text_string_to_metric_families as r; print(len(list(r(sys.stdin.read()))))';
const hasParser = spawnSync('python3', ['-c', 'import prometheus_client']).status === 0;

beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

async function synced() {
  const upstream = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  const at = { ...testPlatform({ now: NOW, env, fetch: service.fetch }), seen: service.seen };
  await macro('track add announcements usd inflation, cot usd --quiet', at);
  await macro('sync --quiet', at);
  return at;
}

describe('macro metrics', () => {
  it('tells of nothing but the tool where nothing is set up', async () => {
    const { code, out, err } = await macro('metrics');
    expect([code, err]).toEqual([0, '']);
    const read = readPrometheusText(out);
    expect(Object.keys(read)).toEqual([
      'macro_build_info',
      'macro_mirror_readable',
      'macro_tracked_groups',
      'macro_schedule_entries',
    ]);
    expect(read.macro_mirror_readable?.samples).toEqual({ '': 0 });
  });

  it('tells freshness, age, rows, gaps, the last run and quota, asking nobody', async () => {
    const at = await synced();
    const asked = at.seen.length;
    await at.clock.advance(2 * 3_600_000);
    const { out } = await macro('metrics', at);
    const read = readPrometheusText(out);
    const both = (announcements: number, cot: number) => ({
      'group=announcements usd inflation': announcements,
      'group=cot usd': cot,
    });
    expect(read.macro_group_fresh?.samples).toEqual(both(0, 0));
    expect(read.macro_group_age_seconds?.samples).toEqual(both(7200, 7200));
    expect(read.macro_group_series?.samples).toEqual(both(1, 2));
    expect(read.macro_group_series_stored?.samples).toEqual(both(1, 2));
    expect(read.macro_group_gaps?.samples).toEqual(both(0, 0));
    const held = JSON.parse((await macro('mirror status --format json', at)).out).data;
    const rowsOf = (words: string) =>
      held
        .filter(({ series }: { series: string }) => series.startsWith(words))
        .reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
    expect(read.macro_group_rows?.samples).toEqual(both(rowsOf('announcements usd inflation'), rowsOf('cot usd')));
    expect(read.macro_last_run_success?.samples).toEqual({ '': 1 });
    expect(read.macro_last_run_end_timestamp_seconds?.samples).toEqual({ '': NOW_SECONDS });
    expect(read.macro_last_run_requests?.samples).toEqual({ '': asked });
    expect(Object.keys(read.macro_quota_left?.samples ?? {})).toContain('budget=minute');
    expect(at.seen.length).toBe(asked);
  });

  it('replaces a file as a whole, whatever its ending', async () => {
    const at = await synced();
    const { code, out } = await macro('metrics -o macro.prom', at);
    expect([code, out]).toEqual([0, '']);
    expect(at.platform.files.readText(`${at.folder}/macro.prom`)).toBe((await macro('metrics', at)).out);
  });

  it.skipIf(!hasParser)('is read by the parser of prometheus_client (skipped where Python has none)', async () => {
    const { out } = await macro('metrics', await synced());
    const { stdout } = spawnSync('python3', ['-c', PARSER], { input: out, encoding: 'utf8' });
    expect(Number(stdout)).toBe(Object.keys(readPrometheusText(out)).length);
  });

  it('escapes what a label may not hold', async () => {
    const labels = { group: 'a "b"\\c\nd' };
    const text = await prometheusText([{ name: 'x', help: 'one\ntwo', samples: [{ labels, value: 1.5e-7 }] }]);
    expect(text).toBe('# HELP x one\\ntwo\n# TYPE x gauge\nx{group="a \\"b\\"\\\\c\\nd"} 1.5e-7\n');
    expect(readPrometheusText(text).x?.samples).toEqual({ 'group=a "b"\\c\nd': 1.5e-7 });
  });
});
