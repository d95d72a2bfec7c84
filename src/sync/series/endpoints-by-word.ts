import type { Endpoint } from '../../contract/endpoint.ts';

const known = new WeakMap<readonly Endpoint[], ReadonlyMap<string, readonly Endpoint[]>>();

/** Endpoints whose commands begin with a word, in their order. Selections come by the thousand, so each list is read once. */
export function endpointsByWord(word: string, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const byWord = known.get(endpoints) ?? byFirstWord(endpoints);
  known.set(endpoints, byWord);
  return byWord.get(word) ?? [];
}

function byFirstWord(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const byWord = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const [word] = endpoint.cli?.words ?? [];
    if (word === undefined) continue;
    const others = byWord.get(word) ?? [];
    others.push(endpoint);
    byWord.set(word, others);
  }
  return byWord;
}
