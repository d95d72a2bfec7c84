/** The help of the program, which the build puts in place of its name: see `main.ts`. */
export const HELP_TEXT = 'PRINTED_AHEAD --help';
