import type { KeptEntry, MemoryBudget } from '../../contract/memory-budget.ts';

/** Values by name, as long as a budget has room for them. */
export interface ByteCache<V> {
  get(name: string): V | undefined;
  /** `bytes` is what the value takes, roughly. */
  put(name: string, value: V, bytes: number): void;
  /** What is kept under a name, else what is made now, which is then kept. */
  through(name: string, make: () => Promise<V>, bytesOf: (value: V) => number): Promise<V>;
  /** Forgets all of it and gives its room back. */
  clear(): void;
}

/** What a name and its place take besides the value. */
const ENTRY_BYTES = 200;

/** `kind` is that of all its values, see `MemoryBudget.keep`. */
export function createByteCache<V>(budget: MemoryBudget, kind?: 'answer'): ByteCache<V> {
  const known = new Map<string, { readonly value: V; readonly entry: KeptEntry }>();
  const making = new Map<string, Promise<V>>();
  const get = (name: string) => {
    const one = known.get(name);
    one?.entry.touch();
    return one?.value;
  };
  const put = (name: string, value: V, bytes: number) => {
    known.get(name)?.entry.release();
    known.delete(name);
    let isForgotten = false;
    const forget = () => {
      isForgotten = true;
      known.delete(name);
    };
    const entry = budget.keep(bytes + name.length * 2 + ENTRY_BYTES, forget, kind);
    if (entry && !isForgotten) known.set(name, { value, entry });
  };
  async function makeOnce(name: string, make: () => Promise<V>, bytesOf: (value: V) => number): Promise<V> {
    try {
      const made = await make();
      put(name, made, bytesOf(made));
      return made;
    } finally {
      making.delete(name);
    }
  }

  return {
    get,
    put,
    async through(name, make, bytesOf) {
      const before = get(name);
      if (before !== undefined) return before;
      // Equal questions that come together are read once.
      const made = making.get(name) ?? makeOnce(name, make, bytesOf);
      if (get(name) === undefined) making.set(name, made);
      return made;
    },
    clear() {
      for (const { entry } of known.values()) entry.release();
      known.clear();
    },
  };
}
