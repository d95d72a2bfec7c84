import { exitCodeOf, MacroError } from './errors.ts';
import type { Platform } from './platform/platform.ts';

export { nodePlatform } from './platform/node.ts';

declare global {
  /** Set by the build. */
  var MACRO_VERSION: string | undefined;
}

/**
 * Runs one command line and gives the exit code. Walk: `--version` needs nothing and is answered at once; everything else
 * is loaded, run, and ended by the person's or the system's wish at any time. This is the only place where errors end.
 */
export async function main(argv: readonly string[], platform: Platform): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    await platform.io.stdout.write(`macro ${globalThis.MACRO_VERSION ?? '(not built)'}\n`);
    return 0;
  }
  const stop = new AbortController();
  // Once told, the system's own handling is back: a second Ctrl-C ends the program on the spot.
  const release = platform.signals.onInterrupt((signal) => {
    release();
    stop.abort(new MacroError('interrupted', 'Interrupted.', { code: signal }));
  });
  try {
    const { runProgram } = await import('./cli/program.ts');
    await runProgram(argv, platform, stop.signal);
    return 0;
  } catch (thrown) {
    if (isClosedPipe(thrown)) return 0;
    // Whatever an abort looks like to the one who was waiting, its reason is why.
    const error: unknown = stop.signal.aborted ? stop.signal.reason : thrown;
    const { reportError } = await import('./cli/report-error.ts');
    await reportError(error, argv, platform);
    return exitCodeOf(error);
  } finally {
    release();
  }
}

/** The reader of a pipe has gone away, which is its right. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
