/** Bytes that are kept in memory where nobody says otherwise. */
export const DEFAULT_MEMORY_BYTES = 24 * 1024 * 1024;

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
  /**
   * Keeps a value of so many bytes until `forget` is called; undefined where it is too large to be kept at all. An `answer` is
   * small beside the rows that it was made of, so it outlives rows that are read for others.
   */
  keep(bytes: number, forget: () => void, kind?: 'answer'): KeptEntry | undefined;
  /** Changes the bound. */
  resize(bytes: number): void;
  /** Bytes of all that is kept. */
  used(): number;
}

/** Part of the room that one value may take, so that it does not drive out all others. */
const LARGEST_PART = 1 / 4;

/** Part of the room that answers hold on to while other values are driven out. */
const ANSWERS_PART = 1 / 8;

interface Place {
  bytes: number;
  readonly forget: () => void;
  /** Neighbours on the shelf; undefined once it stands there no more. */
  older: Place | undefined;
  newer: Place | undefined;
}

/** Places in a ring, in the order of their last use: `ends` stands between the newest and the oldest. */
interface Shelf {
  readonly ends: Place;
  taken: number;
}

function emptyShelf(): Shelf {
  const ends: Place = { bytes: 0, forget: () => undefined, older: undefined, newer: undefined };
  ends.older = ends;
  ends.newer = ends;
  return { ends, taken: 0 };
}

/** Takes a place out of the ring; false where it is not in it. */
function unlink(place: Place): boolean {
  const { older, newer } = place;
  if (!older || !newer) return false;
  older.newer = newer;
  newer.older = older;
  place.older = undefined;
  place.newer = undefined;
  return true;
}

function makeNewest({ ends }: Shelf, place: Place): void {
  const { older = ends } = ends;
  place.older = older;
  place.newer = ends;
  older.newer = place;
  ends.older = place;
}

function createMemoryBudget(room: number = DEFAULT_MEMORY_BYTES): MemoryBudget {
  const answers = emptyShelf();
  const others = emptyShelf();
  let most = room;
  const taken = () => answers.taken + others.taken;

  function remove(shelf: Shelf, place: Place): void {
    if (unlink(place)) shelf.taken -= place.bytes;
  }

  function forgetOldest(shelf: Shelf, isTooMuch: () => boolean): void {
    const { ends } = shelf;
    for (let oldest = ends.newer; oldest && oldest !== ends && isTooMuch(); oldest = ends.newer) {
      remove(shelf, oldest);
      oldest.forget();
    }
  }

  function shrink(): void {
    forgetOldest(answers, () => taken() > most && answers.taken > most * ANSWERS_PART);
    forgetOldest(others, () => taken() > most);
    forgetOldest(answers, () => taken() > most);
  }

  return {
    keep(estimate, forget, kind) {
      // Sums of fractions do not come back to zero: what is left of them would count as something that is kept.
      const bytes = Math.ceil(estimate);
      if (bytes > most * LARGEST_PART) return undefined;
      const shelf = kind === 'answer' ? answers : others;
      const place: Place = { bytes, forget, older: undefined, newer: undefined };
      makeNewest(shelf, place);
      shelf.taken += bytes;
      shrink();
      return {
        touch() {
          if (place.newer !== shelf.ends && unlink(place)) makeNewest(shelf, place);
        },
        grow(estimated) {
          if (!place.newer) return;
          const more = Math.ceil(estimated);
          place.bytes += more;
          shelf.taken += more;
          shrink();
        },
        release: () => remove(shelf, place),
      };
    },
    resize(bytes) {
      most = bytes;
      shrink();
    },
    used: taken,
  };
}

/** What everything of this process shares that has no budget of its own. */
export const processMemory: MemoryBudget = createMemoryBudget();
