/** The completion script of zsh, which the build puts in place of its name: see `main.ts`. */
export const ZSH_TEXT = 'PRINTED_AHEAD completion zsh';
