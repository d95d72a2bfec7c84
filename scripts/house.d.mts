/** Groups of files that import each other, types included, the largest first. */
export function importCycles(): readonly (readonly string[])[];
/** Names that more than one file exports, with those files. */
export function repeatedNames(): readonly string[];
export function unusedExports(): readonly string[];
/** Files above the bound, with their lines. */
export function longFiles(): readonly string[];
/** Short files without a reason to be files of their own. */
export function shortFiles(): readonly string[];
/** Files that belong into the only file that imports them. */
export function lonelyFiles(): readonly string[];
/** How often declared names have a word that the vocabulary replaces, by word. */
export function replacedWords(): Readonly<Record<string, number>>;
/** Names in backticks and files that comments or documents mention, and that are not there. */
export function unresolvedNames(): readonly string[];
export function exceptions(): {
  readonly short: readonly string[];
  readonly lonely: readonly string[];
  readonly ids: Readonly<Record<string, number>>;
  readonly words: Readonly<Record<string, number>>;
  readonly comments: Readonly<Record<string, number>>;
};
/** How often ids of endpoints stand as strings in general code, by room and id. */
export function idsInGeneralCode(ids: readonly string[]): Readonly<Record<string, number>>;
export function endpointIds(): Promise<readonly string[]>;
