import { Writable } from 'node:stream';
import { MacroError } from '../../errors.ts';
import type { Output } from '../../platform/platform.ts';
import type { App } from './app.ts';

/** Questions to a person at a terminal. Everything is shown on stderr: stdout is for data. */
export interface Prompts {
  text(question: { message: string; placeholder?: string; check?: (answer: string) => void }): Promise<string>;
  secret(message: string): Promise<string>;
  confirm(message: string): Promise<boolean>;
  /** One of several; the first one is where the person begins. */
  choose<const V extends string>(message: string, choices: readonly { value: V; label: string }[]): Promise<V>;
}

/** How a person is asked; undefined where nobody is there. */
export async function promptsOf({ platform, signal }: Pick<App, 'platform' | 'signal'>): Promise<Prompts | undefined> {
  const { io } = platform;
  if (!io.stdin.isTerminal || !io.stderr.isTerminal) return undefined;
  const clack = await import('@clack/prompts');
  const screen = screenOf(io.stderr);
  const shared = { output: screen.stream, signal };
  // The last output of a prompt, the restored cursor included, is on the screen before anything follows.
  const drawn = async <T>(prompt: Promise<T>): Promise<T> => {
    const answer = await prompt;
    await screen.drawn();
    return answer;
  };
  return {
    async text({ message, placeholder, check }) {
      const validate = (answer: string | undefined) => problemOf(check, answer ?? '');
      const more = placeholder === undefined ? {} : { placeholder };
      return textOf(await drawn(clack.text({ ...shared, message, validate, ...more })));
    },
    async secret(message) {
      return textOf(await drawn(clack.password({ ...shared, message })));
    },
    async confirm(message) {
      const answer = await drawn(clack.confirm({ ...shared, message }));
      return typeof answer === 'symbol' ? cancelled() : answer;
    },
    async choose(message, choices) {
      const options = choices.map(({ value, label }) => ({ value: String(value), label }));
      const answer = await drawn(clack.select({ ...shared, message, options }));
      const chosen = choices.find(({ value }) => value === answer);
      return chosen ? chosen.value : cancelled();
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
function screenOf(output: Output): { stream: Writable; drawn(): Promise<void> } {
  let written = Promise.resolve();
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      written = written.then(() => output.write(String(chunk)));
      done();
    },
  });
  return {
    stream: Object.assign(stream, { columns: output.columns, isTTY: output.isTerminal }),
    drawn: () => written,
  };
}
