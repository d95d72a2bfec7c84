import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBuilt } from '../../support/built.ts';
import { type BrowserPage, CHROMIUM, openBrowser, type Screen } from '../../support/chromium.ts';
import { freshFolder } from '../../support/platform.ts';
import { startSandbox } from '../../support/serving.ts';
import { type HoledMirror, serveHoled, WINDOW } from './holed-mirror.ts';

const KEY = 'tab-key-7';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Without a browser on the machine there is nothing to drive; the other files of this folder test the same server.
describe.skipIf(CHROMIUM === undefined)('the pages in Chromium', () => {
  let owner: HoledMirror;
  let keyed: HoledMirror;
  beforeAll(async () => {
    const keys = join(freshFolder(), 'keys.txt');
    writeFileSync(keys, `${KEY} individual reader\n`);
    owner = await serveHoled();
    keyed = await serveHoled(['--keys', keys]);
  });
  afterAll(() => Promise.all([owner?.serving.stop(), keyed?.serving.stop()]));

  async function withBrowser(screen: Screen, work: (page: BrowserPage) => Promise<void>): Promise<void> {
    const page = await openBrowser(screen);
    try {
      await work(page);
    } finally {
      await page.close();
    }
  }

  /** Chooses the window that the mirror misses in part. */
  async function chooseWindow(page: BrowserPage): Promise<void> {
    await page.until('document.querySelector("input[type=date]")');
    await page.evaluate(`(() => { const dates = document.querySelectorAll('input[type=date]');
      ['${WINDOW.start}', '${WINDOW.end}'].forEach((text, i) => { dates[i].value = text; dates[i].dispatchEvent(new Event('change', { bubbles: true })); }); })()`);
    await page.until('document.querySelector(".partial")?.innerText.includes("2024-01-01 to 2024-02-29")');
  }

  for (const screen of [
    { width: 1280, scheme: 'light' },
    { width: 390, scheme: 'dark' },
  ] as const)
    it(`have no barrier at ${screen.width} in ${screen.scheme}, fit the screen and ask nobody else`, async () => {
      const { origin } = owner.serving;
      await withBrowser(screen, async (page) => {
        for (const path of ['/', '/explore', '/docs']) {
          await page.open(`${origin}${path}`);
          if (path === '/explore') {
            await chooseWindow(page);
            await page.until('document.querySelector(".chart canvas")');
            await page.click('td button');
            await page.until('document.querySelector("#lineage dl")');
          }
          if (path === '/docs') {
            await page.click('.route summary');
            await page.until('document.querySelector("details[open] form")');
            await page.until('document.querySelector("#search input")');
          }
          // The policy forbids scripts in the page, not those of the debugger.
          await page.evaluate(`${AXE}; undefined`);
          const found = await page.evaluate<readonly string[]>(
            `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
          );
          expect([path, found]).toEqual([path, []]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        }
        expect(page.complaints).toEqual([]);
        expect(page.requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
      });
    });

  it('show a partial answer as partial, with its missing ranges, and move to a moment by keys', async () => {
    await withBrowser({ width: 1280 }, async (page) => {
      await page.open(`${owner.serving.origin}/explore`);
      await chooseWindow(page);
      expect(await page.evaluate('document.querySelector("main").innerText')).toMatch(
        /PARTIAL[\s\S]*2024-01-01 to 2024-02-29; 2024-06-29 to 2024-12-31[\s\S]*Download CSV \(partial\)/,
      );
      await page.evaluate('document.querySelector("#as-of").focus()');
      for (let i = 0; i < 3; i += 1) await page.press('ArrowLeft');
      await page.until('document.querySelector("main").innerText.includes("Shown as it was known on")');
      const text = await page.evaluate<string>('document.querySelector("pre:not(.banner pre)").innerText');
      expect(text).toMatch(/^macro fx eur usd .* --as-of \S+T23:59:59Z --availability public --offline$/);
    });
  });

  it('say once that data are made up, tell a group in few lines on a phone, and list releases as they come', async () => {
    const home = freshFolder();
    const { origin, stop } = await startSandbox(home);
    try {
      await withBrowser({ width: 390 }, async (page) => {
        await page.open(`${origin}/explore`);
        await page.until('document.querySelector(".chart canvas")');
        expect(await page.evaluate('document.querySelector("main").innerText.match(/MADE UP/g).length')).toBe(1);
        await page.open(`${origin}/`);
        const tallest = `Math.max(...[...document.querySelectorAll('.stack tbody tr')].map((row) => row.offsetHeight))`;
        expect(await page.evaluate(tallest)).toBeLessThanOrEqual(120);
        await page.until('document.body.innerText.includes("connected:")');
        runBuilt(['webhooks', 'trigger', 'usd', 'inflation', '--val', '3.4'], { MACRO_HOME: home });
        await page.until('document.querySelector("#events li")');
        expect(await page.evaluate('document.querySelector("#events li").innerText')).toMatch(
          /^usd inflation 3\.4 of 2026-10-31, released \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
        );
      });
    } finally {
      await stop();
    }
  });

  it('keep a key in the tab and out of every address', async () => {
    const { origin } = keyed.serving;
    await withBrowser({ width: 390 }, async (page) => {
      await page.open(origin);
      await page.until('document.querySelector("input[type=password]")');
      expect(await page.evaluate('document.querySelector("#private").innerText')).toContain('need a key');
      await page.click('input[type=password]');
      await page.type(KEY);
      await page.press('Enter');
      await page.until('document.querySelector("#private").innerText.includes("Webhook deliveries")');
      await page.until('document.body.innerText.includes("connected:")');
      expect(page.requested.filter((url) => url.includes(KEY))).toEqual([]);
      expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    });
  });

  it('try a route with a key of the tab, and show the answer below the form', async () => {
    await withBrowser({ width: 1280 }, async (page) => {
      await page.open(`${owner.serving.origin}/docs`);
      await page.until('document.querySelector("#key input")');
      await page.click('#key input');
      await page.type('any-key');
      await page.press('Enter');
      await page.evaluate(`document.getElementById('forex')?.scrollIntoView(); [...document.querySelectorAll('details')]
        .find((one) => one.innerText.includes('/v1/forex/{base}/{quote}')).open = true`);
      await page.until('document.querySelector("details[open] form")');
      await page.click('details[open] form button');
      await page.until('document.querySelector("details[open] [role=status] strong")');
      const shown = await page.evaluate<readonly [string, boolean]>(`(() => {
        const [answer, form] = ['[role=status]', 'form'].map((name) => document.querySelector('details[open] ' + name));
        return [answer.querySelector('strong').innerText, answer.getBoundingClientRect().top >= form.getBoundingClientRect().bottom];
      })()`);
      expect(shown).toEqual(['200 OK PARTIAL: the mirror has only part of this', true]);
    });
  });

  it('draw the indicators that are chosen, and say where a value came from', async () => {
    await withBrowser({ width: 1280 }, async (page) => {
      await page.open(`${owner.serving.origin}/explore`);
      await chooseWindow(page);
      await page.click('.indicators summary');
      await page.evaluate(`[...document.querySelectorAll('.checks label')]
        .filter((one) => ['rsi_14', 'cci_20', 'sma_20'].includes(one.innerText.trim())).forEach((one) => one.querySelector('input').click())`);
      await page.until('document.querySelectorAll(".chart canvas").length === 2');
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.legend')].map((one) => [...one.children].map(({ innerText }) => innerText))`,
        ),
      ).toEqual([['USD for one EUR', 'EUR/USD', 'SMA 20'], ['CCI 20']]);
      // RSI rests on every rate before, which the mirror misses: it has no value to draw, and the page says why.
      expect(await page.evaluate('document.querySelector(".partial").innerText')).toMatch(
        /dates up to 2023-12-31 for [\w, ]*rsi_14/,
      );
      const heads = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('th')].map(({ innerText }) => innerText)`,
      );
      expect([heads[0], heads.at(-1), heads.filter((name) => name.startsWith('observation'))]).toEqual([
        'date',
        'origin',
        [],
      ]);
    });
  });

  it('say that no series has a name which is typed while an answer is awaited', async () => {
    await withBrowser({ width: 1280 }, async (page) => {
      await page.open(`${owner.serving.origin}/explore`);
      await chooseWindow(page);
      const enter = async (selector: string, text: string, event: string) =>
        page.evaluate(`(() => { const field = document.querySelector('${selector}'); field.value = '${text}';
          field.dispatchEvent(new Event('${event}', { bubbles: true })); })()`);
      await enter('input[type=date]', '2024-03-01', 'change');
      await enter('#series', 'fx eur', 'input');
      await page.until('document.querySelector("main [role=status]").innerText.startsWith("No series has this name")');
    });
  });

  it('find a route by words', async () => {
    await withBrowser({ width: 1280 }, async (page) => {
      await page.open(`${owner.serving.origin}/docs`);
      await page.until('document.querySelector("#search input")');
      await page.click('#search input');
      await page.type('bond curve');
      const shown = `[...document.querySelectorAll('.route:not([hidden])')].map(({ id }) => id)`;
      await page.until(`${shown}.length === 1`);
      expect(await page.evaluate(shown)).toEqual(['curves']);
      expect(await page.evaluate('document.querySelector("#search").innerText')).toContain('1 route');
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.side li:not([hidden])')].map(({ innerText }) => innerText)`,
        ),
      ).toEqual(['/curves/{currency}']);
    });
  });

  it('tell the facts with scripts switched off', async () => {
    await withBrowser({ width: 390, scripts: false }, async (page) => {
      await page.open(owner.serving.origin);
      const text = await page.evaluate<string>('document.body.innerText');
      expect(text).toContain('fx reference rates');
      expect(text).toContain('Live events need JavaScript here.');
    });
  });
});
