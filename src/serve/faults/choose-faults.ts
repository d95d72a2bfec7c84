// Decides which faults hit a request or a delivery.

import { hash } from 'node:crypto';
import { FAULT_KINDS, type FaultRule, type FaultWindow, type InjectedFault, type NamedFault } from './fault.ts';

/** A request, as far as it decides which faults hit it. */
interface FaultTarget {
  readonly method: string;
  readonly url: string;
}

/** Decides which rules hit what. */
export interface FaultChoice {
  /** Faults of the answer to a request, and those whose events may be hit once it is a stream. */
  ofRequest(target: FaultTarget): readonly NamedFault[];
  ofDelivery(event: string): readonly NamedFault[];
  /** Hex digits that name a request; equal requests have different ones. */
  nameOf(target: FaultTarget): string;
}

/** Distinct requests that are counted; then the count begins anew. */
const MAX_COUNTED = 100_000;

/** Draws shares from seed, rule, request and its repetition. `skip`, `times` and `every` count arrivals. */
export function createFaultChoice(rules: readonly FaultRule[], seed: number): FaultChoice {
  const named = rules.map((rule, index) => ({ name: String(index), rule, pattern: patternOf(rule.path) }));
  const numbers = new Map<string, number>();
  const next = (name: string) => {
    if (numbers.size > MAX_COUNTED) numbers.clear();
    const number = numbers.get(name) ?? 0;
    numbers.set(name, number + 1);
    return number;
  };
  return {
    ofRequest({ method, url }) {
      const path = (url.split('?', 1)[0] ?? '').replace(/^\/api(?=\/v1\/)/, '');
      return named.filter(({ name, rule, pattern }) => {
        const { of } = faultKindOf(rule);
        if (of === 'deliveries' || !pattern.test(path)) return false;
        if (of === 'events') return true;
        const identity = `${name} ${method} ${url}`;
        const draw = () => drawOf(seed, `${identity} ${next(identity)}`);
        return isHit(rule, next(`rule ${name}`), draw);
      });
    },
    ofDelivery(event) {
      return named.filter(({ name, rule }) => {
        if (faultKindOf(rule).of !== 'deliveries') return false;
        const identity = `${name} ${event}`;
        return isHit(rule, next(`rule ${name}`), () => drawOf(seed, `${identity} ${next(identity)}`));
      });
    },
    nameOf({ method, url }) {
      const identity = `name ${method} ${url}`;
      return digestOf(seed, `${identity} ${next(identity)}`).slice(0, 16);
    },
  };
}

export function faultKindOf({ fault }: InjectedFault) {
  return FAULT_KINDS[fault];
}

/** `*` stands for any characters. */
function patternOf(path: string | undefined): RegExp {
  if (path === undefined) return /^/;
  const parts = path.replace(/^\/api(?=\/v1\/)/, '').split('*');
  return new RegExp(`^${parts.map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
}

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
