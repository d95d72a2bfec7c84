import { MacroError } from '../../errors.ts';
import type { Output, Platform } from '../../platform/platform.ts';

/** The platform of a dry run. A change that does not go through the door is a defect, and is refused before it is made. */
export function unchangedPlatform(platform: Platform): Platform {
  const { files, fetch, keychain } = platform;
  const refuse = (what: string) => () => {
    throw new MacroError('internal', `A dry run was about to ${what}.`, {
      hint: 'Nothing was changed. Please report this.',
    });
  };
  return {
    ...platform,
    fetch: (url, init) => (/^(GET|HEAD)$/i.test(init.method ?? 'GET') ? fetch(url, init) : refuse('send a change')()),
    post: refuse('post an event'),
    files: {
      ...files,
      write: refuse('write a file'),
      grow: refuse('write a file'),
      append: refuse('write a file'),
      rename: refuse('rename a file'),
      copy: refuse('copy a file'),
      makeFolder: refuse('make a folder'),
      remove: refuse('remove a file'),
    },
    keychain: { ...keychain, write: refuse('write into the keychain'), remove: refuse('clear the keychain') },
  };
}

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
  return { isTerminal: false, columns: 80, rows: 24, write: async (text) => void parts.push(text) };
}
