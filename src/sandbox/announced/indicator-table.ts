import { DESKS, type Desk, type Economy } from '../publishers.ts';
import type { RandomWalk } from '../walks.ts';
import { LINES } from './indicator-lines.ts';

const FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Irregular'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
const ADJUSTMENTS = ['SA', 'NSA', 'NOT_APPLICABLE'] as const;
const IMPORTANCES = ['high', 'medium', 'low'] as const;
const HOMES = ['every', 'large', 'USD'] as const;

/** One invented series of a currency. */
export interface Indicator {
  readonly slug: string;
  readonly name: string;
  readonly unit: string;
  readonly frequency: Frequency;
  readonly adjustment: (typeof ADJUSTMENTS)[number];
  readonly importance: (typeof IMPORTANCES)[number];
  readonly desk: Desk;
  /** Days from the end of the period to its release. */
  readonly lag: number;
  readonly decimals: number;
  /** Chance that a print is revised with the next release. */
  readonly revised: number;
  /** Size of a usual revision, in units of the value's last decimal. */
  readonly nudge: number;
  readonly walk: RandomWalk;
  /** The walk moves around a point between two other series of the currency, or beyond them: 0 the first, 1 the second. */
  readonly between?: { readonly slugs: readonly [string, string]; readonly at: number };
}

/** A line of the table. */
interface Entry extends Omit<Indicator, 'slug' | 'walk'> {
  /** Which currencies have it: every one, the large ones, or the dollar alone. */
  readonly home: (typeof HOMES)[number];
  readonly walkOf: (economy: Economy) => RandomWalk;
}

/** Every invented series by slug; the unit may name the currency. */
export const indicatorTable: ReadonlyMap<string, Entry> = new Map(LINES.trim().split('\n').map(readLine));

function readLine(line: string): readonly [string, Entry] {
  const [slug = '', name = '', unit = '', schedule = '', importance = '', print = '', moves = '', home = '', tie] = line
    .split('|')
    .map((cell) => cell.trim());
  const [frequency = '', adjustment = '', desk = '', lag] = schedule.split(' ');
  const [decimals = 0, revised = 0, nudge = 0] = print.split(' ').map(Number);
  const [at, near = '', far = ''] = tie?.split(' ') ?? [];
  const entry = {
    name,
    unit,
    frequency: oneOf(FREQUENCIES, frequency),
    adjustment: oneOf(ADJUSTMENTS, adjustment),
    importance: oneOf(IMPORTANCES, importance),
    desk: oneOf(DESKS, desk),
    lag: Number(lag),
    decimals,
    revised,
    nudge,
    home: oneOf(HOMES, home),
    walkOf: readWalk(moves),
    ...(at !== undefined && { between: { slugs: [near, far], at: Number(at) } as const }),
  };
  return [slug, entry];
}

/** A walk and its numbers; `output/75` is a part of what the economy has. */
function readWalk(text: string): Entry['walkOf'] {
  const [kind, ...words] = text.split(' ');
  return (economy) => {
    const [first = 0, second = 0, third = 0, floor] = words.map((word) => amount(word, economy));
    switch (kind) {
      case 'around':
        return { kind, mean: first, swing: second, pull: third, ...(floor !== undefined && { floor }) };
      case 'growth':
        return { kind, start: first, drift: second, swing: third };
      case 'prices':
        return { kind, target: first, swing: second };
      case 'steps':
        return { kind, mean: first };
      default:
        throw new RangeError(`${text} is no walk`);
    }
  };
}

function amount(word: string, economy: Economy): number {
  const [, member, operator, digits] = /^(output|workers|rate|target)?([*/+]?)(-?[\d.]+)?$/.exec(word) ?? [];
  const number = Number(digits ?? 0);
  if (member === undefined) return number;
  // The pattern admits nothing but members.
  const whole = economy[member as keyof Economy];
  if (operator === '*') return whole * number;
  return operator === '/' ? whole / number : whole + number;
}

function oneOf<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((known) => known === word);
  if (found === undefined) throw new RangeError(`${word} is none of ${words.join(', ')}`);
  return found;
}
