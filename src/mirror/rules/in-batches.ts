import type { Clock } from '../../platform/platform.ts';

/** The max batch: nobody else can write meanwhile. */
const MAX_BATCH = 256;

export interface Batching<Item, Result> {
  readonly clock: Pick<Clock, 'turnEnd'>;
  /** Does some together; tells what came of each, in their order. */
  readonly work: (batch: readonly Item[]) => Promise<readonly Result[]>;
  /** True when one of them may be at fault: then each is done alone, so that it does not keep out the others. */
  readonly isOfOne?: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches work of one turn, and of the time while a batch runs: a transaction costs more than an item in it. */
export function inBatches<Item, Result>(batching: Batching<Item, Result>): (item: Item) => Promise<Result | undefined> {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  /** Waits for more as long as every turn brings some. */
  async function gather(): Promise<void> {
    for (let before = 0; before < waiting.length && before < MAX_BATCH; ) {
      before = waiting.length;
      await batching.clock.turnEnd();
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      while (waiting.length > 0) {
        await gather();
        const batch = waiting.slice(0, MAX_BATCH);
        waiting = waiting.slice(MAX_BATCH);
        await finish(batch, batching);
      }
    } finally {
      // Whatever ended it, what comes later must not wait for ever.
      isRunning = false;
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      run().catch(reject);
    });
}

async function finish<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  batching: Batching<Item, Result>,
): Promise<void> {
  try {
    const results = await batching.work(batch.map(({ item }) => item));
    for (const [i, { resolve }] of batch.entries()) resolve(results[i]);
  } catch (error) {
    if (batch.length > 1 && batching.isOfOne?.(error)) for (const one of batch) await finish([one], batching);
    else for (const { reject } of batch) reject(error);
  }
}

/** Runs at most `max` works at once; further ones wait for their turn. */
export function createTurns(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
