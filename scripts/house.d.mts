/** Groups of files that import each other, types included, the largest first. */
export function importCycles(): readonly (readonly string[])[];
/** Names that more than one file exports, with those files. */
export function repeatedNames(): readonly string[];
export function unusedExports(): readonly string[];
/** Files at the root of each folder, the fullest first. */
export function fullestFolders(): readonly { readonly folder: string; readonly files: number }[];
