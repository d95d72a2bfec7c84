import type { Scheduler } from './scheduler.ts';

/** The variable by which a run knows who began it. */
export const BEGUN_BY = 'MACRO_SCHEDULER';

const NAMES: readonly Scheduler['name'][] = ['systemd', 'launchd', 'cron'];

/** Who runs a sync, as its mirror notes it: the process, and the scheduler that began it. */
export function holderName(pid: number, env: Readonly<Record<string, string | undefined>>): string {
  const by = NAMES.find((name) => name === env[BEGUN_BY]);
  return by ? `process ${pid}, begun by ${by}` : `process ${pid}`;
}

/** Whether a scheduler began a run: one that a person began says nothing of whether the schedule works. */
export function isBegunBy({ holder }: { readonly holder: string }, name: Scheduler['name']): boolean {
  return holder.endsWith(`, begun by ${name}`);
}
