import type { Output, Platform } from '../../../platform/platform.ts';
import { joinedText } from '../../output/piece.ts';

/** The same platform with streams of its own: what a command prints is for the program that runs it. */
export function capturedPlatform(platform: Platform): { platform: Platform; out(): string; err(): string } {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    stdout: outputInto(out),
    stderr: outputInto(err),
    stdin: { isTerminal: false, readBytes: async () => new Uint8Array(), async *pieces() {} },
  };
  return { platform: { ...platform, io }, out: () => out.join(''), err: () => err.join('') };
}

function outputInto(parts: string[]): Output {
  return { isTerminal: false, columns: 80, rows: 24, write: async (text) => void parts.push(joinedText([text])) };
}
