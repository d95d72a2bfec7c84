import { randomBytes } from 'node:crypto';
import type { Clock, Random } from './platform.ts';

/** Longest delay that a Node timer takes; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const nodeClock: Clock = {
  now: () => Date.now(),
  sleep: sleepFor,
  alarm: sleepFor,
  turn: turnCounter(),
  turnEnd: () => new Promise((resolve) => setImmediate(resolve)),
};

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= MAX_TIMER_MS) await sleepOnce(Math.min(left, MAX_TIMER_MS), signal);
  signal?.throwIfAborted();
}

/** A turn that was asked for ends when its sockets have been read: the loop runs what was set aside right after them. */
function turnCounter(): () => number {
  let turn = 0;
  let isRunning = false;
  return () => {
    if (isRunning) return turn;
    isRunning = true;
    turn += 1;
    setImmediate(() => {
      isRunning = false;
    });
    return turn;
  };
}

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

export const nodeRandom: Random = {
  number: () => Math.random(),
  bytes: (count) => new Uint8Array(randomBytes(count)),
};
