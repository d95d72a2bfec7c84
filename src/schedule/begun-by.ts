import type { Scheduler } from './scheduler.ts';

/** The variable by which a run knows who began it. */
export const BEGUN_BY = 'MACRO_SCHEDULER';

const NAMES: readonly Scheduler['name'][] = ['systemd', 'launchd', 'cron'];

/** The scheduler that began this program; undefined when a person or another program did. */
export function schedulerOf(env: Readonly<Record<string, string | undefined>>): Scheduler['name'] | undefined {
  return NAMES.find((name) => name === env[BEGUN_BY]);
}

/** Who runs a sync, as its mirror notes it: the process, and the scheduler that began it. */
export function holderName(pid: number, env: Readonly<Record<string, string | undefined>>): string {
  const by = schedulerOf(env);
  return by ? `process ${pid}, begun by ${by}` : `process ${pid}`;
}

/** Whether a scheduler began a run: one that a person began says nothing of whether the schedule works. */
export function isBegunBy({ holder }: { readonly holder: string }, name: Scheduler['name']): boolean {
  return holder.endsWith(`, begun by ${name}`);
}
