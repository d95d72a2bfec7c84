import type { Platform } from '../../../platform/platform.ts';

/** Columns that a text is made for where no terminal says how many it has. */
export const PLAIN_COLUMNS = 100;

const NOT_MADE = 'PRINTED_AHEAD';

const TEXTS: Readonly<Record<string, () => Promise<string>>> = {
  '-h': helpText,
  '--help': helpText,
  'completion bash': async () => (await import('./bash.ts')).BASH_TEXT,
  'completion zsh': async () => (await import('./zsh.ts')).ZSH_TEXT,
  'completion fish': async () => (await import('./fish.ts')).FISH_TEXT,
  'completion powershell': async () => (await import('./powershell.ts')).POWERSHELL_TEXT,
};

async function helpText(): Promise<string> {
  return (await import('./help.ts')).HELP_TEXT;
}

/** What a command line prints, where the build has made it already: the program is not loaded for it. */
export async function printedAhead(argv: readonly string[], { io }: Platform): Promise<string | undefined> {
  const words = argv.join(' ');
  const isPlain = !io.stdout.isTerminal || io.stdout.columns === PLAIN_COLUMNS;
  const read = Object.hasOwn(TEXTS, words) && (isPlain || argv.length > 1) ? TEXTS[words] : undefined;
  const text = await read?.();
  return text?.startsWith(NOT_MADE) ? undefined : text;
}
