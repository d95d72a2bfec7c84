import { join } from 'node:path';
import {
  accepted,
  ENTRY,
  type Entry,
  type Job,
  notRunningError,
  type Scheduler,
  type ScheduleWorld,
} from './scheduler.ts';

const TIMER = `${ENTRY}.timer`;

/** A timer of the user's own systemd (systemd.timer(5)); Persistent= catches up on what a machine that was off missed. */
export function systemd({ run, files, home, env }: ScheduleWorld): Scheduler {
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
  const folder = join(config, 'systemd', 'user');
  const paths = { service: join(folder, `${ENTRY}.service`), timer: join(folder, TIMER) };
  const ask = (...words: string[]) => run('systemctl', ['--user', ...words]);
  const tell = async (...words: string[]) => accepted(await ask(...words), `systemctl --user ${words.join(' ')}`);
  return {
    name: 'systemd',
    takesMoments: true,
    isThere: async () => (await ask('show-environment')).code === 0,
    isRunning: async () => (await ask('show-environment')).code === 0,
    notRunning: () => notRunningError('systemd', 'systemctl --user start default.target'),
    entryText: (job) => `${serviceUnit(job)}\n${timerUnit(job)}`,
    async install(job) {
      files.makeFolder(folder);
      files.write(paths.service, serviceUnit(job), 0o644);
      files.write(paths.timer, timerUnit(job), 0o644);
      await tell('daemon-reload');
      await tell('enable', TIMER);
      // An earlier timer goes on with its old times until it is started anew.
      await tell('restart', TIMER);
    },
    async find() {
      if (!files.exists(paths.timer)) return undefined;
      const listed = await ask('list-timers', TIMER, '--all', '--output=json');
      return listed.code === 0 ? timerIn(listed.stdout) : { next: undefined, last: undefined };
    },
    async remove() {
      await ask('disable', '--now', TIMER);
      for (const path of [paths.timer, paths.service]) if (files.exists(path)) files.remove(path);
      await ask('daemon-reload');
    },
  };
}

/** The unit that a run is. Another sync that is under way (exit 75) is no failure. */
export function serviceUnit({ command, env }: Job): string {
  const settings = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  return [
    '[Unit]',
    'Description=macro sync: keeps the local mirror up to date',
    '',
    '[Service]',
    'Type=oneshot',
    `ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    ...settings,
    'SuccessExitStatus=75',
    '',
  ].join('\n');
}

/** Moments are in UTC beside the step; by default a timer may be a minute late. */
export function timerUnit({ every, at }: Job): string {
  const moments = at?.map(
    (moment) => `OnCalendar=${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  );
  const pad = (numbers: readonly number[]) => numbers.map((number) => String(number).padStart(2, '0')).join(',');
  return [
    '[Unit]',
    `Description=macro sync every ${every.word}${at ? ' and at releases' : ''}`,
    '',
    '[Timer]',
    `OnCalendar=*-*-* ${every.hours ? pad(every.hours) : '*'}:${pad(every.minutes)}:00`,
    ...(moments ? [...moments, 'AccuracySec=1s'] : []),
    'Persistent=true',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n');
}

/** systemd.syntax(7): quotes around a word, a percent sign is doubled. */
function quoted(word: string): string {
  return `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}

/** Reads `systemctl list-timers --output=json`: times are microseconds, 0 or null for none. */
export function timerIn(text: string): Entry {
  const listed: unknown = parsed(text);
  const timer: unknown = Array.isArray(listed) ? listed[0] : undefined;
  const momentOf = (name: string) => {
    const value: unknown = isRecord(timer) ? timer[name] : undefined;
    return typeof value === 'number' && value > 0 ? Math.floor(value / 1000) : undefined;
  };
  return { next: momentOf('next'), last: momentOf('last') };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
