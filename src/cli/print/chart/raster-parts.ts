/** The parts that draw a picture of dots, compressed: the renderer, and a font for machines without one. */
import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';
import { nodeFiles } from '../../../platform/node-files.ts';

const { resolve } = createRequire(import.meta.url);
const part = (file: string): Uint8Array => brotliCompressSync(nodeFiles.readBytes(resolve(file)));

/** The build puts the bytes in place of this function, so that an installation needs no package. */
export const rasterParts = (): { readonly renderer: Uint8Array; readonly font: Uint8Array } => ({
  renderer: part('@resvg/resvg-wasm/index_bg.wasm'),
  font: part('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
});
