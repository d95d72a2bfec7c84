import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ran, Run } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const ok = (stdout = ''): Ran => ({ code: 0, stdout, stderr: '' });
const failed = (code: number, stderr: string): Ran => ({ code, stdout: '', stderr });
const NEXT = 1_795_244_400_000_000;

/** A machine with a systemd that answers as the real one is documented to, and perhaps a crontab. */
function machine(has: { systemd?: boolean; listed?: string; crontab?: string; broken?: boolean; launchd?: boolean }) {
  const calls: string[] = [];
  let table = has.crontab;
  const run: Run = async (program, args, { input = '' } = {}) => {
    const line = [program, ...args].join(' ');
    calls.push(line);
    if (program === 'systemctl') {
      if (!has.systemd) return failed(1, 'Failed to connect to bus: No medium found');
      return ok(args.includes('list-timers') ? (has.listed ?? `[{"next":${NEXT},"last":0}]`) : '');
    }
    if (program === 'crontab' && has.broken) return failed(1, 'crontab: you are not allowed to use this program');
    if (program === 'crontab' && args[0] === '-') table = input;
    if (program === 'crontab' && args[0] === '-r') table = undefined;
    if (program === 'crontab' && args[0] === '-l')
      return table === undefined ? failed(1, 'no crontab for me') : ok(table);
    if (program === 'launchctl' && !has.launchd) return failed(127, 'not found');
    return program === 'id' ? ok('501\n') : ok();
  };
  return { run, calls, table: () => table };
}

async function world(
  has: Parameters<typeof machine>[0],
  env: Record<string, string> = {},
  os: 'linux' | 'macos' = 'linux',
) {
  const scheduler = machine(has);
  const at = testPlatform({ run: scheduler.run, os, env: { MACRO_BASE_URL: 'https://svc.example', ...env } });
  await macro('track add cot usd --quiet', at);
  return { at, ...scheduler, say: (line: string) => macro(line, at) };
}

describe('macro schedule', () => {
  it('takes systemd first, proves the next run from its list, and leaves nothing behind', async () => {
    const { at, say, calls } = await world({ systemd: true }, { MACRO_API_KEY: 'canary-key-7f3a' });
    const { code, out, err } = await say('schedule install --every 30m --format json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { data: [{ scheduler: 'systemd', next: '2026-11-21T07:00:00Z', last: null }] },
    ]);
    expect(err).toContain('The key of this terminal is not handed to the scheduler');
    const folder = join(at.platform.home, '.config', 'systemd', 'user');
    const unit = at.platform.files.readText(join(folder, 'macro-sync.service'));
    expect(unit).toContain('ExecStart="/opt/node/bin/node" "/opt/macro/bin/macro.js" "sync" "--quiet"');
    expect(unit).toContain(`Environment="MACRO_HOME=${join(at.folder, 'macro')}"`);
    expect(unit).not.toContain('canary');
    expect(calls).toContain('systemctl --user enable macro-sync.timer');
    expect((await say('schedule remove')).err).toBe('note: The sync is taken out of systemd.\n');
    expect(at.platform.files.list(folder)).toEqual([]);
    expect((await say('schedule status --format json')).out).toBe('{"data":[]}\n');
  });

  it('prints the lines of a crontab in a dry run, also where no scheduler answers', async () => {
    const { at, say, calls } = await world({ broken: true });
    const home = `MACRO_HOME=${join(at.folder, 'macro')} MACRO_BASE_URL=https://svc.example MACRO_SCHEDULER=cron`;
    const run = `${home} /opt/node/bin/node /opt/macro/bin/macro.js sync --quiet >/dev/null`;
    const { code, out } = await say('schedule install --every 6h --with cron --dry-run');
    expect([code, out.split('\n')]).toEqual([
      0,
      ['# macro-sync begin: every 6h', `7 0,6,12,18 * * * ${run}`, `@reboot ${run}`, '# macro-sync end', ''],
    ]);
    expect(calls).toEqual(['crontab -l']);
  });

  it('hands the way to a mirror on a server on, but no password', async () => {
    const env = {
      MACRO_MIRROR: 'postgres:///markets',
      PGHOST: 'db.example',
      PGPASSFILE: '/keys/pass',
      PGPASSWORD: 'canary-7f3a',
    };
    const { say, table } = await world({ crontab: '' }, env);
    await say('schedule install --every 1h --with cron');
    for (const told of ['MACRO_MIRROR=postgres:///markets', 'PGHOST=db.example', 'PGPASSFILE=/keys/pass'])
      expect(table()).toContain(told);
    expect(table()).not.toContain('canary');
  });

  it('says so when the scheduler tells no next run', async () => {
    const { say } = await world({ systemd: true, listed: '[]' });
    const { code, err } = await say('schedule install');
    expect([code, err]).toEqual([10, expect.stringContaining('systemd took the entry but tells no next run.')]);
    expect((await say('schedule status')).err).toBe(
      'warning: systemd has an entry but tells no next run. Put it in again with: macro schedule install\n',
    );
  });

  it.each([
    ['cron', 'pgrep', 'sudo service cron start'],
    ['systemd', 'systemctl', 'systemctl --user start default.target'],
  ] as const)('shows no next run where %s does not run', async (name, program, start) => {
    const scheduler = machine({ systemd: name === 'systemd', crontab: '' });
    let isOff = false;
    const run: Run = async (typed, ...rest) =>
      isOff && typed === program ? failed(1, '') : scheduler.run(typed, ...rest);
    const at = testPlatform({ run, env: { MACRO_BASE_URL: 'https://svc.example' } });
    await macro('track add cot usd --quiet', at);
    expect((await macro(`schedule install --with ${name} --quiet`, at)).code).toBe(0);
    isOff = true;
    expect(await macro('schedule status --format csv', at)).toEqual({
      code: 0,
      out: `scheduler,next,last\n${name},,\n`,
      err: `warning: ${name} has the entry, but does not run on this machine: nothing begins a sync. Start it: ${start}. Or do without it: macro sync --watch\n`,
    });
    expect(JSON.parse((await macro('status --format json', at)).out).scheduled).toEqual([
      { scheduler: name, next: null },
    ]);
  });

  it('takes the crontab where there is no systemd of the user, and touches no line of others', async () => {
    const mine = '5 4 * * * /usr/bin/backup\n';
    const { say, table } = await world({ crontab: mine });
    expect((await say('schedule install')).code).toBe(0);
    expect(table()?.startsWith(`${mine}# macro-sync begin: every 1h\n7 * * * * MACRO_HOME=`)).toBe(true);
    expect((await say('schedule status --format ndjson')).out).toMatch(/^\{"scheduler":"cron","next":"[^"]+:07:00Z"/);
    const told = JSON.parse((await say('status --format json')).out).scheduled;
    expect(told).toEqual([{ scheduler: 'cron', next: expect.stringMatching(/:07:00Z$/) }]);
    await say('schedule remove');
    expect(table()).toBe(mine);
  });

  it('takes a crontab of its own away with its last line', async () => {
    const { say, table } = await world({});
    await say('schedule install --with cron');
    await say('schedule remove');
    expect(table()).toBeUndefined();
  });

  it('never writes over a crontab that it could not read', async () => {
    const { say, calls } = await world({ broken: true });
    const { code } = await say('schedule install --with cron');
    expect([code, calls.some((line) => line.startsWith('crontab -') && line !== 'crontab -l')]).toEqual([3, false]);
  });

  it('loads a launch agent on a Mac and takes it out again', async () => {
    const { at, say, calls } = await world({ launchd: true }, {}, 'macos');
    expect((await say('schedule install --every 1d')).code).toBe(0);
    const path = join(at.platform.home, 'Library', 'LaunchAgents', 'macro-data.macro-sync.plist');
    expect(calls).toContain(`launchctl bootstrap gui/501 ${path}`);
    await say('schedule remove');
    expect([at.platform.files.exists(path), calls.includes('launchctl bootout gui/501/macro-data.macro-sync')]).toEqual(
      [false, true],
    );
  });

  it.each([
    ['schedule install --every 7m', "'7m' is no legal value for --every."],
    ['schedule install --with launchd', "'launchd' is no legal value for --with."],
  ])('%s is exit 2, and nothing is put in', async (line, message) => {
    const { say, calls } = await world({ systemd: true });
    const { code, err } = await say(line);
    expect([code, calls]).toEqual([2, []]);
    expect(err).toContain(message);
  });

  it('refuses to schedule a sync that has nothing to do', async () => {
    const at = testPlatform({ env: { MACRO_BASE_URL: 'https://svc.example' } });
    expect((await macro('schedule install', at)).code).toBe(2);
  });
});

describe('macro schedule install --at releases', () => {
  const NOW = '2026-11-20T15:00:00Z';

  /** A machine with a crontab, a program that answers as the sandbox does, and a mirror that holds its calendar. */
  async function releases(os: 'linux' | 'macos' = 'linux') {
    const upstream = testPlatform({ now: NOW });
    const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
    const scheduler = machine({ crontab: '', launchd: true });
    const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
    const at = testPlatform({ now: NOW, run: scheduler.run, os, env, fetch: service.fetch });
    await macro('track add calendar usd, announcements usd inflation --quiet', at);
    await macro('sync --quiet', at);
    const { out } = await macro('next usd inflation --format json --limit 2', at);
    const coming: { announcement_datetime: string }[] = JSON.parse(out).data;
    const times = coming.map(({ announcement_datetime: time }) => Date.parse(time));
    return { ...scheduler, at, times, seen: service.seen, say: (line: string) => macro(line, at) };
  }

  /** The times of cron for the first full minute after a release was processed, by the clock on the wall. */
  function minuteAfter(release = Number.NaN): string {
    const wall = new Date((Math.floor(release / 60_000) + 1) * 60_000);
    return `\n${wall.getMinutes()} ${wall.getHours()} ${wall.getDate()} ${wall.getMonth() + 1} * `;
  }

  it('tells when cron began a run last: one that a person began proves nothing of the schedule', async () => {
    const { at, say } = await releases();
    const lasts = async () => {
      const { out } = await say('schedule status --format json');
      return JSON.parse(out).data.map(({ last }: { last: unknown }) => last);
    };
    await say('schedule install --every 1h --with cron --quiet');
    expect(await lasts()).toEqual([null]);
    const byCron = { ...at.platform, env: { ...at.platform.env, MACRO_SCHEDULER: 'cron' } };
    await macro('sync --quiet', { ...at, platform: byCron });
    at.clock.jump(60_000);
    await say('sync --quiet');
    expect(await lasts()).toEqual([NOW]);
  });

  it('runs after the releases that the calendar has, and every run puts in the next ones', async () => {
    const { at, say, table, times, seen } = await releases();
    const [first = Number.NaN, second] = times;
    const { err } = await say('schedule install --at releases --every 1d --with cron');
    expect(err).toMatch(
      /^note: cron runs macro sync every 1d and after the next \d+ releases, which each run puts in anew/,
    );
    expect([table()?.includes(minuteAfter(first)), table()?.includes(minuteAfter(second))]).toEqual([true, true]);
    expect(table()).toContain('/opt/macro/bin/macro.js schedule run --every 1d --with cron --quiet >');
    at.clock.jump(first + 60_000 - at.clock.now());
    seen.length = 0;
    const { out } = await say('schedule run --every 1d --with cron --quiet');
    expect([out.startsWith('sync complete'), seen.length > 0]).toEqual([true, true]);
    expect([table()?.includes(minuteAfter(first)), table()?.includes(minuteAfter(second))]).toEqual([false, true]);
  });

  it.each([
    [
      'calendar eur, fx eur usd',
      'Releases are those of announcements, and none are tracked: macro track add announcements eur inflation',
    ],
    [
      'announcements usd inflation, announcements eur inflation, calendar eur',
      'No stored calendar has the next releases of the tracked series: macro track add calendar usd',
    ],
    [
      'announcements eur inflation, calendar eur',
      'The mirror has no coming release of a tracked series; later runs schedule them. To bring them now: macro sync',
    ],
  ])('says what is missing where no release is known: %s', async (tracked, note) => {
    const scheduler = machine({ crontab: '' });
    const at = testPlatform({ now: NOW, run: scheduler.run, os: 'linux', env: { MACRO_BASE_URL: SERVICE_URL } });
    await macro(`track add ${tracked} --quiet`, at);
    const { err } = await macro('schedule install --at releases --every 1d --with cron', at);
    expect(err.split('\n')).toContain(`note: ${note}`);
  });

  it('runs after the usual times of publishers, without any service', async () => {
    const scheduler = machine({ crontab: '' });
    const at = testPlatform({ now: '2026-11-20T15:00:00Z', run: scheduler.run, os: 'linux' });
    await macro('track add ecb, "bls-prices" --quiet', at);
    const { code, err } = await macro('schedule install --at releases --every 1d --with cron', at);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^note: cron runs macro sync every 1d and after the next 50 /),
    ]);
    // Friday 16:00 in Frankfurt is over; the next ones are of Monday. The prices come on the 9th of December at the earliest.
    const table = scheduler.table() ?? '';
    const lines = ['5 15 23 11 *', '5 15 24 11 *', '35 13 9 12 *'];
    expect(lines.map((line) => table.includes(line))).toEqual([true, true, true]);
    expect(table).not.toContain('5 15 21 11 *');
  });

  it('puts nothing in again that was taken out', async () => {
    const { say, table } = await releases();
    expect((await say('schedule run --with cron --quiet')).code).toBe(0);
    expect(table()).toBe('');
  });

  it('refuses launchd, which would end the run that renews the moments, and names what can be done', async () => {
    const { say, calls } = await releases('macos');
    const { code, err } = await say('schedule install --at releases --with launchd');
    expect([code, err]).toEqual([
      2,
      'macro: launchd cannot be given the moments of releases: changing its entry ends the run.\nGive --every alone, --with cron, or let macro sync --watch run.\n',
    ]);
    expect(calls.some((line) => line.startsWith('launchctl bootstrap'))).toBe(false);
    expect((await say('schedule install --at releases --format csv --no-header')).out).toMatch(/^cron,/);
    expect((await say('schedule install --at noon')).err).toContain(
      "'noon' is no legal value for --at.\nLegal values are releases.",
    );
  });
});
