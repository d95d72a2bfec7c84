import { reportError } from './cli/print/messages.ts';
import { PLAIN_COLUMNS } from './cli/print/text.ts';
import { exitCodeOf, MacroError } from './errors.ts';
import type { Platform } from './platform/platform.ts';

export { nodePlatform } from './platform/node.ts';

declare global {
  /** Set by the build. */
  var MACRO_VERSION: string | undefined;
}

/**
 * Runs one command line and gives the exit code. The only catch: reporting is loaded first, since files of the program
 * may be replaced meanwhile.
 */
export async function main(argv: readonly string[], platform: Platform): Promise<number> {
  const stop = new AbortController();
  // After the first signal the system's own handling is back: a second Ctrl-C ends the program on the spot.
  const release = platform.signals.onInterrupt((signal) => {
    release();
    stop.abort(new MacroError('interrupted', 'Interrupted.', { code: signal }));
  });
  try {
    const text = versionText(argv) ?? (await firstPage(argv)) ?? (await printedAhead(argv, platform));
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

async function firstPage({ length }: readonly string[]): Promise<string | undefined> {
  return length === 0 ? (await import('./cli/print/first-week.ts')).FIRST_WEEK : undefined;
}

/** The output of a command line if the build has printed it ahead: the program is not loaded for it. */
async function printedAhead(argv: readonly string[], { io }: Platform): Promise<string | undefined> {
  const [last = '', ...words] = [...argv].reverse();
  if (last === '--help' || last === '-h') {
    const isPlain = !io.stdout.isTerminal || io.stdout.columns === PLAIN_COLUMNS;
    return isPlain ? helpOf(words.reverse().join(' ')) : undefined;
  }
  if (words.join(' ') !== 'completion') return undefined;
  const scripts = new Map(Object.entries((await import('./cli/completion/scripts.ts')).COMPLETION_SCRIPTS));
  return scripts.get(last);
}

/** The help of a command by its words, or of the program; undefined for words of another spelling. */
async function helpOf(words: string): Promise<string | undefined> {
  if (words === '') return made((await import('./cli/print/ahead/help.ts')).HELP_TEXT);
  const texts = made((await import('./cli/print/ahead/commands.ts')).COMMANDS_TEXT);
  const help = new Map<string, string>(Object.entries(texts === undefined ? {} : JSON.parse(texts)));
  return help.get(words);
}

/** Where the program runs from its sources, nothing was made. */
function made(text: string | undefined): string | undefined {
  return text?.startsWith('PRINTED_AHEAD') ? undefined : text;
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
