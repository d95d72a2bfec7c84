import { fstatSync, writeSync } from 'node:fs';
import process from 'node:process';
import { fileError, systemCode } from './file-error.ts';
import type { Input, Io, Output } from './platform.ts';

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** One of the standard streams. Node's own object for it takes milliseconds to make, so it is made when it is needed. */
interface Standard {
  readonly descriptor: number;
  stream(): NodeJS.WriteStream;
  /** What a write that was refused means: nothing, the end of the program, or an error. */
  refused(error: unknown): void;
}

/** The three standard streams. */
export function nodeIo(): Io {
  return {
    stdout: createOutput({ descriptor: 1, stream: () => process.stdout, refused: refuseData }),
    // Talk that nobody can hear is dropped: it must cost neither the work nor its data.
    stderr: createOutput({ descriptor: 2, stream: () => process.stderr, refused: () => undefined }),
    stdin: nodeInput,
  };
}

/**
 * An output that resolves each write when it has been handed on, so that a slow reader slows the writer and nothing is
 * lost at exit. Files and pipes are written to directly; terminals, and pipes that do not wait, through Node's stream.
 */
function createOutput(standard: Standard): Output {
  const isDevice = isCharacterDevice(standard.descriptor);
  const viaStream = streamWriter(standard);
  let isDirect = !isDevice;
  return {
    get isTerminal() {
      return isDevice && standard.stream().isTTY === true;
    },
    get columns() {
      return (isDevice && standard.stream().columns) || DEFAULT_COLUMNS;
    },
    get rows() {
      return (isDevice && standard.stream().rows) || DEFAULT_ROWS;
    },
    async write(text) {
      if (!isDirect) return viaStream(text);
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(standard.descriptor, bytes, written);
      } catch (error) {
        if (systemCode(error) !== 'EAGAIN') return standard.refused(error);
        // The pipe was told not to wait: its reader is late, and Node's stream knows how to wait for it.
        isDirect = false;
        return viaStream(bytes.subarray(written));
      }
    },
  };
}

function streamWriter(standard: Standard): (text: string | Uint8Array) => Promise<void> {
  let guarded = false;
  return (text) => {
    const stream = standard.stream();
    // Without a listener a broken pipe would be an uncaught error, besides the one that the write reports.
    if (!guarded) stream.on('error', () => undefined);
    guarded = true;
    return new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    }).catch(standard.refused);
  };
}

/** A reader of the data that has gone away ends the program; data that cannot be written are an error. */
function refuseData(error: unknown): void {
  if (systemCode(error) !== 'EPIPE') throw fileError('write to', 'the output', error);
  process.exit(0);
}

/** Terminals are; /dev/null is too. A descriptor that is closed is left to Node's stream. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return true;
  }
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
  async *pieces() {
    for await (const chunk of process.stdin) yield Buffer.from(chunk);
  },
};
