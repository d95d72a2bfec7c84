import process from 'node:process';
import { fileError, systemCode } from './file-error.ts';
import type { Input, Io, Output } from './platform.ts';

const DEFAULT_COLUMNS = 80;

/** The three standard streams. */
export function nodeIo(): Io {
  return {
    stdout: createOutput(process.stdout, () => process.exit(0)),
    // Talk that nobody hears must not stop the work.
    stderr: createOutput(process.stderr, () => undefined),
    stdin: nodeInput,
  };
}

/**
 * An output that resolves each write when the stream has handed it on, so that a slow reader slows the writer and
 * nothing is lost at exit. `onGone` is called when the reader has gone away.
 */
export function createOutput(stream: NodeJS.WriteStream, onGone: () => void): Output {
  let guarded = false;
  const guard = () => {
    // Without a listener a broken pipe would be an uncaught error, besides the one that the write reports.
    if (!guarded) stream.on('error', () => undefined);
    guarded = true;
  };
  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || DEFAULT_COLUMNS;
    },
    write(text) {
      guard();
      return new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (!error) resolve();
          else if (systemCode(error) !== 'EPIPE') reject(fileError('write to', 'the output', error));
          else {
            onGone();
            resolve();
          }
        });
      });
    },
  };
}

const nodeInput: Input = {
  get isTerminal() {
    return process.stdin.isTTY === true;
  },
  async readBytes() {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return new Uint8Array(Buffer.concat(chunks));
  },
};
