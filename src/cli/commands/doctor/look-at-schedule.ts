// The schedule: whether a sync runs by itself, and whether the scheduler that has it runs at all.
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { instantText } from '../../messages/instant.ts';
import { environmentOf } from '../schedule/job.ts';
import { isTerminalKeyOnly, requireReadableKey } from '../schedule/run-key.ts';
import { scheduleEntries } from '../schedule/schedule.ts';
import { type Diagnosis, fine, noteOf, problemOf } from './look.ts';

export async function scheduleLooks(app: App): Promise<readonly Diagnosis[]> {
  const found = await scheduleEntries(app);
  if (found.length === 0) {
    const isTracked = app.settings.tracks.value.length > 0;
    return [
      noteOf(
        'schedule',
        'no sync runs by itself',
        isTracked ? 'macro schedule install' : 'macro track add calendar usd',
      ),
    ];
  }
  const looks: Diagnosis[] = [];
  for (const { scheduler, entry } of found) {
    if ((await scheduler.isRunning()) === false) looks.push(problemOf('schedule', scheduler.notRunning()));
    else if (entry.next === undefined) looks.push(problemOf('schedule', noNextRun(scheduler.name)));
    else looks.push(fine('schedule', `${scheduler.name} runs it, next at ${instantText(entry.next)}`));
  }
  return [...looks, ...(await keyLooksOfRuns(app))];
}

function noNextRun(name: string): MacroError {
  return new MacroError('incomplete', `${name} has an entry but tells no next run.`, {
    code: 'no_next_run',
    hint: 'macro schedule install',
  });
}

/** A run that nobody begins at a terminal has no variables of one, and no desktop session. */
async function keyLooksOfRuns(app: App): Promise<readonly Diagnosis[]> {
  if (isTerminalKeyOnly(app))
    return [
      noteOf('schedule', 'scheduled runs have no key: it is in a variable of this terminal only', 'macro auth login'),
    ];
  try {
    await requireReadableKey(app, { env: environmentOf(app) });
    return [];
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    return [problemOf('schedule', error, 'macro auth move file')];
  }
}
