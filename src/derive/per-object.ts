/**
 * A pure function of an object that works its value out once, for as long as somebody keeps that very object: rows that many
 * questions are asked of are read and replayed once.
 */
export function perObject<K extends object, T extends object>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => {
    const before = known.get(key);
    if (before) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
