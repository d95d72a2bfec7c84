import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

/** Milliseconds for a group that is told to end because we end. */
const GRACE = 1_000;

const TOLD = ['SIGINT', 'SIGTERM'] as const;

/** Tells a program to end, or its whole group. */
export function endProgram(child: ChildProcess, isGroup: boolean, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

/**
 * A group of its own gets none of the signals of the terminal. The first one is a wish that waits for it; a second one ends it, and
 * then us, as the signal does by itself. Gives what stops listening.
 */
export function endWithUs(child: ChildProcess): () => void {
  let times = 0;
  const hear = (signal: (typeof TOLD)[number]) => {
    times += 1;
    if (times === 1) return;
    endProgram(child, true, times === 2 ? 'SIGTERM' : 'SIGKILL');
    if (times > 2) return;
    setTimeout(() => endProgram(child, true, 'SIGKILL'), GRACE);
    const follow = () => {
      // What it started may have ignored the wish.
      endProgram(child, true, 'SIGKILL');
      release();
      process.kill(process.pid, signal);
    };
    if (child.exitCode === null && child.signalCode === null) child.once('exit', follow);
    else follow();
  };
  const release = () => {
    for (const signal of TOLD) process.off(signal, hear);
  };
  for (const signal of TOLD) process.on(signal, hear);
  return () => {
    // Once told, it stays until both have ended.
    if (times < 2) release();
  };
}
