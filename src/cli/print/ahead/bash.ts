/** The completion script of bash, which the build puts in place of its name: see `main.ts`. */
export const BASH_TEXT = 'PRINTED_AHEAD completion bash';
