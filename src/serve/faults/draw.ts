// Numbers that follow from a seed and a name.
import { hash } from 'node:crypto';
import type { FaultWindow } from './fault.ts';

/** A number in [0, 1) that follows from a seed and a name alone. The order in which names are drawn does not matter. */
export function drawOf(seed: number, name: string): number {
  return Number.parseInt(digestOf(seed, name).slice(0, 12), 16) / 2 ** 48;
}

/** 64 hex digits that follow from a seed and a name. */
export function digestOf(seed: number, name: string): string {
  return hash('sha256', `${seed} ${name}`);
}

/** Whether the thing with this number, from 0, is hit; `draw` gives the number that decides about a share. */
export function isHit({ share, skip = 0, times, every }: FaultWindow, number: number, draw: () => number): boolean {
  const turn = every === undefined ? number : number % every;
  if (turn < skip || (times !== undefined && turn >= skip + times)) return false;
  return share === undefined || draw() < share;
}
