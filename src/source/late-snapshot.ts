import type { Mirror, MirrorState, SnapshotReader } from '../mirror/api/mirror.ts';

/** Thrown if the mirror has changed since a question began: the cached data belongs to another state. */
export class StateMoved extends Error {}

/** A snapshot that is opened by the first read that needs it. */
export interface LateSnapshot {
  reader(): Promise<SnapshotReader>;
  /** Ends it; a read that comes later is refused. */
  end(): Promise<void>;
}

/** A snapshot in one known state, begun by the first read: only then is the state looked at again. */
export function openLate(mirror: Pick<Mirror, 'snapshot' | 'state'>, state: MirrorState | undefined): LateSnapshot {
  let opened: Promise<SnapshotReader> | undefined;
  let over: Promise<void> = Promise.resolve();
  let isOver = false;
  let release = () => {};

  function open(): Promise<SnapshotReader> {
    if (isOver) return Promise.reject(new StateMoved());
    return new Promise((resolve, reject) => {
      over = mirror
        .snapshot(async (reader) => {
          if (state !== undefined && mirror.state?.() !== state) throw new StateMoved();
          resolve(reader);
          await new Promise<void>((done) => {
            release = done;
            if (isOver) done();
          });
        })
        .catch(reject);
    });
  }

  return {
    reader() {
      opened ??= open();
      return opened;
    },
    async end() {
      isOver = true;
      release();
      await over;
    },
  };
}
