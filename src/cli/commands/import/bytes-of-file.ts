import { basename, resolve } from 'node:path';
import type { FileBytes } from '../../../imports/read/open-file.ts';
import type { App } from '../../app/app.ts';

/** A file that was named, or standard input for `-`. */
export async function bytesOfFile({ platform: { files, io, cwd } }: App, name: string): Promise<FileBytes> {
  if (name !== '-') return { name: basename(name), pieces: () => files.pieces(resolve(cwd, name)) };
  const bytes = await io.stdin.readBytes();
  return { name, pieces: () => [bytes] };
}
