// The scripts and the style of the pages, by file name. The build puts them in place of this file: see scripts/carried.mjs.

/** Empty where the program runs from its sources: pages then show their facts only. */
export const PAGE_ASSETS: Readonly<Record<string, string>> = {};
