import { scrubText, secretOf } from '../client/scrub.ts';
import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import { cleanText } from './output/clean.ts';
import { KEY_NAMES } from './settings/keys.ts';

/** Prints an error: a sentence of what happened and one of what to do, or one JSON object under `--format json`. */
export async function reportError(error: unknown, argv: readonly string[], platform: Platform): Promise<void> {
  const told = tell(error);
  const text = asksForJson(argv)
    ? `${JSON.stringify(told)}\n`
    : linesOf(told, argv.includes('--verbose') ? error : undefined);
  await platform.io.stderr.write(withoutSecrets(text, platform));
}

interface Told {
  readonly kind: string;
  readonly code: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly status: number | null;
  readonly retry_after: number | null;
}

function tell(error: unknown): Told {
  if (error instanceof MacroError)
    return {
      kind: error.kind,
      code: error.code ?? null,
      message: error.message,
      hint: error.hint ?? null,
      status: error.status ?? null,
      retry_after: error.retryAfter ?? null,
    };
  const message = error instanceof Error ? error.message : String(error);
  return {
    kind: 'internal',
    code: 'internal_error',
    message: `This is a bug of macro: ${message}`,
    hint: 'Run it again with --verbose and report what it prints.',
    status: null,
    retry_after: null,
  };
}

function linesOf(told: Told, verbose: unknown): string {
  const lines = [`macro: ${cleanText(told.message)}`];
  if (told.hint !== null) lines.push(cleanText(told.hint));
  if (verbose instanceof Error && !(verbose instanceof MacroError)) lines.push(verbose.stack ?? '');
  if (verbose instanceof MacroError && verbose.cause instanceof Error)
    lines.push(`cause: ${cleanText(verbose.cause.message)}`);
  return `${lines.join('\n')}\n`;
}

/** The command line may be what is wrong, so it is not parsed here. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.includes('--format=json') || argv.some((word, i) => word === '--format' && argv[i + 1] === 'json');
}

/** The last net: no key of the environment leaves in an error, whoever wrote it into a message. */
function withoutSecrets(text: string, { env }: Pick<Platform, 'env'>): string {
  return KEY_NAMES.reduce((safe, name) => {
    const secret = secretOf(env[name]?.trim());
    return secret ? scrubText(safe, secret) : safe;
  }, text);
}
