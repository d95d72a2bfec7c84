import { reportError } from './cli/print/messages.ts';
import { PLAIN_COLUMNS } from './cli/print/text.ts';
import { exitCodeOf, MacroError } from './errors.ts';
import type { Platform } from './platform/platform.ts';

export { nodePlatform } from './platform/node.ts';

declare global {
  /** Set by the build. */
  var MACRO_VERSION: string | undefined;
}

/** What some command lines print, in files that the build puts in place of their names. */
const PRINTED_AHEAD: Readonly<Record<string, () => Promise<string>>> = {
  '-h': helpText,
  '--help': helpText,
  'completion bash': async () => (await import('./cli/print/ahead/bash.ts')).BASH_TEXT,
  'completion zsh': async () => (await import('./cli/print/ahead/zsh.ts')).ZSH_TEXT,
  'completion fish': async () => (await import('./cli/print/ahead/fish.ts')).FISH_TEXT,
  'completion powershell': async () => (await import('./cli/print/ahead/powershell.ts')).POWERSHELL_TEXT,
};

/**
 * Runs one command line and gives the exit code. Walk: what the build knows already is printed at once; everything else is
 * loaded, run, and ended by the person's or the system's wish at any time. This is the only place where errors end: what
 * reports them is loaded before, because the program's files may be replaced while it runs.
 */
export async function main(argv: readonly string[], platform: Platform): Promise<number> {
  const stop = new AbortController();
  // Once told, the system's own handling is back: a second Ctrl-C ends the program on the spot.
  const release = platform.signals.onInterrupt((signal) => {
    release();
    stop.abort(new MacroError('interrupted', 'Interrupted.', { code: signal }));
  });
  try {
    const text = versionText(argv) ?? (await printedAhead(argv, platform));
    if (text !== undefined) await platform.io.stdout.write(text);
    else await (await import('./cli/program.ts')).runProgram(argv, platform, stop.signal);
    return 0;
  } catch (thrown) {
    if (isClosedPipe(thrown)) return 0;
    // Whatever an abort looks like to the one who was waiting, its reason is why.
    const error: unknown = stop.signal.aborted ? stop.signal.reason : explained(thrown);
    await reportError(error, argv, platform);
    return exitCodeOf(error);
  } finally {
    release();
  }
}

function versionText([first = '']: readonly string[]): string | undefined {
  return first === '--version' || first === '-V' ? `macro ${globalThis.MACRO_VERSION ?? '(not built)'}\n` : undefined;
}

/** What a command line prints, where the build has made it already: the program is not loaded for it. */
async function printedAhead(argv: readonly string[], { io }: Platform): Promise<string | undefined> {
  const words = argv.join(' ');
  const isPlain = !io.stdout.isTerminal || io.stdout.columns === PLAIN_COLUMNS;
  const read = Object.hasOwn(PRINTED_AHEAD, words) && (isPlain || argv.length > 1) ? PRINTED_AHEAD[words] : undefined;
  const text = await read?.();
  return text?.startsWith('PRINTED_AHEAD') ? undefined : text;
}

async function helpText(): Promise<string> {
  return (await import('./cli/print/ahead/help.ts')).HELP_TEXT;
}

/** The reader of a pipe has gone away, which is its right. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** A file of the program that was there when it was built is no bug of it. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return error;
  return new MacroError('incomplete', 'A file of the program is gone: it was replaced while it ran.', {
    code: 'program_replaced',
    hint: 'Start it again, and it goes on where it stopped. If that does not help, install it anew.',
    cause: error,
  });
}
