/** The help of each command, as JSON, which the build puts in place of its name: see `main.ts`. */
export const COMMANDS_TEXT = 'PRINTED_AHEAD COMMAND --help';
