import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHROMIUM, openBrowser, type Screen } from '../../../support/chromium.ts';
import { testPlatform } from '../../../support/platform.ts';
import { macro } from '../../../support/run.ts';
import { sandboxPath } from '../../../support/service.ts';

/** A page that a command made, open in a browser. */
async function pageOf(line: string, scheme: NonNullable<Screen['scheme']>) {
  const at = testPlatform();
  const path = await sandboxPath(at.platform);
  const { code, err } = await macro(`${line} --offline --mirror ${path} -o chart.html`, at);
  expect([code, err.includes('macro:')]).toEqual([0, false]);
  const browser = await openBrowser({ width: 1000, height: 900, scheme });
  onTestFinished(() => browser.close());
  await browser.open(pathToFileURL(join(at.folder, 'chart.html')).href);
  await browser.until("document.querySelectorAll('canvas').length > 0");
  return { browser, html: readFileSync(join(at.folder, 'chart.html'), 'utf8') };
}

/** The names of the lines in the legends, each with what it shows. */
const LEGEND = `[...document.querySelectorAll('.u-series')].map((one) => one.textContent.trim())`;

describe.skipIf(CHROMIUM === undefined)('a page with a chart (where Chromium is installed)', () => {
  it.each([
    [
      'fx eur usd --start 2026-06-01 --indicators sma_20,sma_50,rsi_14',
      ['USD for one EUR', 'RSI 14'],
      [
        /^date2026-\d\d-\d\d$/,
        /^EUR\/USD\d\.\d+$/,
        /^SMA 20\d\.\d+$/,
        /^SMA 50\d\.\d+$/,
        /^date2026-/,
        /^RSI 14\d+\.\d+$/,
      ],
    ],
    [
      'curve usd --date 2026-11-20,2026-09-20,2026-07-20',
      ['%'],
      [/^maturity\d+[YM]$/, /^2026-11-20\d+\.\d+$/, /^2026-09-20\d+\.\d+$/, /^2026-07-20\d+\.\d+$/],
    ],
    [
      'cot eur',
      ['contracts, net', 'open interest, contracts'],
      [/^date/, /^noncommercial net-?\d+$/, /^commercial net-?\d+$/, /^date/, /^open interest\d+$/],
    ],
    [
      'announcements usd inflation --forecasts --start 2023-11-01',
      ['%YoY'],
      [/^date20\d\d-\d\d-\d\d$/, /^value-?\d+(\.\d+)?$/, /^forecast(-?\d+(\.\d+)?|-)$/],
    ],
  ])('of %s shows the values under the pointer, and units', async (line, labels, values) => {
    const { browser } = await pageOf(line, 'light');
    const labelled = await browser.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.panel')].map((one) => one.textContent)`,
    );
    expect(labelled).toEqual(labels);
    const { x, y } = await browser.evaluate<{ x: number; y: number }>(
      `(() => { const { left, top, width, height } = document.querySelector('.u-over').getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 }; })()`,
    );
    await browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    await browser.until("document.querySelector('.u-series .u-value').textContent.trim() !== ''");
    const shown = (await browser.evaluate<readonly string[]>(LEGEND)).map((text) => text.replace(/: ?|\n/g, ''));
    expect(shown.length).toBe(values.length);
    for (const [i, pattern] of values.entries()) expect(shown[i]).toMatch(pattern);
    expect([browser.requested.filter((url) => !url.startsWith('file:')), browser.complaints]).toEqual([[], []]);
  });

  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(22, 24, 29)'],
  ] as const)('follows the %s scheme of the person', async (scheme, ground) => {
    const { browser } = await pageOf('cot eur', scheme);
    expect(await browser.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(ground);
  });
});
