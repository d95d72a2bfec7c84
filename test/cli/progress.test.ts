import { beforeAll, describe, expect, it } from 'vitest';
import { openMessages } from '../../src/cli/print/messages.ts';
import { openProgressBar } from '../../src/cli/print/progress-bar.ts';
import type { Output } from '../../src/platform/platform.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';
const CLEAR = '\r\u001b[2K';

beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

/** A world whose stderr is a wide terminal, and everything that was drawn on it. */
async function world() {
  const upstream = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  const at = testPlatform({
    now: NOW,
    env,
    fetch: service.fetch,
    stdin: 'Date,USD,\n2026-11-20,1.1502,\n2026-11-19,1.1490,\n',
  });
  const drawn: string[] = [];
  const stderr: Output = {
    isTerminal: true,
    rows: 24,
    columns: 200,
    write: async (text) => void drawn.push(String(text)),
  };
  const platform = { ...at.platform, io: { ...at.platform.io, stderr } };
  const terminal: TestPlatform = { ...at, platform };
  return { at: terminal, drawn };
}

/** What each frame shows, and whether the last thing drawn on the line was to clear it. */
function framesIn(drawn: readonly string[]) {
  const bars = drawn.filter((text) => text.startsWith(CLEAR) && text.length > CLEAR.length);
  const numberIn = (text: string, what: RegExp) => Number(what.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
  return {
    bars,
    shares: bars.filter((text) => text.includes('%')).map((text) => numberIn(text, /(\d+) %/)),
    rows: bars.map((text) => numberIn(text, /([\d,]+) rows/)),
    requests: bars.map((text) => numberIn(text, /([\d,]+) request/)),
    isCleared: drawn.lastIndexOf(CLEAR) > drawn.lastIndexOf(bars.at(-1) ?? ''),
    // A message begins on a line that was cleared.
    isClean: drawn.every((text, i) => text.startsWith(CLEAR) || i === 0 || !bars.includes(drawn[i - 1] ?? '')),
  };
}

const isMonotonic = (numbers: readonly number[]) => numbers.every((n, i) => i === 0 || n >= (numbers[i - 1] ?? 0));

const PAIRS = ['eur usd', 'usd jpy', 'gbp usd', 'aud usd', 'usd cad', 'usd chf', 'nzd usd'];

describe('the bar of long work', () => {
  it('of a sync of 50 series never runs backwards, ends near whole and is cleared', async () => {
    const { at, drawn } = await world();
    const words = [...PAIRS.map((pair) => `fx ${pair}`), 'cot', 'commodities', 'announcements usd', 'sentiment'];
    const { out, code } = await macro(`sync ${words.join(', ')} --format tsv`, at);
    const asked = out.trim().split('\n').length - 1;
    const frames = framesIn(drawn);
    expect([code, asked >= 50]).toEqual([0, true]);
    expect(frames.bars.length).toBeGreaterThan(50);
    for (const numbers of [frames.shares, frames.rows, frames.requests]) expect(isMonotonic(numbers)).toBe(true);
    expect(frames.shares[0]).toBeLessThan(20);
    expect(frames.shares.at(-1)).toBeGreaterThan(90);
    expect(frames.bars.at(-1)).toMatch(/\] \d+ %, [\d,]+ rows, \d+ requests, \d+ of \d+ left this \w+, /);
    expect([frames.isCleared, frames.isClean]).toEqual([true, true]);
  });

  it('of an import ends whole and is cleared', async () => {
    const { at, drawn } = await world();
    expect((await macro('import ecb -', at)).code).toBe(0);
    const frames = framesIn(drawn);
    expect([frames.shares, frames.rows, frames.isCleared]).toEqual([[100], [2], true]);
  });

  it('of an export, a check and a backup is monotonic, ends whole and is cleared', async () => {
    const { at, drawn } = await world();
    await macro('sync fx eur usd, fx gbp usd --quiet', at);
    for (const line of ['mirror export fx -o rates.csv', 'mirror verify', 'mirror backup copy.db']) {
      drawn.length = 0;
      expect([line, (await macro(line, at)).code]).toEqual([line, 0]);
      const frames = framesIn(drawn);
      expect([line, frames.shares.at(-1), isMonotonic(frames.shares), frames.isCleared]).toEqual([
        line,
        100,
        true,
        true,
      ]);
    }
  });

  it('of --all tells rows, requests and quota', async () => {
    const { at, drawn } = await world();
    await macro('fx eur usd --all --live --start 2014-01-01 -o all.csv', at);
    const frames = framesIn(drawn);
    expect([isMonotonic(frames.shares), frames.shares.at(-1), frames.isCleared]).toEqual([true, 100, true]);
    expect(frames.bars.at(-1)).toMatch(/ rows, \d+ requests?/);
  });

  it('tells the time that is left, frame by frame, and holds what would run backwards', async () => {
    const at = testPlatform({ terminal: true });
    const bar = openProgressBar(openMessages(at.platform, { form: 'text', quiet: false, verbose: false }), at.clock);
    bar.show({ share: 0.1, rows: 1000, requests: 1, what: 'a' });
    at.clock.jump(10_000);
    bar.show({ share: 0.05, rows: 900, requests: 0, what: 'b' });
    bar.show({ share: 0.5, rows: 5000, requests: 9, quota: '280 of 300 left this minute' });
    bar.show({ share: 0.5, rows: 5000, requests: 9, quota: '280 of 300 left this minute' });
    await Promise.resolve();
    expect(at.err().split(CLEAR)).toEqual([
      '',
      '[##------------------] 10 %, 1,000 rows, 1 request, a',
      '[##------------------] 10 %, 1,000 rows, 1 request, 90 s left, b',
      '[##########----------] 50 %, 5,000 rows, 9 requests, 280 of 300 left this minut',
    ]);
  });

  it('is a line a minute where stderr is no terminal', async () => {
    const at = testPlatform();
    const bar = openProgressBar(openMessages(at.platform, { form: 'text', quiet: false, verbose: false }), at.clock);
    for (const share of [0.1, 0.2, 0.3, 0.4, 0.5]) {
      at.clock.jump(30_000);
      bar.show({ share });
    }
    expect(at.err()).toBe('[####----------------] 20 %, 4 min left\n[########------------] 40 %, 3 min left\n');
  });

  it('leaves no line behind when the work fails', async () => {
    const { at, drawn } = await world();
    const broken = {
      ...at.platform,
      fetch: async (url: string, init: RequestInit) =>
        url.includes('offset') ? new Response('<html>') : at.platform.fetch(url, init),
    };
    await macro('sync fx eur usd', { ...at, platform: broken });
    expect(framesIn(drawn).isClean).toBe(true);
  });
});
