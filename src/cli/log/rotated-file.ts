// A file that is written at its end and begun anew when it is large; the ones before it are kept for a while.
import type { Files } from '../../platform/platform.ts';

/** Bytes after which a file is begun anew. */
const MAX_BYTES = 1_048_576;

/** Files kept beside the one that is written: `.1` is the newest. */
const KEPT_FILES = 5;

/** Appends a text. A file that would grow too large by it is set aside first. */
export function appendRotated(files: Files, path: string, text: string): void {
  const size = files.size(path) ?? 0;
  if (size > 0 && size + Buffer.byteLength(text) > MAX_BYTES) setAside(files, path);
  files.append(path, text);
}

function setAside(files: Files, path: string): void {
  for (let i = KEPT_FILES - 1; i >= 1; i--)
    if (files.exists(`${path}.${i}`)) files.rename(`${path}.${i}`, `${path}.${i + 1}`);
  files.rename(path, `${path}.1`);
}
