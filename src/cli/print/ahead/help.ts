/** The help of the program, which the build puts in place of its name: see `print-ahead.ts`. */
export const HELP_TEXT = 'PRINTED_AHEAD --help';
