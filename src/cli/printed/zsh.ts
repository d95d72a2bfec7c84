/** The completion script of zsh, which the build puts in place of its name: see `print-ahead.ts`. */
export const ZSH_TEXT = 'MACRO_PRINTED completion zsh';
