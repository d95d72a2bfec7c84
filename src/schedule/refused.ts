import { MacroError } from '../errors.ts';
import type { Ran } from '../platform/platform.ts';

/** What a scheduler's program answered, where it must have gone well. */
export function accepted(ran: Ran, line: string): Ran {
  if (ran.code === 0) return ran;
  const said = ran.stderr.trim() || ran.stdout.trim() || 'nothing';
  throw new MacroError('upstream', `${line} ended with ${ran.code} and said: ${said}`, {
    code: 'scheduler_refused',
    hint: 'Try another one: --with systemd, launchd or cron.',
  });
}
