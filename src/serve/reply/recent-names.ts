/** Names that came lately, in bounded memory. */
export interface RecentNames {
  /** True when the name came before. It has from now on. */
  again(name: string): boolean;
}

/** Names of two generations each: a name is forgotten after at least so many others. */
const NAMES = 4_000;
const MOST_CHARACTERS = 500;

export function createRecentNames(): RecentNames {
  let recent = new Set<string>();
  let older = new Set<string>();
  return {
    again(name) {
      if (name.length > MOST_CHARACTERS) return true;
      const isKnown = recent.has(name) || older.has(name);
      recent.add(name);
      if (recent.size >= NAMES) [older, recent] = [recent, new Set()];
      return isKnown;
    },
  };
}
