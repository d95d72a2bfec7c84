/** Characters of texts whose values are remembered, for each kind of value. */
const MAX_KEPT_CHARACTERS = 8_000_000;

/**
 * A pure function of a text that works its value out once while the text is in use: the rows of a mirror are asked for again
 * and again. What has not been used for long is forgotten: of two generations the older one goes when the younger one is full.
 */
export function perText<T extends object>(make: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let characters = 0;
  return (text) => {
    const known = young.get(text);
    if (known) return known;
    const value = old.get(text) ?? make(text);
    characters += text.length;
    if (characters > MAX_KEPT_CHARACTERS / 2) {
      old = young;
      young = new Map();
      characters = text.length;
    }
    young.set(text, value);
    return value;
  };
}
