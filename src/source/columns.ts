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
  put(name: string, value: object, bytes?: number): void;
  /** The value of a name, made if it is not cached. Whoever asks meanwhile waits for the same one. */
  through<T extends object>(name: string, make: () => Promise<T>): Promise<T>;
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
  const put = (name: string, value: object, bytes = bytesIn(value)) => {
    kept?.set(name, value, { size: Math.ceil(bytes) + name.length * 2 + ENTRY_BYTES });
  };
  // A name stands for one kind of value.
  const get = <T extends object>(name: string) => kept?.get(name) as T | undefined;

  async function makeOnce<T extends object>(name: string, make: () => Promise<T>) {
    try {
      const made = await make();
      put(name, made);
      return made;
    } finally {
      making.delete(name);
    }
  }

  return {
    get,
    put,
    async through<T extends object>(name: string, make: () => Promise<T>) {
      const before = get<T>(name);
      if (before) return before;
      const pending = making.get(name) as Promise<T> | undefined; // as above
      const made = pending ?? makeOnce(name, make);
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

/** Memory of a place in a list or object, of an empty object or text, and of a function. */
const PLACE_BYTES = 8;
const HEAD_BYTES = 40;
const FUNCTION_BYTES = 400;

/** A list is measured by so many of its items, to this depth. */
const SAMPLE = 8;
const MAX_DEPTH = 5;

/** Bytes that a value takes, roughly. A value that is made bit by bit states them in `bytes`. */
function bytesIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return HEAD_BYTES + value.length;
  if (typeof value === 'function') return FUNCTION_BYTES;
  if (typeof value !== 'object' || value === null) return PLACE_BYTES;
  if ('bytes' in value && typeof value.bytes === 'number') return value.bytes;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (depth > MAX_DEPTH) return HEAD_BYTES;
  const items = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  const step = Array.isArray(value) || value instanceof Map ? Math.ceil(items.length / SAMPLE) : 1;
  let [sum, seen] = [0, 0];
  for (let i = 0; i < items.length; i += step, seen += 1) sum += bytesIn(items[i], depth + 1);
  return HEAD_BYTES + items.length * (PLACE_BYTES + sum / Math.max(1, seen));
}
