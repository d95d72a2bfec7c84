import { Writable } from 'node:stream';
import { MacroError } from '../errors.ts';
import type { Output, Platform } from '../platform/platform.ts';

/** Questions to a person at a terminal. Everything is shown on stderr: stdout is for data. */
export interface Prompts {
  text(question: { message: string; placeholder?: string; check?: (answer: string) => void }): Promise<string>;
  secret(message: string): Promise<string>;
  confirm(message: string): Promise<boolean>;
}

/** True when somebody is there to be asked. */
export function canAsk({ io }: Pick<Platform, 'io'>): boolean {
  return io.stdin.isTerminal && io.stderr.isTerminal;
}

export async function openPrompts({ io }: Pick<Platform, 'io'>, signal: AbortSignal): Promise<Prompts> {
  const clack = await import('@clack/prompts');
  const shared = { output: streamOf(io.stderr), signal };
  return {
    async text({ message, placeholder, check }) {
      const validate = (answer: string | undefined) => problemOf(check, answer ?? '');
      const answer = await clack.text({
        ...shared,
        message,
        validate,
        ...(placeholder !== undefined && { placeholder }),
      });
      return textOf(answer);
    },
    async secret(message) {
      return textOf(await clack.password({ ...shared, message }));
    },
    async confirm(message) {
      const answer = await clack.confirm({ ...shared, message });
      return typeof answer === 'symbol' ? cancelled() : answer;
    },
  };
}

function textOf(answer: string | symbol): string {
  return typeof answer === 'symbol' ? cancelled() : answer.trim();
}

/** Ctrl-C in a prompt. */
function cancelled(): never {
  throw new MacroError('interrupted', 'Interrupted.', { code: 'SIGINT' });
}

function problemOf(check: ((answer: string) => void) | undefined, answer: string): string | undefined {
  try {
    check?.(answer);
    return undefined;
  } catch (error) {
    if (error instanceof MacroError) return error.message;
    throw error;
  }
}

/** The prompts write to a stream of Node; ours is behind the platform. */
function streamOf(output: Output): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      output.write(String(chunk)).then(() => done(), done);
    },
  });
  return Object.assign(stream, { columns: output.columns, isTTY: output.isTerminal });
}
