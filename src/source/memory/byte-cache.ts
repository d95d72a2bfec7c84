/** Values by name in bounded memory. */
export interface ByteCache<V> {
  get(name: string): V | undefined;
  /** `bytes` is what the value takes, roughly. */
  put(name: string, value: V, bytes: number): void;
  /** What is held under a name, else what is made now, which is then held. */
  through(name: string, make: () => Promise<V>, bytesOf: (value: V) => number): Promise<V>;
}

/** Part of the room that one value may take, so that it does not drive out all others. */
const LARGEST_PART = 1 / 4;

/** When the room is full, what nobody has asked for the longest goes first. */
export function createByteCache<V>(room: number): ByteCache<V> {
  const held = new Map<string, { readonly value: V; readonly bytes: number }>();
  let taken = 0;
  const drop = (name: string) => {
    taken -= held.get(name)?.bytes ?? 0;
    held.delete(name);
  };
  const get = (name: string) => {
    const entry = held.get(name);
    if (!entry) return undefined;
    held.delete(name);
    held.set(name, entry);
    return entry.value;
  };
  const put = (name: string, value: V, bytes: number) => {
    drop(name);
    if (bytes > room * LARGEST_PART) return;
    held.set(name, { value, bytes });
    taken += bytes;
    for (const oldest of held.keys()) {
      if (taken <= room) return;
      drop(oldest);
    }
  };
  return {
    get,
    put,
    async through(name, make, bytesOf) {
      const known = get(name);
      if (known !== undefined) return known;
      const made = await make();
      put(name, made, bytesOf(made));
      return made;
    },
  };
}
