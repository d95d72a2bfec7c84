import { isoSeconds } from '../../contract/time/time.ts';

/** A moment in milliseconds as people read it; null when there is none. */
export function instantText(ms: number | undefined): string | null {
  return ms === undefined || ms === 0 ? null : isoSeconds(Math.floor(ms / 1000));
}
