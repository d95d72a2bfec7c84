// Whether a cron daemon runs: a table that no daemon reads begins nothing.
import type { ScheduleWorld } from './scheduler.ts';

/** Names of daemons that read a crontab. */
const DAEMONS = /^(cron|crond|fcron|dcron|cronie)$/;

/** Undefined where the processes of this machine cannot be listed. */
export async function isCronRunning({
  run,
  files,
}: Pick<ScheduleWorld, 'run' | 'files'>): Promise<boolean | undefined> {
  const found = await run('pgrep', ['-x', 'cron|crond|fcron|dcron|cronie']);
  if (found.code === 0) return true;
  if (found.code === 1) return false;
  if (!files.exists('/proc/self/comm')) return undefined;
  return files.list('/proc').some((name) => /^\d+$/.test(name) && DAEMONS.test(commandOf(files, name)));
}

/** The name of a process; empty for one that has ended meanwhile. */
function commandOf(files: ScheduleWorld['files'], id: string): string {
  try {
    return files.readText(`/proc/${id}/comm`).trim();
  } catch {
    return '';
  }
}
