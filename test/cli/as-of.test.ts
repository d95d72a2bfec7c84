import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

/** Midnight of 21 November 2026, when the file is read; a day later a corrected file is. */
const READ = '2026-11-21T00:00:00Z';
const CORRECTED = '2026-11-22T00:00:00Z';

const file = (rates: readonly string[]) => `${['Date,USD,GBP', ...rates].join(',\n')},\n`;
const folder = freshFolder();

async function read(now: string, rates: readonly string[]) {
  const path = join(folder, 'rates.csv');
  writeFileSync(path, file(rates));
  const { code, err } = await macro(`import ecb ${path} --quiet`, testPlatform({ folder, now }));
  expect([code, err]).toEqual([0, '']);
}

beforeAll(async () => {
  await read(READ, ['2026-11-20,1.15,0.9', '2026-11-19,1.14,0.88', '2026-11-18,1.13,0.87']);
  await read(CORRECTED, ['2026-11-20,1.16,0.9', '2026-11-19,1.14,0.88', '2026-11-18,1.13,0.87']);
});

const run = (line: string) => macro(line, testPlatform({ folder, now: '2026-11-23T12:00:00Z' }));
const rows = async (line: string) => {
  // A file of three days is no whole history.
  const { out, code } = await run(`${line} --allow-partial --fields date,val --format csv --no-header`);
  return [code, ...out.trim().split('\n')];
};

describe('a question of the past', () => {
  it('is answered from what was public: European reference rates since 16:00 in Frankfurt', async () => {
    expect(await rows('fx eur usd --as-of 2026-11-20T14:59:59Z --limit 1')).toEqual([0, '2026-11-19,1.14']);
    expect(await rows('fx eur usd --as-of 2026-11-20T15:00:00Z --limit 1')).toEqual([0, '2026-11-20,1.15']);
    expect(await rows('fx eur usd --as-of 2026-11-21 --limit 1')).toEqual([0, '2026-11-20,1.15']);
    expect(await rows('fx eur usd --as-of yesterday --limit 1')).toEqual([0, '2026-11-20,1.16']);
    // It is 12:00 on 23 November; the file was corrected 36 hours ago.
    expect(await rows('fx eur usd --as-of now --limit 1')).toEqual([0, '2026-11-20,1.16']);
    expect(await rows('fx eur usd --as-of -36h --limit 1')).toEqual([0, '2026-11-20,1.16']);
    expect(await rows('fx eur usd --as-of -2161min --limit 1')).toEqual([0, '2026-11-20,1.15']);
  });

  it('knows a cross when both of its legs were known, and a correction since the mirror saw it', async () => {
    expect(await rows('fx gbp usd --as-of 2026-11-20T14:59:59Z --limit 1')).toEqual([0, '2026-11-19,1.295455']);
    expect(await rows('fx gbp usd --as-of 2026-11-21T12:00:00Z --limit 1')).toEqual([0, '2026-11-20,1.277778']);
    expect(await rows('fx gbp usd --as-of 2026-11-22 --limit 1')).toEqual([0, '2026-11-20,1.288889']);
  });

  it('ends its window on its day, and words mean that day', async () => {
    expect(await rows('fx eur usd --as-of 2026-11-19T20:00:00Z --start -1d')).toEqual([
      0,
      '2026-11-19,1.14',
      '2026-11-18,1.13',
    ]);
    expect(await rows('fx eur usd --as-of 2026-11-19T20:00:00Z --start today')).toEqual([0, '2026-11-19,1.14']);
  });

  it('says that times of release are assumed, unless the times of this mirror count', async () => {
    const note =
      'note: Release times here are assumed, rather late than early: a newer value may have been public already.';
    expect((await run('fx eur usd --as-of 2026-11-21 --limit 1 --allow-partial')).err).toContain(note);
    const mirrored = await run('fx eur usd --as-of 2026-11-21 --availability mirrored --limit 1 --allow-partial');
    expect(mirrored.err).not.toContain(note);
  });

  it('asks what this mirror held, and says when it held nothing', async () => {
    expect(await rows('fx eur usd --as-of 2026-11-21 --availability mirrored --limit 1')).toEqual([
      0,
      '2026-11-20,1.15',
    ]);
    const { code, out, err } = await run('fx eur usd --as-of 2026-11-20 --availability mirrored');
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('The mirror does not know its own rows of fx EUR USD at 2026-11-20T00:00:00Z.');
    expect(err).toContain('It has them since 2026-11-21T00:00:00Z.');
  });

  it('says that nothing was known before everything that is held, and with what that begins', async () => {
    const begins =
      'note: Stored values for this begin with 2026-11-18, and none of it was known at 1950-01-01T00:00:00Z.';
    const { code, err } = await run('fx eur usd --as-of 1950-01-01 --allow-partial');
    expect(code).toBe(0);
    expect(err.split('\n').filter((line) => line.startsWith('note: '))).toEqual([
      'note: No rate of EUR/USD was known at that moment.',
      begins,
    ]);
    const cross = await run('fx gbp usd --as-of 1950-01-01 --allow-partial');
    expect(cross.err).toContain('note: No rate of GBP/USD was known at that moment.');
    expect(cross.err).toContain(begins);
    // Rates were known then, and none of this window.
    const window = await run('fx eur usd --as-of 2026-11-21 --start 2026-01-01 --end 2026-01-31 --allow-partial');
    expect(window.err).not.toContain('none of it was known');
    expect(window.err).not.toContain('No rate');
  });

  it('says of which moment it is, and what the answer rests on', async () => {
    const { out, err } = await run('fx eur usd --as-of 2026-11-20 --limit 1 --format table');
    expect(out).toContain('as the public knew it on 2026-11-20T00:00:00Z');
    expect(out).toContain('2026-11-19 (1 day old)');
    expect(err).toContain('stored only after that moment');
    const beyond = await run('fx eur usd --as-of 2026-11-23 --limit 1');
    expect(beyond.err).toContain('last confirmed at 2026-11-22T00:00:00Z, before that moment');
  });

  it('lacks nothing on the weekend behind a file that ends on a Friday', async () => {
    const line = 'fx eur usd --start 2026-11-18 --end 2026-11-20 --quiet --format json --as-of';
    const { code, out } = await run(`${line} 2026-11-22`);
    expect([code, JSON.parse(out).data[0].val, JSON.parse(out).mirror]).toEqual([0, 1.16, undefined]);
    const known = await run(`${line} 2026-11-21`);
    expect([known.code, JSON.parse(known.out).data[0].val, known.err]).toEqual([0, 1.15, '']);
  });
});

it('a word for a moment stands where a cursor may be a moment', async () => {
  const { platform } = testPlatform({});
  const path = await sandboxPath(platform);
  const since = (moment: string) => macro(`announcements changes --since ${moment} --offline --mirror ${path}`);
  const [word, moment] = [await since('-24h'), await since('2026-11-20T05:46:13Z')];
  expect([word.code, word.out.trim().split('\n').length > 1]).toEqual([0, true]);
  expect(word).toEqual(moment);
});

describe('what cannot be asked', () => {
  it.each([
    ['fx eur usd --as-of 2026-11-24', '--as-of 2026-11-24T00:00:00Z lies in the future.'],
    ['fx eur usd --as-of +1s', '--as-of 2026-11-23T12:00:01Z lies in the future.'],
    ['fx eur usd --as-of soon', "'soon' is no moment for --as-of."],
    ['fx eur usd --as-of 2026-02-30', "'2026-02-30' is no moment for --as-of."],
    ['fx eur usd --availability captured', '--availability says to whom something was known at a moment'],
    [
      'fx eur usd --as-of -1d --availability public,captured',
      "'public,captured' is no legal value for --availability.",
    ],
    ['fx eur usd --as-of -1d --live', 'The service knows no as_of for forex.'],
    [
      'announcements usd inflation --as-of -1d --availability mirrored --live',
      'Only this mirror knows what it had stored.',
    ],
    ['sessions --as-of -1d', "Unknown option '--as-of'."],
  ])('%s', async (line, sentence) => {
    const { code, out, err } = await macro(
      line,
      testPlatform({ folder, now: '2026-11-23T12:00:00Z', env: { MACRO_BASE_URL: 'https://api.example.test' } }),
    );
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
  });
});

describe('every command about what the mirror keeps', () => {
  it.each([
    'announcements usd inflation',
    'announcements latest usd',
    'announcements recent usd',
    'announcements changes --since 2026-11-20',
    'calendar usd',
    'catalogue usd',
    'fx eur usd --indicators all',
    'fx gbp jpy',
    'fx reference eur usd',
    'fx intraday eur usd',
    'fx session eur usd --session london',
    'curve usd',
    'differential eur usd',
    'sentiment',
    'sentiment changes',
    'factor usd',
    'cot eur',
    'commodities gold',
    'commodities latest',
    'press usd',
    'prices usd',
    'predictions usd inflation',
    'panel --series usd/inflation --at 2026-11-20',
    'settlement record usd inflation',
  ])(
    '%s answers of the moment at which it was filled as it does now, and of a moment before says so or less',
    async (line) => {
      const { platform } = testPlatform({});
      const path = await sandboxPath(platform);
      const ask = (more: string) => macro(`${line} --offline --mirror ${path} --format json ${more}`);
      const [now, then] = [await ask(''), await ask('--as-of 2026-11-21T05:46:13Z --availability mirrored')];
      expect([line, then.code]).toEqual([line, now.code]);
      const list = (text: string) => JSON.parse(text).data ?? JSON.parse(text);
      if (Array.isArray(list(now.out))) expect(list(then.out)).toHaveLength(list(now.out).length);
      expect([0, 3, 10]).toContain((await ask('--as-of 2026-06-01')).code);
      expect((await ask('--as-of 2026-06-01 --availability mirrored')).code).toBe(3);
    },
  );
});
