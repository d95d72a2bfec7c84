// `macro doctor`: looks at everything that a question, a sync and a schedule need.
import type { App } from '../../app/app.ts';
import { listOwn } from '../../output/own-listing.ts';
import { isOn } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { readStatus } from '../status/read-status.ts';
import { type Diagnosis, lookSafely } from './look.ts';
import { completionLooks, diskLooks, folderLooks, programLook } from './look-at-machine.ts';
import { mirrorLooks, trackLooks } from './look-at-mirror.ts';
import { scheduleLooks } from './look-at-schedule.ts';
import { keyLooks, serviceLooks, settingLooks } from './look-at-service.ts';

const COLUMNS = ['check', 'state', 'says', 'do'] as const;

/**
 * Looks in the order in which things are needed, and prints one line for each. One request is made, to the service's
 * probe: it shows address, proxy, clock and whether the key is accepted.
 *
 * @throws MacroError the first problem found, after the lines are printed
 */
export async function diagnose(app: App, call: Call): Promise<void> {
  const asks = !isOn(call.options, 'offline');
  const looks: Diagnosis[] = [
    programLook(app),
    ...(await lookSafely('folders', () => folderLooks(app))),
    ...(await lookSafely('disk', () => diskLooks(app))),
    ...settingLooks(app),
    ...(await lookSafely('key', () => keyLooks(app))),
    ...(await lookSafely('mirror', () => mirrorLooks(app))),
  ];
  // Without a key that can be read nothing of the service can be told, not even whose rows are held.
  const canAsk = looks.every(({ check, state }) => check !== 'key' || state !== 'problem');
  if (canAsk && asks) looks.push(...(await lookSafely('answer', () => serviceLooks(app))));
  if (canAsk) looks.push(...(await lookSafely('tracked', async () => trackLooks(app, await readStatus(app)))));
  looks.push(
    ...(await lookSafely('schedule', () => scheduleLooks(app))),
    ...(await lookSafely('completions', () => completionLooks(app))),
  );
  const rows = looks.map(({ error: _, ...look }) => ({ ...look, do: look.do ?? null }));
  await app.print(listOwn({ columns: COLUMNS, rows, title: ['doctor'] }));
  const broken = looks.find(({ error }) => error);
  if (broken?.error) throw broken.error;
}
