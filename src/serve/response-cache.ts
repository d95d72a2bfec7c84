/** An answer kept as bytes. */
export interface CachedAnswer {
  /** Undefined for answers that no caller may keep. */
  readonly etag: string | undefined;
  /** Undefined when only the validator is known: the caller had the bytes already. */
  readonly body: Buffer | undefined;
  /** The same body compressed, once somebody asked for it. */
  gzip: Buffer | undefined;
  readonly synthetic: boolean;
  /** Mirror's version that the answer was made from. */
  version: number;
  /** Unix second in which the answer was last known to be right. */
  second: number;
}

export interface ResponseCache {
  get(key: string): CachedAnswer | undefined;
  put(key: string, answer: CachedAnswer): void;
}

/** Answers by class of caller and URL, in bounded memory: those that were put or confirmed longest ago go first. */
export function createResponseCache(maxBytes: number): ResponseCache {
  const held = new Map<string, CachedAnswer>();
  let bytes = 0;
  const drop = (key: string) => {
    const old = held.get(key);
    if (!old) return;
    held.delete(key);
    bytes -= sizeOf(key, old);
  };
  return {
    get: (key) => held.get(key),
    put(key, answer) {
      drop(key);
      const size = sizeOf(key, answer);
      if (size > maxBytes / 8) return;
      held.set(key, answer);
      bytes += size;
      for (const oldest of held.keys()) {
        if (bytes <= maxBytes) return;
        drop(oldest);
      }
    },
  };
}

/** Room is reckoned for the compressed twin from the start, since it comes later. */
function sizeOf(key: string, answer: CachedAnswer): number {
  return 512 + key.length * 2 + (answer.body?.length ?? 0) * 2;
}
