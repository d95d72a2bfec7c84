/** Text of each asset of the pages by its file name. */
export function bundledPages(): Promise<Readonly<Record<string, string>>>;
