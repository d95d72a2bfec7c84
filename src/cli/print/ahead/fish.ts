/** The completion script of fish, which the build puts in place of its name: see `main.ts`. */
export const FISH_TEXT = 'PRINTED_AHEAD completion fish';
