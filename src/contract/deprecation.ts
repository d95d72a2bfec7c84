/** A way of asking that still works and has a successor. See docs/interface.md#deprecation. */
export interface Deprecation {
  /** Unix seconds from which it is deprecated. */
  readonly since: number;
  /** Address of the successor; names in braces are words of the question. */
  readonly successor: string;
  /** Unix seconds at which it ends, once that is dated. */
  readonly sunset?: number;
}

/** The moment from which the interface deprecates what it does: keys in addresses, and two routes. */
export const DEPRECATED_SINCE = 1_790_812_800;

/** The successor of one question; a word that it lacks, or that is none, is that of the example. */
export function successorFor(
  { successor }: Pick<Deprecation, 'successor'>,
  args: Readonly<Record<string, string | undefined>>,
  example: Readonly<Record<string, string>>,
): string {
  return successor.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = args[name]?.trim() ?? '';
    // What stands in an address may be anything; what goes into a header may not.
    return (/^\w{1,80}$/.test(word) ? word : (example[name] ?? '')).toLowerCase();
  });
}
