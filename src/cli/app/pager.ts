import type { Platform } from '../../platform/platform.ts';

/** `-F` leaves at once what fits, `-R` keeps colours, `-X` leaves the text on the screen. */
const DEFAULT_PAGER = 'less -FRX';

/**
 * The command that shows a text which is longer than the screen: `MACRO_PAGER`, else `PAGER`, else `less`. Undefined where
 * the text fits, where stdout is no terminal, and for an empty word or `cat`.
 */
export function pagerFor(text: string, { env, io }: Pick<Platform, 'env' | 'io'>): string | undefined {
  const { isTerminal, rows } = io.stdout;
  if (!isTerminal || env.TERM === 'dumb' || text.split('\n').length <= rows) return undefined;
  const command = (env.MACRO_PAGER ?? env.PAGER ?? DEFAULT_PAGER).trim();
  return command === '' || command === 'cat' ? undefined : command;
}
