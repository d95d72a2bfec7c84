/**
 * Texts of rows may be short from here on, which no earlier program can read: it refuses the file. Those that are there stay
 * as they are, and so do views of them, until a writer makes the views anew before it writes its first row.
 */
export function allowShortTexts(): void {
  // The number of the version is all that changes.
}
