import { MacroError } from '../../errors.ts';
import type { Platform, Ran } from '../platform.ts';

/** One scheduler of an operating system, as far as our own entry in it goes. */
export interface Scheduler {
  readonly name: 'systemd' | 'launchd' | 'cron';
  /** A run may put in further moments: changing the entry does not end the run that it began. */
  readonly takesMoments: boolean;
  /** Whether this machine has it and it answers. */
  isThere(): Promise<boolean>;
  /** Whether anything runs that begins what it has; undefined where that cannot be seen. */
  isRunning(): Promise<boolean | undefined>;
  /** The error for an entry that nothing begins. */
  notRunning(): MacroError;
  /** The text of our entry, for people who install it themselves. */
  entryText(job: Job): string;
  /** Puts our entry in, in place of an earlier one. Touches no other. */
  install(job: Job): Promise<void>;
  /** Our entry as the scheduler itself tells it; undefined when it has none. */
  find(): Promise<Entry | undefined>;
  /** Takes our entry out and leaves nothing of it behind. */
  remove(): Promise<void>;
}

/** The command to run, and when. None of it is secret: schedulers show it to everybody who asks. */
export interface Job {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly every: Every;
  /** Further moments in milliseconds, earliest first. Each run puts in the next ones. */
  readonly at?: readonly number[];
}

/** Times in milliseconds; undefined for what the scheduler does not tell. */
export interface Entry {
  readonly next: number | undefined;
  readonly last: number | undefined;
}

export type ScheduleWorld = Pick<Platform, 'run' | 'files' | 'home' | 'env' | 'clock'>;

/** Name of our entry, wherever it is stored. */
export const ENTRY = 'macro-sync';

/** Moments of a day at which a run begins, in local time. */
export interface Every {
  readonly word: string;
  readonly minutes: readonly number[];
  /** Undefined for every hour. */
  readonly hours: readonly number[] | undefined;
}

/** Steps that divide an hour or a day: only these can every scheduler run evenly. */
export const EVERY_WORDS = ['5m', '10m', '15m', '30m', '1h', '2h', '3h', '4h', '6h', '8h', '12h', '1d'] as const;

/** Runs of whole hours begin here: at the full hour everybody asks. */
const MINUTE = 7;

/** The variable by which a run knows who began it. */
export const BEGUN_BY = 'MACRO_SCHEDULER';

const NAMES: readonly Scheduler['name'][] = ['systemd', 'launchd', 'cron'];

/** The moments of a step; undefined for an unknown word. */
export function everyOf(text: (typeof EVERY_WORDS)[number]): Every;
export function everyOf(text: string): Every | undefined;
export function everyOf(text: string): Every | undefined {
  const word = EVERY_WORDS.find((known) => known === text.trim().toLowerCase());
  if (!word) return undefined;
  const count = Number.parseInt(word, 10);
  if (word.endsWith('m')) return { word, minutes: steps(count, 60), hours: undefined };
  const hours = word === '1d' ? [6] : steps(count, 24);
  return { word, minutes: [MINUTE], hours: hours.length === 24 ? undefined : hours };
}

function steps(step: number, end: number): readonly number[] {
  return Array.from({ length: end / step }, (_, i) => i * step);
}

/** The grain of calendars that know no seconds. */
export const MINUTE_MS = 60_000;

/** When the next run begins, in milliseconds; by the clock on the wall, as schedulers go. */
export function nextRun({ minutes, hours }: Every, now: number): number {
  let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (;;) {
    at += MINUTE_MS;
    const wall = new Date(at);
    if (minutes.includes(wall.getMinutes()) && (hours?.includes(wall.getHours()) ?? true)) return at;
  }
}

/** The scheduler that began this program; undefined when a person or another program did. */
export function schedulerOf(env: Readonly<Record<string, string | undefined>>): Scheduler['name'] | undefined {
  return NAMES.find((name) => name === env[BEGUN_BY]);
}

/** Who runs a sync, as its mirror notes it: the process, its machine, and the scheduler that began it. */
export function holderName({ pid, host, env }: Pick<Platform, 'pid' | 'host' | 'env'>): string {
  const by = schedulerOf(env);
  return `process ${pid} on ${host}${by ? `, begun by ${by}` : ''}`;
}

/** True of a holder on this machine whose process is gone. If another machine has the same name, the token of its lease keeps it from writing. */
export function isDeadHere(holder: string, { host, isRunning }: Pick<Platform, 'host' | 'isRunning'>): boolean {
  const [, pid = '', on] = /^process (\d+) on (.*?)(?:, begun by .*)?$/.exec(holder) ?? [];
  return on === host && !isRunning(Number(pid));
}

/** Whether a scheduler began a run: a run begun by a person is no evidence that the schedule works. */
export function isBegunBy({ holder }: { readonly holder: string }, name: Scheduler['name']): boolean {
  return holder.endsWith(`, begun by ${name}`);
}

/** An entry that nothing begins. @param start what starts the scheduler, as a command */
export function notRunningError(name: string, start: string): MacroError {
  return new MacroError(
    'incomplete',
    `${name} has the entry, but does not run on this machine: nothing begins a sync.`,
    {
      code: 'scheduler_not_running',
      hint: `Start it: ${start}. Or do without it: macro sync --watch`,
    },
  );
}

/** The answer of a scheduler's program that must have succeeded. @throws MacroError of kind `upstream`. */
export function accepted(ran: Ran, line: string): Ran {
  if (ran.code === 0) return ran;
  const said = ran.stderr.trim() || ran.stdout.trim() || 'nothing';
  throw new MacroError('upstream', `${line} ended with ${ran.code} and said: ${said}`, {
    code: 'scheduler_refused',
    hint: 'Try another one: --with systemd, launchd or cron.',
  });
}
