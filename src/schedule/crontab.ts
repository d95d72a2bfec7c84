import { everyOf, nextRun } from './every.ts';
import { accepted } from './refused.ts';
import { ENTRY, type Job, type Scheduler, type ScheduleWorld } from './scheduler.ts';

const BEGIN = `# ${ENTRY} begin`;
const END = `# ${ENTRY} end`;

/** Lines of the user's crontab (crontab(5)), between two marks. What a machine that was off missed is made up for at boot. */
export function crontab({ run, clock }: ScheduleWorld): Scheduler {
  const read = async () => {
    const listed = await run('crontab', ['-l']);
    // A user without a table is told so with exit 1; anything else must not be taken for an empty table and written over.
    if (listed.code === 1 && /no crontab/i.test(listed.stderr)) return '';
    return accepted(listed, 'crontab -l').stdout;
  };
  const write = async (text: string) =>
    text === ''
      ? accepted(await run('crontab', ['-r']), 'crontab -r')
      : accepted(await run('crontab', ['-'], { input: text }), 'crontab -');
  return {
    name: 'cron',
    async isThere() {
      const { code, stderr } = await run('crontab', ['-l']);
      return code === 0 || (code === 1 && /no crontab/i.test(stderr));
    },
    install: async (job) => void (await write(withEntry(await read(), job))),
    async find() {
      const every = everyOf(new RegExp(`^${BEGIN}: every (\\w+)$`, 'm').exec(await read())?.[1] ?? '');
      return every && { next: nextRun(every, clock.now()), last: undefined };
    },
    async remove() {
      const before = await read();
      const after = withoutEntry(before);
      if (after !== before) await write(after);
    },
  };
}

/** The table with our lines at its end, in place of earlier ones. */
export function withEntry(table: string, job: Job): string {
  const { every } = job;
  const line = lineOf(job);
  const others = withoutEntry(table);
  const before = others === '' || others.endsWith('\n') ? others : `${others}\n`;
  const times = `${every.minutes.join(',')} ${every.hours?.join(',') ?? '*'} * * *`;
  return `${before}${BEGIN}: every ${every.word}\n${times} ${line}\n@reboot ${line}\n${END}\n`;
}

/** The table without our lines; every other one stays as it was. */
export function withoutEntry(table: string): string {
  return table.replace(new RegExp(`^${BEGIN}.*\\n(?:.*\\n)*?${END}\\n?`, 'gm'), '');
}

/** What is printed of a run that went well would be mailed; what goes wrong is. A percent sign would end the command. */
function lineOf({ command, env }: Job): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const words = [...settings, ...command.map(shellWord)];
  return `${words.join(' ')} >/dev/null`.replaceAll('%', '\\%');
}

function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
