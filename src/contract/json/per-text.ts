import { type KeptEntry, processMemory } from '../memory-budget.ts';

/** Bytes of what is read of a text, for each of its characters, and of its place. */
const BYTES_PER_CHARACTER = 6;
const ENTRY_BYTES = 300;

/**
 * A pure function of a text that works its value out once while the text is in use: the rows of a mirror are asked for again
 * and again. What has not been used for long is forgotten, as soon as the memory of the process is full.
 */
export function perText<T extends object>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T; readonly entry: KeptEntry }>();
  return (text) => {
    const before = known.get(text);
    if (before) {
      before.entry.touch();
      return before.value;
    }
    const value = make(text);
    let isForgotten = false;
    const entry = processMemory.keep(text.length * BYTES_PER_CHARACTER + ENTRY_BYTES, () => {
      isForgotten = true;
      known.delete(text);
    });
    if (entry && !isForgotten) known.set(text, { value, entry });
    return value;
  };
}
