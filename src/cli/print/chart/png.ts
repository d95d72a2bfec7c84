/** A drawn chart as dots, for letters and documents that take no SVG. */
import { brotliDecompressSync } from 'node:zlib';
import { lightColours } from './svg.ts';

/** Dots of the picture for one of the drawing: legible on dense screens and on paper. */
const ZOOM = 2;
const FONT_FAMILY = 'DejaVu Sans Condensed';

type Renderer = typeof import('@resvg/resvg-wasm');
let loading: Promise<{ readonly renderer: Renderer; readonly font: Uint8Array }> | undefined;

/** The bytes of a PNG. It is drawn in light colours with the font that the program carries: the same on every machine. */
export async function renderPng(svg: string): Promise<Uint8Array> {
  loading ??= load();
  const { renderer, font } = await loading;
  const drawing = new renderer.Resvg(lightColours(svg), {
    font: { fontBuffers: [font], defaultFontFamily: FONT_FAMILY, sansSerifFamily: FONT_FAMILY },
    fitTo: { mode: 'zoom', value: ZOOM },
  });
  try {
    return drawing.render().asPng();
  } finally {
    drawing.free();
  }
}

async function load(): NonNullable<typeof loading> {
  const [renderer, { rasterParts }] = await Promise.all([import('@resvg/resvg-wasm'), import('./raster-parts.ts')]);
  const parts = rasterParts();
  await renderer.initWasm(brotliDecompressSync(parts.renderer));
  return { renderer, font: brotliDecompressSync(parts.font) };
}
