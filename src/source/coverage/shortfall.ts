import { MAX_LISTED, type PartialMark } from '../../contract/answer-members.ts';
import type { Lack } from '../../contract/hooks.ts';
import { mergeMissing } from './merge-missing.ts';

/** What an answer lacks, and the commands that bring it. */
export interface Shortfall {
  readonly mark: PartialMark;
  readonly lacks: readonly Lack[];
  /** Commands as they are typed; none that could bring what the service itself does not hold. */
  readonly cures: readonly string[];
  /** What nobody can bring any more. */
  readonly lost?: LostPart;
  readonly holder: 'mirror' | 'service';
}

/** A part that is gone for good: what happened, and the command that asks for what lies behind it. */
export interface LostPart {
  readonly text: string;
  readonly goOn: string;
}

/** What an answer of the service lacks by its own word. */
export function serviceShortfall(mark: PartialMark): Shortfall {
  return { mark, lacks: [], cures: [], holder: 'service' };
}

/** What several pages lack together: each part once, as of the oldest look. */
export function joinShortfalls(all: readonly Shortfall[]): Shortfall | undefined {
  const [first, ...others] = all;
  if (!first || others.length === 0) return first;
  const missing = mergeMissing(all.flatMap(({ mark }) => mark.missing));
  const looks = all.map(({ mark }) => mark.checked_at);
  const isCut = missing.length > MAX_LISTED || all.some(({ mark }) => mark.truncated);
  return {
    mark: {
      complete: false,
      missing: missing.slice(0, MAX_LISTED),
      ...(isCut && { truncated: true as const }),
      ...(looks.every((at) => at !== undefined) && { checked_at: looks.reduce((a, b) => (a < b ? a : b)) }),
    },
    lacks: all.flatMap(({ lacks }) => lacks),
    cures: [...new Set(all.flatMap(({ cures }) => cures))],
    ...(first.lost && { lost: first.lost }),
    holder: first.holder,
  };
}
