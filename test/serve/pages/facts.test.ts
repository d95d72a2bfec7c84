import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { urlToHttpOptions } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledPages } from '../../../scripts/carried.mjs';
import { freshFolder } from '../../support/platform.ts';
import { type Serving, startSandbox } from '../../support/serving.ts';

const KEY = 'page-key-1';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Text of a page as a reader without scripts sees it. */
const plain = (html: string) =>
  html
    .replace(/<(noscript|script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');

describe('the page at /', () => {
  let owner: Serving;
  let keyed: Serving;
  let bare: Serving;
  beforeAll(async () => {
    const keys = join(freshFolder(), 'keys.txt');
    writeFileSync(keys, `${KEY} individual reader\n`);
    owner = await startSandbox();
    keyed = await startSandbox(freshFolder(), ['--keys', keys], { quotas: true });
    bare = await startSandbox(freshFolder(), ['--no-pages']);
  });
  afterAll(() => Promise.all([owner?.stop(), keyed?.stop(), bare?.stop()]));

  it('tells without scripts what the mirror is', async () => {
    const response = await fetch(owner.origin);
    const text = plain(await response.text());
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('MADE UP These data are synthetic. No number here is real.');
    expect(text).toContain('Data synthetic data');
    expect(text).toMatch(
      /Coverage group series rows .* announcements [\d,]+ [\d,]+ the beginning \d{4}-\d\d-\d\d 0 \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    expect(text).toMatch(/ press releases [\d,]+ [\d,]+ the beginning 2026-11-20 0 /);
    expect(text).toContain('Quota at the service No service is asked for this mirror.');
    expect(text).toContain('Last runs No sync of this mirror has run.');
    expect(text).toContain('Webhook subscriptions There are none.');
    expect(text).toContain('Webhook deliveries There are none.');
  });

  it('lets the browser load and run nothing but its own files', async () => {
    for (const path of ['/', '/pages/assets/page.css', '/pages/assets/home.js']) {
      const response = await fetch(`${owner.origin}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-security-policy')).toBe(POLICY);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const body = await response.text();
      expect(body).not.toMatch(/\sstyle=|\son\w+=|<script(?! type="module" src="\/)/);
    }
    const css = await fetch(`${owner.origin}/pages/assets/page.css`);
    expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const etag = css.headers.get('etag') ?? '';
    const again = await fetch(css.url, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });

  it('ships no address of anybody else, and stays small', async () => {
    const assets = await bundledPages();
    expect(Object.keys(assets)).toEqual(expect.arrayContaining(['home.js', 'page.css']));
    // Names of XML vocabularies are no addresses: nothing asks them for anything.
    const found = Object.values(assets).flatMap((text) => text.match(/(?:https?:)?\/\/[\w.-]+\.\w+[^\s"'`)]*/g) ?? []);
    expect(found.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(Object.values(assets).join('').length).toBeLessThan(150_000);
  });

  it('keeps what is the owner’s from readers without a key', async () => {
    const stranger = plain(await (await fetch(keyed.origin)).text());
    expect(stranger).toContain('These need a key of this server.');
    expect(stranger).not.toContain('Webhook deliveries');
    const reader = plain(await (await fetch(keyed.origin, { headers: { 'X-API-Key': KEY } })).text());
    expect(reader).toContain('Webhook deliveries There are none.');
    const wrong = await fetch(keyed.origin, { headers: { 'X-API-Key': 'no-key' } });
    expect([wrong.status, await wrong.json()]).toEqual([401, expect.objectContaining({ code: 'invalid_api_key' })]);
  });

  it('spends no quota of its reader', async () => {
    const left = async () => {
      const response = await fetch(`${keyed.origin}/v1/forex/EUR/USD`, { headers: { 'X-API-Key': KEY } });
      await response.arrayBuffer();
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const before = await left();
    for (const path of ['/', '/pages/assets/home.js', '/'])
      await (await fetch(`${keyed.origin}${path}`, { headers: { 'X-API-Key': KEY } })).arrayBuffer();
    // A new minute begins with 300 requests.
    expect([before - 1, 299]).toContain(await left());
  });

  it('streams events to a page, with the access of its reader', async () => {
    const stop = new AbortController();
    const response = await fetch(`${owner.origin}/pages/events`, { signal: stop.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain(': connected');
    stop.abort();
  });

  it('leaves the pages out with --no-pages', async () => {
    for (const path of ['/', '/docs']) {
      const response = await fetch(`${bare.origin}${path}`);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await response.text()).toContain('All routes, their parameters and answers: /openapi.json');
    }
    expect((await fetch(`${bare.origin}/pages/assets/page.css`)).status).toBe(404);
    // The target of a request about the server itself is no path.
    const status = new Promise((resolve) =>
      get({ ...urlToHttpOptions(new URL(bare.origin)), path: '*' }, ({ statusCode }) => resolve(statusCode)),
    );
    expect(await status).toBe(404);
  });
});
