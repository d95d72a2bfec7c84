// What draws a PNG, compressed: the renderer, and one font.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { root } from './sources.mjs';

const part = (...path) => brotliCompressSync(readFileSync(join(root, 'node_modules', ...path)));

export const compressedParts = () => ({
  renderer: part('@resvg', 'resvg-wasm', 'index_bg.wasm'),
  font: part('dejavu-fonts-ttf', 'ttf', 'DejaVuSansCondensed.ttf'),
});
