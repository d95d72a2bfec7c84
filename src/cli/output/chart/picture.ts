/** A chart of a listing as the contents of a file. */
import type { PictureFormat } from '../format.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../shape.ts';
import { chartOf } from './chart.ts';
import { renderPage } from './page.ts';
import { renderSvg } from './svg.ts';

export async function pictureOf(listing: Listing, shape: Shape, format: PictureFormat): Promise<string | Uint8Array> {
  return format === 'png' ? pngOf(await textPictureOf(listing, shape, 'svg')) : textPictureOf(listing, shape, format);
}

/** The same as text, where it is one. */
export async function textPictureOf(
  listing: Listing,
  shape: Shape,
  format: Exclude<PictureFormat, 'png'>,
): Promise<string> {
  const chart = chartOf(listing, shape);
  return format === 'svg' ? renderSvg(chart) : renderPage(chart);
}

async function pngOf(svg: string): Promise<Uint8Array> {
  const { renderPng } = await import('./png.ts');
  return renderPng(svg);
}
