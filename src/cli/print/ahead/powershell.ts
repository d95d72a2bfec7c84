/** The completion script of powershell, which the build puts in place of its name: see `main.ts`. */
export const POWERSHELL_TEXT = 'PRINTED_AHEAD completion powershell';
