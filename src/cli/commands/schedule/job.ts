import { isServerAddress } from '../../../mirror/rules/engine.ts';
import { BEGUN_BY, type Every, type Job, type Scheduler } from '../../../platform/schedule/scheduler.ts';
import type { App } from '../../app/app.ts';

/** When a sync is to run: at every step, and at further moments (milliseconds), which each run then puts in anew. */
export interface ScheduleTimes {
  readonly every: Every;
  readonly at: readonly number[] | undefined;
}

/** What a scheduler is to run. Where moments are put in anew, the command has all that this takes. */
export function jobOf(app: App, { name }: Scheduler, { every, at }: ScheduleTimes): Job {
  const { program } = app.platform;
  const env = { ...environmentOf(app), [BEGUN_BY]: name };
  if (!at) return { command: [...program, 'sync', '--quiet'], env, every };
  return { command: [...program, 'schedule', 'run', '--every', every.word, '--with', name, '--quiet'], env, every, at };
}

/** Variables that say where things are kept and what is asked. None of them is a secret. */
const PLACES = ['MACRO_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME'] as const;

/** What libpq's variables say of the way to a server; never the password. The second ones are paths. */
const SERVER = ['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGSSLMODE'] as const;
const SERVER_FILES = ['PGPASSFILE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'] as const;

/** The settings that a run without this terminal has to be told, fixed as they are now. */
export function environmentOf({ platform, settings }: App): Readonly<Record<string, string>> {
  const { env, cwd } = platform;
  const { profile, baseUrl, mirror } = settings;
  const isServer = isServerAddress(mirror.value);
  const files = [...PLACES, ...(isServer ? SERVER_FILES : [])];
  const places = files.flatMap((name) => (env[name] ? [[name, absolute(env[name], cwd)]] : []));
  const words = (isServer ? SERVER : []).flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return {
    ...Object.fromEntries([...places, ...words]),
    ...(profile.value !== undefined && { MACRO_PROFILE: profile.value }),
    ...(isTyped(baseUrl.from) && { MACRO_BASE_URL: baseUrl.value ?? '' }),
    ...(isTyped(mirror.from) && { MACRO_MIRROR: mirror.value }),
  };
}

const absolute = (path: string, cwd: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`);

/** Said by an option or a variable of this terminal, not by a file that later runs read by themselves. */
const isTyped = (from: string): boolean => from.startsWith('--') || from.startsWith('MACRO_');
