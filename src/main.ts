import { printedAhead } from './cli/print/ahead/print-ahead.ts';
import { messageFormOf, messageLine } from './cli/print/messages.ts';
import { exitCodeOf, MacroError } from './errors.ts';
import type { Platform } from './platform/platform.ts';

export { nodePlatform } from './platform/node.ts';

declare global {
  /** Set by the build. */
  var MACRO_VERSION: string | undefined;
}

/**
 * Runs one command line and gives the exit code. Walk: what the build knows already is printed at once; everything else is
 * loaded, run, and ended by the person's or the system's wish at any time. This is the only place where errors end.
 */
export async function main(argv: readonly string[], platform: Platform): Promise<number> {
  const stop = new AbortController();
  // Once told, the system's own handling is back: a second Ctrl-C ends the program on the spot.
  const release = platform.signals.onInterrupt((signal) => {
    release();
    stop.abort(new MacroError('interrupted', 'Interrupted.', { code: signal }));
  });
  try {
    return await run(argv, platform, stop.signal);
  } catch (thrown) {
    const error = explained(thrown);
    if (!(error instanceof MacroError)) throw error;
    const { kind, code = null, message, hint = null } = error;
    const report = { level: 'error', kind, code, message, hint, status: null, retry_after: null } as const;
    await platform.io.stderr.write(messageLine(messageFormOf(argv), report, `macro: ${message}\n${hint}\n`));
    return exitCodeOf(error);
  } finally {
    release();
  }
}

/** What reports errors is loaded together with what may fail: the program's files may be replaced while it runs. */
async function run(argv: readonly string[], platform: Platform, signal: AbortSignal): Promise<number> {
  const text = versionText(argv) ?? (await printedAhead(argv, platform));
  if (text !== undefined) return print(text, platform);
  const { runProgram, reportError } = await import('./cli/program.ts');
  try {
    await runProgram(argv, platform, signal);
    return 0;
  } catch (thrown) {
    if (isClosedPipe(thrown)) return 0;
    // Whatever an abort looks like to the one who was waiting, its reason is why.
    const error: unknown = signal.aborted ? signal.reason : explained(thrown);
    await reportError(error, argv, platform);
    return exitCodeOf(error);
  }
}

function versionText([first = '']: readonly string[]): string | undefined {
  return first === '--version' || first === '-V' ? `macro ${globalThis.MACRO_VERSION ?? '(not built)'}\n` : undefined;
}

async function print(text: string, { io }: Platform): Promise<number> {
  try {
    await io.stdout.write(text);
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
  return 0;
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
