/** A chart of a listing as the text of a file. */
import type { PictureFormat } from '../format.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../shape.ts';
import { chartOf } from './chart.ts';
import { renderPage } from './page.ts';
import { renderSvg } from './svg.ts';

export async function pictureOf(listing: Listing, shape: Shape, format: PictureFormat): Promise<string> {
  const chart = chartOf(listing, shape);
  return format === 'svg' ? renderSvg(chart) : await renderPage(chart);
}
