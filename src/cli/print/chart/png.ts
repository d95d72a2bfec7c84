/** A drawn chart as dots, for letters and documents that take no SVG. */
import { brotliDecompressSync } from 'node:zlib';
import type { ChartStyle } from '../../parse/options.ts';
import type { Chart } from './chart.ts';
import { renderSvg, spelledColours } from './svg.ts';

/** Dots of the picture for one of the drawing: legible on dense screens and on paper. */
const ZOOM = 2;
/** Pixels across. */
const SMALL = 1600;
const FONT_FAMILY = 'DejaVu Sans Condensed';

let loading: ReturnType<typeof load> | undefined;

/** A chart as PNG. Pixels that were asked for are those of the file; a small picture has no letters of double size. */
export function drawPng(chart: Chart, { size, theme }: ChartStyle = {}): Promise<Uint8Array> {
  const zoom = size && size.width < SMALL ? 1 : ZOOM;
  const drawn = size && { width: size.width / zoom, height: size.height / zoom };
  return renderPng(renderSvg(chart, { size: drawn }), { zoom, theme });
}

/** The bytes of a PNG, drawn with the font that the program carries: the same on every machine. `zoom`: dots for one of the drawing. */
export async function renderPng(
  svg: string,
  { zoom = ZOOM, theme }: { readonly zoom?: number; readonly theme?: ChartStyle['theme'] } = {},
): Promise<Uint8Array> {
  loading ??= load();
  const { renderer, font } = await loading;
  const drawing = new renderer.Resvg(spelledColours(svg, theme), {
    font: { fontBuffers: [font], defaultFontFamily: FONT_FAMILY, sansSerifFamily: FONT_FAMILY },
    fitTo: { mode: 'zoom', value: zoom },
  });
  try {
    return drawing.render().asPng();
  } finally {
    drawing.free();
  }
}

async function load() {
  const [renderer, { rasterParts }] = await Promise.all([import('@resvg/resvg-wasm'), import('./raster-parts.ts')]);
  const parts = rasterParts();
  await renderer.initWasm(brotliDecompressSync(parts.renderer));
  return { renderer, font: brotliDecompressSync(parts.font) };
}
