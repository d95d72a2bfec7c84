import { describe, expect, it } from 'vitest';
import { entryIn, withEntry, withoutEntry } from '../../../src/platform/schedule/crontab.ts';
import { everyOf, type Job } from '../../../src/platform/schedule/scheduler.ts';

function jobEvery(word: string): Job {
  const every = everyOf(word);
  if (!every) throw new Error(`${word} is no step`);
  return {
    command: ['/opt/node/bin/node', "/home/o'neil/macro 100%/macro.js", 'sync', '--quiet'],
    env: { MACRO_HOME: '/data/macro' },
    every,
  };
}

const OTHERS = 'MAILTO=me@example.com\n# mine\n5 4 * * * /usr/bin/backup\n';

describe('the crontab', () => {
  it('gets lines for the times and for the boot, quoted for the shell, a percent sign escaped', () => {
    const line =
      "MACRO_HOME=/data/macro /opt/node/bin/node '/home/o'\\''neil/macro 100\\%/macro.js' sync --quiet >/dev/null";
    expect(withEntry('', jobEvery('30m'))).toBe(
      `# macro-sync begin: every 30m\n0,30 * * * * ${line}\n@reboot ${line}\n# macro-sync end\n`,
    );
  });

  it.each(['', OTHERS, OTHERS.trimEnd()])(
    'keeps what others wrote, however often the entry is put in (%j)',
    (table) => {
      const twice = withEntry(withEntry(table, jobEvery('1h')), jobEvery('6h'));
      expect(twice.match(/begin/g)).toHaveLength(1);
      expect(twice).toContain('7 0,6,12,18 * * * ');
      expect(withoutEntry(twice).trimEnd()).toBe(table.trimEnd());
    },
  );

  it('has a line for the first full minute after each release, and knows which is next', () => {
    const local = (day: number, hour: number, minute: number, second = 0) =>
      new Date(2026, 11, day, hour, minute, second).getTime();
    const at = [local(4, 13, 30, 10), local(4, 13, 30, 50), local(31, 23, 59, 30)];
    const table = withEntry(OTHERS, { ...jobEvery('1d'), at });
    const times = table.split('\n').filter((line) => line.includes('MACRO_HOME'));
    expect(times.map((line) => line.replace(/ MACRO_HOME.*/, ''))).toEqual([
      '7 6 * * *',
      '31 13 4 12 *',
      '0 0 1 1 *',
      '@reboot',
    ]);
    expect(table).toContain('# macro-sync begin: every 1d and at releases\n');
    const next = (now: number) => new Date(entryIn(table, now)?.next ?? 0);
    expect(next(local(4, 12, 0))).toEqual(new Date(local(4, 13, 31)));
    expect(next(local(4, 13, 31))).toEqual(new Date(local(5, 6, 7)));
    expect(next(local(31, 12, 0))).toEqual(new Date(2027, 0, 1));
    expect(entryIn(OTHERS, local(4, 12, 0))).toBeUndefined();
  });

  it('leaves a table without the entry as it is, a broken mark included', () => {
    expect(withoutEntry(`${OTHERS}# macro-sync begin: every 1h\n`)).toBe(`${OTHERS}# macro-sync begin: every 1h\n`);
  });
});
