/** Bytes that are kept in memory where nobody says otherwise. */
export const DEFAULT_MEMORY_BYTES = 128 * 1024 * 1024;

/** A value in the memory, for whoever keeps it. */
export interface KeptEntry {
  /** Says that it was used just now. */
  touch(): void;
  /** Says that it has grown. It may be forgotten by that. */
  grow(bytes: number): void;
  /** Gives its room back; it is not told to be forgotten. */
  release(): void;
}

/** The one bound of all that is kept to answer faster: what was used least recently is forgotten first. */
export interface MemoryBudget {
  /** Keeps a value of so many bytes until `forget` is called; undefined where it is too large to be kept at all. */
  keep(bytes: number, forget: () => void): KeptEntry | undefined;
  /** Changes the bound. */
  resize(bytes: number): void;
  /** Bytes of all that is kept. */
  used(): number;
}

/** Part of the room that one value may take, so that it does not drive out all others. */
const LARGEST_PART = 1 / 4;

interface Place {
  bytes: number;
  readonly forget: () => void;
}

export function createMemoryBudget(room: number = DEFAULT_MEMORY_BYTES): MemoryBudget {
  /** In the order of their last use. */
  const places = new Set<Place>();
  let most = room;
  let taken = 0;

  function remove(place: Place): boolean {
    if (!places.delete(place)) return false;
    taken -= place.bytes;
    return true;
  }

  function shrink(): void {
    for (const oldest of places) {
      if (taken <= most) return;
      remove(oldest);
      oldest.forget();
    }
  }

  return {
    keep(bytes, forget) {
      if (bytes > most * LARGEST_PART) return undefined;
      const place: Place = { bytes, forget };
      places.add(place);
      taken += bytes;
      shrink();
      return {
        touch() {
          if (places.delete(place)) places.add(place);
        },
        grow(more) {
          if (!places.has(place)) return;
          place.bytes += more;
          taken += more;
          shrink();
        },
        release: () => void remove(place),
      };
    },
    resize(bytes) {
      most = bytes;
      shrink();
    },
    used: () => taken,
  };
}

/** What everything of this process shares that has no budget of its own. */
export const processMemory: MemoryBudget = createMemoryBudget();
