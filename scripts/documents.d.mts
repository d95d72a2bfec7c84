export const MAX_README_BYTES: number;
export const MAX_PAGE_BYTES: number;
/** Every document for people, by its path from the root. */
export function documentPaths(): readonly string[];
export function readDocument(path: string): string;
/** Every TypeScript file below `src`, by its path from the root. */
export function sourcePaths(): readonly string[];
export function readmeBytes(): number;
/** Pages above the bound, with their bytes. */
export function longPages(): readonly string[];
/** Headings, paragraphs, items and cells of tables. */
export function blocksOf(text: string): readonly string[];
