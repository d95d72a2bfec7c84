import { beforeAll, describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

async function world(env: Record<string, string> = {}) {
  const upstream = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const own = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test', ...env };
  return testPlatform({ now: NOW, env: own, fetch: service.fetch });
}

describe('the log of runs', () => {
  it('has a line for the beginning, each series and the end', async () => {
    const at = await world();
    await macro('sync calendar usd --log runs.log --quiet', at);
    const rows = (await macro('mirror status --fields rows --no-header', at)).out.trim();
    expect(at.platform.files.readText(`${at.folder}/runs.log`)).toBe(
      [
        `${NOW} info run_started words="calendar usd" holder="process 4242 on desk-a"`,
        `${NOW} info series series="calendar usd" outcome=complete requests=1 added=${rows} revised=0`,
        `${NOW} info run_ended outcome=complete requests=1 added=${rows} revised=0 vanished=0 tried=1 skipped=0`,
        '',
      ].join('\n'),
    );
    expect(at.platform.files.mode(`${at.folder}/runs.log`)).toBe(0o600);
  });

  it('is JSON where that was asked for, and tells what failed without the key', async () => {
    const at = await world();
    const words = 'announcements usd nonsense, calendar usd';
    await macro(`sync ${words} --log runs.log --log-format json --quiet`, at);
    const text = at.platform.files.readText(`${at.folder}/runs.log`);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ level, event, series }) => [level, event, series])).toEqual([
      ['info', 'run_started', undefined],
      ['warning', 'series', 'announcements usd nonsense'],
      ['info', 'series', 'calendar usd'],
      ['info', 'series', 'announcements changes'],
      ['warning', 'run_ended', undefined],
      ['error', 'failed', undefined],
    ]);
    expect(lines[1].code).toBe('unknown_indicator');
    expect(text).not.toContain('k-test');
  });

  it('is whole on stderr, where its lines and the messages between them are JSON', async () => {
    const { err } = await macro('sync calendar usd --log - --log-format json', await world());
    const lines = err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.flatMap(({ event }) => event ?? [])).toEqual(['run_started', 'series', 'run_ended']);
    expect(lines.flatMap(({ code }) => code ?? [])).not.toContain('run_log');
  });

  it('is kept by itself for runs of a scheduler, errors before the run included', async () => {
    const at = await world({ MACRO_SCHEDULER: 'cron' });
    expect((await macro('sync --quiet', at)).code).toBe(2);
    expect(at.platform.files.readText(`${at.folder}/macro/state/sync.log`)).toMatch(
      /^2026-11-20T15:00:00Z error failed kind=usage problem="Nothing is named and nothing is tracked\." hint=".+"\n$/,
    );
  });

  it('is begun anew when it is large; five files before it are kept', async () => {
    const at = await world();
    const { files } = at.platform;
    const full = (mark: string) => mark.repeat(1_048_500);
    const path = `${at.folder}/runs.log`;
    files.write(path, full('a'));
    for (const i of [1, 2, 3, 4, 5]) files.write(`${path}.${i}`, String(i));
    await macro('sync calendar usd --log runs.log --quiet', at);
    expect(
      [1, 2, 3, 4, 5, 6].map((i) => files.exists(`${path}.${i}`) && files.readText(`${path}.${i}`).slice(0, 1)),
    ).toEqual(['a', '1', '2', '3', '4', false]);
    expect(files.readText(path).split('\n').length).toBe(4);
  });

  it('stops no sync when it cannot be written', async () => {
    const at = await world();
    at.platform.files.write(`${at.folder}/file`, '');
    const { code, err } = await macro('sync sentiment --log file/runs.log --quiet', at);
    expect([code, err]).toEqual([0, expect.stringMatching(/^warning: The log is not written: .+\n$/)]);
  });

  it('refuses a form that it does not have', async () => {
    expect((await macro('sync sentiment --log-format xml', await world())).err).toContain('pretty, json');
  });
});
