import {
  accepted,
  ENTRY,
  type Entry,
  everyOf,
  type Job,
  MINUTE_MS,
  nextRun,
  notRunningError,
  type Scheduler,
  type ScheduleWorld,
} from './scheduler.ts';

// Whether a cron daemon runs: a table that no daemon reads begins nothing.
const BEGIN = `# ${ENTRY} begin`;
const END = `# ${ENTRY} end`;
const OURS = new RegExp(`^${BEGIN}.*\\n(?:.*\\n)*?${END}\\n?`, 'gm');

/** Names of daemons that read a crontab. */
const DAEMONS = /^(cron|crond|fcron|dcron|cronie)$/;

/** Lines of the user's crontab (crontab(5)), between two marks. A machine that was off catches up at boot. */
export function crontab({ run, files, clock }: ScheduleWorld): Scheduler {
  const read = async () => {
    const listed = await run('crontab', ['-l']);
    // Without a table, crontab exits with 1 and says so; after any other failure nothing may be written.
    if (listed.code === 1 && /no crontab/i.test(listed.stderr)) return '';
    return accepted(listed, 'crontab -l').stdout;
  };
  const write = async (text: string) =>
    text === ''
      ? accepted(await run('crontab', ['-r']), 'crontab -r')
      : accepted(await run('crontab', ['-'], { input: text }), 'crontab -');
  return {
    name: 'cron',
    takesMoments: true,
    async isThere() {
      const { code, stderr } = await run('crontab', ['-l']);
      return code === 0 || (code === 1 && /no crontab/i.test(stderr));
    },
    isRunning: () => isCronRunning({ run, files }),
    notRunning: () => notRunningError('cron', 'sudo service cron start'),
    entryText: (job) => withEntry('', job),
    install: async (job) => void (await write(withEntry(await read(), job))),
    find: async () => entryIn(await read(), clock.now()),
    async remove() {
      const before = await read();
      const after = withoutEntry(before);
      if (after !== before) await write(after);
    },
  };
}

/** Our entry in a table; undefined when it has none. */
export function entryIn(table: string, now: number): Entry | undefined {
  const [entry = ''] = table.match(OURS) ?? [];
  const every = everyOf(/: every (\w+)/.exec(entry)?.[1] ?? '');
  if (!every) return undefined;
  const moments = [...entry.matchAll(/^(\d+) (\d+) (\d+) (\d+) \* /gm)].map((numbers) => momentIn(numbers, now));
  return { next: Math.min(nextRun(every, now), ...moments), last: undefined };
}

/** When a line of one day is next: a table knows no years. */
function momentIn([, minute, hour, day, month]: RegExpExecArray | RegExpMatchArray, now: number): number {
  const inYear = (year: number) =>
    new Date(year, Number(month) - 1, Number(day), Number(hour), Number(minute)).getTime();
  const year = new Date(now).getFullYear();
  return inYear(year) > now ? inYear(year) : inYear(year + 1);
}

/** The table with our lines at its end, in place of earlier ones. */
export function withEntry(table: string, job: Job): string {
  const { every, at } = job;
  const line = lineOf(job);
  const others = withoutEntry(table);
  const before = others === '' || others.endsWith('\n') ? others : `${others}\n`;
  const times = `${every.minutes.join(',')} ${every.hours?.join(',') ?? '*'} * * *`;
  const head = `${BEGIN}: every ${every.word}${at ? ' and at releases' : ''}`;
  const lines = [times, ...momentsOf(at ?? []), '@reboot'].map((when) => `${when} ${line}`);
  return `${before}${[head, ...lines, END].join('\n')}\n`;
}

/** Moments as minutes of the clock on the wall, each the first full one after it. */
function momentsOf(at: readonly number[]): readonly string[] {
  const minutes = new Set(at.map((moment) => Math.ceil(moment / MINUTE_MS) * MINUTE_MS));
  return [...minutes].map((minute) => {
    const wall = new Date(minute);
    return `${wall.getMinutes()} ${wall.getHours()} ${wall.getDate()} ${wall.getMonth() + 1} *`;
  });
}

/** The table without our lines; every other one stays as it was. */
export function withoutEntry(table: string): string {
  return table.replace(OURS, '');
}

/** Output of a good run would be mailed, so it is dropped; errors are mailed. A percent sign would end the command. */
function lineOf({ command, env }: Job): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const words = [...settings, ...command.map(shellWord)];
  return `${words.join(' ')} >/dev/null`.replaceAll('%', '\\%');
}

function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Undefined where the processes of this machine cannot be listed. */
async function isCronRunning({ run, files }: Pick<ScheduleWorld, 'run' | 'files'>): Promise<boolean | undefined> {
  const found = await run('pgrep', ['-x', 'cron|crond|fcron|dcron|cronie']);
  if (found.code === 0) return true;
  if (found.code === 1) return false;
  if (!files.exists('/proc/self/comm')) return undefined;
  return files.list('/proc').some((name) => /^\d+$/.test(name) && DAEMONS.test(commandOf(files, name)));
}

/** The name of a process; empty if it has ended meanwhile. */
function commandOf(files: ScheduleWorld['files'], id: string): string {
  try {
    return files.readText(`/proc/${id}/comm`).trim();
  } catch {
    return '';
  }
}
