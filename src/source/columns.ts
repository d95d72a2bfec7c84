// Series that are cached between questions: the one memory of this room.
import { LRUCache } from 'lru-cache';

/** Default bytes of the cache. */
const DEFAULT_COLUMNS_BYTES = 104 * 1024 * 1024;

/** Part of the room that one value may take, so that it does not drive out all others. */
const LARGEST_PART = 1 / 4;

/** Memory of a name and its entry besides the value. */
const ENTRY_BYTES = 300;

/** Values by name, bounded by their bytes: the least recently used value goes first. */
export interface Columns {
  get<T extends object>(name: string): T | undefined;
  put(name: string, value: object, bytes: number): void;
  /** The value of a name, made if it is not cached. Whoever asks meanwhile waits for the same one. */
  through<T extends object>(name: string, make: () => Promise<T>, bytesOf: (value: T) => number): Promise<T>;
  /** Marks the inputs of a value in use as used too: reading them again for another value would store them twice. */
  touch(names: readonly string[]): void;
  /** Bytes of the whole cache. */
  used(): number;
}

export function createColumns(maxBytes: number = DEFAULT_COLUMNS_BYTES): Columns {
  const kept =
    maxBytes >= 1
      ? new LRUCache<string, object>({
          maxSize: maxBytes,
          maxEntrySize: Math.max(1, Math.floor(maxBytes * LARGEST_PART)),
        })
      : undefined;
  const making = new Map<string, Promise<object>>();
  const put = (name: string, value: object, bytes: number) => {
    kept?.set(name, value, { size: Math.ceil(bytes) + name.length * 2 + ENTRY_BYTES });
  };
  // A name stands for one kind of value.
  const get = <T extends object>(name: string) => kept?.get(name) as T | undefined;

  async function makeOnce<T extends object>(name: string, make: () => Promise<T>, bytesOf: (value: T) => number) {
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
    async through<T extends object>(name: string, make: () => Promise<T>, bytesOf: (value: T) => number) {
      const before = get<T>(name);
      if (before) return before;
      const pending = making.get(name) as Promise<T> | undefined; // as above
      const made = pending ?? makeOnce(name, make, bytesOf);
      if (!pending) making.set(name, made);
      return made;
    },
    touch(names) {
      // As long as there is room nothing goes.
      if (kept && kept.calculatedSize > maxBytes / 2) for (const name of names) kept.get(name);
    },
    used: () => kept?.calculatedSize ?? 0,
  };
}
