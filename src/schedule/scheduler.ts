import type { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Every } from './every.ts';

/** One scheduler of an operating system, as far as our own entry in it goes. */
export interface Scheduler {
  readonly name: 'systemd' | 'launchd' | 'cron';
  /** A run may put in further moments: changing the entry does not end the run that it began. */
  readonly takesMoments: boolean;
  /** Whether this machine has it and it answers. */
  isThere(): Promise<boolean>;
  /** Whether anything runs that begins what it has; undefined where that cannot be seen. */
  isRunning(): Promise<boolean | undefined>;
  /** What to say of an entry that nothing begins. */
  notRunning(): MacroError;
  /** Puts our entry in, in place of an earlier one. Touches no other. */
  install(job: Job): Promise<void>;
  /** Our entry as the scheduler itself tells it; undefined when it has none. */
  find(): Promise<Entry | undefined>;
  /** Takes our entry out and leaves nothing of it behind. */
  remove(): Promise<void>;
}

/** What is to be run, and when. Nothing of it is secret: schedulers show it to everybody who asks. */
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

/** What schedulers take from the outside world. */
export type ScheduleWorld = Pick<Platform, 'run' | 'files' | 'home' | 'env' | 'clock'>;

/** Name of our entry, wherever it is kept. */
export const ENTRY = 'macro-sync';
