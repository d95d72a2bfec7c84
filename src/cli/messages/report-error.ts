import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { cleanText, cutWords } from '../output/clean.ts';
import { wrapWords } from '../output/table/wrap.ts';
import { type Message, messageFormOf } from './message.ts';
import { writeMessage } from './messages.ts';

/** Prints an error: a sentence of what happened and one of what to do, or one JSON object under `--format json`. */
export function reportError(error: unknown, argv: readonly string[], platform: Platform): Promise<void> {
  const report = errorReport(error);
  const { stderr } = platform.io;
  const width = stderr.isTerminal ? stderr.columns : Number.POSITIVE_INFINITY;
  const text = linesOf(report, argv.includes('--verbose') ? error : undefined, width);
  return writeMessage(platform, messageFormOf(argv), report, text);
}

interface ErrorReport extends Message {
  readonly level: 'error';
  readonly kind: string;
  readonly hint: string | null;
  readonly status: number | null;
  readonly retry_after: number | null;
}

function errorReport(error: unknown): ErrorReport {
  if (error instanceof MacroError)
    return {
      level: 'error',
      kind: error.kind,
      code: error.code ?? error.kind,
      message: cutWords(error.message),
      hint: error.hint === undefined ? null : cutWords(error.hint),
      status: error.status ?? null,
      retry_after: error.retryAfter ?? null,
    };
  const message = error instanceof Error ? error.message : String(error);
  return {
    level: 'error',
    kind: 'internal',
    code: 'internal_error',
    message: `This is a bug of macro: ${cutWords(message)}`,
    hint: 'Run it again with --verbose and report what it prints.',
    status: null,
    retry_after: null,
  };
}

function linesOf(report: ErrorReport, verbose: unknown, width: number): string {
  const lines = [...wrapWords(`macro: ${cleanText(report.message)}`, width)];
  if (report.hint !== null) lines.push(...wrapWords(cleanText(report.hint), width));
  if (verbose instanceof Error && !(verbose instanceof MacroError))
    lines.push(...(verbose.stack ?? '').split('\n').map(cleanText));
  if (verbose instanceof MacroError && verbose.cause instanceof Error)
    lines.push(`cause: ${cleanText(verbose.cause.message)}`);
  return `${lines.join('\n')}\n`;
}
