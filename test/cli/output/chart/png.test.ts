import { describe, expect, it } from 'vitest';
import { renderPng } from '../../../../src/cli/print/chart/png.ts';
import { pictureOf } from '../../../../src/cli/print/file.ts';
import type { Listing } from '../../../../src/cli/print/listing.ts';
import { asJsonText } from '../../../../src/contract/json/json.ts';

const SHAPE = { fields: undefined, sort: undefined, reverse: false };
const LISTING: Listing = {
  columns: ['date', 'val'],
  rows: ['{"date":"2026-01-03","val":1.30}', '{"date":"2026-01-01","val":1.20}'].map(asJsonText),
  chart: { at: 'date', panels: [{ values: ['val'] }] },
  facts: { nature: 'real' },
  body: () => asJsonText('{}'),
  view: { title: ['EUR/USD'], below: [] },
};

/** Signature and header by the standard (ISO/IEC 15948): eight bytes, then the length and name of IHDR, then width and height. */
function sizeOf(png: Uint8Array) {
  const bytes = Buffer.from(png);
  return [
    bytes.toString('latin1', 0, 8),
    bytes.toString('latin1', 12, 16),
    bytes.readUInt32BE(16),
    bytes.readUInt32BE(20),
  ];
}

const DRAWING = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20" font-family="sans-serif" font-size="12">${inside}</svg>`;
const TEXT = DRAWING('<text x="2" y="15">2026</text>');

describe('a chart as PNG', () => {
  it('is the drawing with two dots for one', async () => {
    const [, width, height] =
      / width="(\d+)" height="(\d+)"/.exec(String(await pictureOf(LISTING, SHAPE, 'svg'))) ?? [];
    expect(sizeOf(Buffer.from(await pictureOf(LISTING, SHAPE, 'png')))).toEqual([
      '\x89PNG\r\n\x1a\n',
      'IHDR',
      2 * Number(width),
      2 * Number(height),
    ]);
  });

  it('has the size that was asked for, with letters of double size where it is large', async () => {
    const sizes = [
      { width: 500, height: 400 },
      { width: 1920, height: 1080 },
    ];
    for (const size of sizes)
      expect(sizeOf(Buffer.from(await pictureOf(LISTING, { ...SHAPE, style: { size } }, 'png'))).slice(2)).toEqual([
        size.width,
        size.height,
      ]);
  });

  it('has letters, whatever fonts the machine has', async () => {
    expect(Buffer.from(await renderPng(TEXT)).equals(await renderPng(DRAWING('')))).toBe(false);
  });

  it('has the light colours where the drawing leaves them to the reader', async () => {
    const spelled = await renderPng(DRAWING('<rect width="40" height="20" style="fill:#0072b2"/>'));
    const left = await renderPng(DRAWING('<rect width="40" height="20" style="fill:var(--c0)"/>'));
    expect(Buffer.from(left).equals(spelled)).toBe(true);
    const dark = await renderPng(DRAWING('<rect width="40" height="20" style="fill:#56b4e9"/>'));
    const themed = await renderPng(DRAWING('<rect width="40" height="20" style="fill:var(--c0)"/>'), { theme: 'dark' });
    expect(Buffer.from(themed).equals(dark)).toBe(true);
  });
});
