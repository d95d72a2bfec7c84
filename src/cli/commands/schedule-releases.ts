import { ENDPOINTS } from '../../endpoints/index.ts';
import { releaseMoments } from '../../sync/due.ts';
import { expandWords } from '../../sync/expand.ts';
import type { App } from '../app.ts';
import { silentClient } from './sync.ts';

/** A crontab knows no years, so nothing of the next one; in milliseconds. */
const AHEAD = 180 * 86_400_000;

/** What lies behind them the runs before put in; longer entries are not read by anybody. */
const MOST = 50;

/** The moments after the next releases of what is tracked, as far as the mirror holds their calendar. */
export async function momentsAhead(app: App): Promise<readonly number[]> {
  const mirror = (await app.held())?.mirror;
  if (!mirror) return [];
  const now = app.platform.clock.now();
  const words = [app.settings.tracks.value.join(', ')];
  const { targets } = await expandWords(words, { endpoints: ENDPOINTS, mirror, now });
  const asker = await silentClient(app);
  return (await releaseMoments({ reader: mirror, asker, targets, now }, now + AHEAD)).slice(0, MOST);
}
