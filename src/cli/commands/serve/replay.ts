// `serve --clock T` over real data: history comes out of the mirror again.

import { join } from 'node:path';
import type { SeriesRef, ServiceLabels } from '../../../contract/hooks.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { Clock } from '../../../platform/platform.ts';
import { createReplaySource, replayHistory } from '../../../serve/replay.ts';
import type { Columns } from '../../../source/columns.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import { sleepUntil } from '../../../sync/series/due.ts';
import type { App } from '../../app/app.ts';

/** A mirror whose history is replayed. */
export async function openReplay(
  app: App,
  { mirror, labels, clock, columns }: { mirror: Mirror; labels: ServiceLabels; clock: Clock; columns: Columns },
) {
  const { files } = app.platform;
  const startsAt = clock.now();
  await app.note(`replays what became public from ${isoSeconds(Math.floor(startsAt / 1000))} on`, 'replaying');
  const folder = files.makeTemporaryFolder('macro-replay-');
  const scratch = await app.openMirror({ path: join(folder, 'replay.db'), mode: 'write' });
  const { nature = 'real' } = await mirror.stamp();
  const events = await replayHistory({ reader: mirror, scratch, nature, startsAt });
  const { id } = await scratch.stamp();
  return {
    source: createReplaySource({
      history: createMirrorSource({ mirror, labels, columns }),
      events: createMirrorSource({ mirror: scratch, labels }),
      present: () => app.platform.clock.now(),
    }),
    /** The value that the server watches: it changes with each event. */
    watched: {
      find: (ref: SeriesRef) => mirror.find(ref),
      look: async () => `${await mirror.look()} ${await scratch.look()}`,
      journal: scratch.journal,
    },
    /** The store of events and subscriptions; real ones never hear of a replay. */
    scratch,
    /** Tells each event at its time, until the server is interrupted. */
    async run(): Promise<never> {
      for (;;) await sleepUntil(clock, await events.upTo(clock.now()), app.signal);
    },
    close(): void {
      scratch.close();
      files.remove(folder);
      files.remove(join(app.settings.folders.serve, id));
    },
  };
}
