import { describe, expect, it } from 'vitest';
import { main } from '../../src/main.ts';
import { fileError } from '../../src/platform/file-error.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const SERVICE = { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'canary-key-99' };
const DATES = 'Dates are YYYY-MM-DD, today, ytd, or -90d, -1w, -3m, -2y from today.';

describe('a wrong word, option or value', () => {
  // A request would fail the test loudly: everything here is found before one.
  it.each([
    ['fx', 'macro fx needs BASE QUOTE.', 'For example: macro fx eur usd --indicators all'],
    [
      'fx eur u5d',
      "'u5d' is no currency code for QUOTE.",
      'Did you mean USD? Legal values are AUD, BRL, CAD, CHF, CNH, CNY, DKK, EUR, GBP, ILS, JPY, NGN, NOK, NZD, PEN, SEK, THB, USD.',
    ],
    ['fx eur eur', 'QUOTE: base and quote must differ.', 'For example: macro fx eur usd --indicators all'],
    ['fx eur usd --start yesteryear', "'yesteryear' is no date for --start.", DATES],
    ['fx eur usd --start 2026-02-30', "'2026-02-30' is no date for --start.", DATES],
    [
      'fx eur usd --start today --end -5d',
      '--start must not be after --end.',
      'The earlier date comes first: --start 2026-01-01 --end 2026-06-30. Without --start the window begins 365 days ago, so add --start for an earlier end.',
    ],
    [
      'fx eur usd --indicators macd,rsi,sma_20',
      "'rsi' is no legal value for --indicators.",
      'Did you mean rsi_14? Legal values are adx_14, atr_14, bollinger_bands, cci_20, donchian_20, ema_12, ema_20, ema_200, ema_26, ema_50, macd, macd_histogram, macd_signal, rsi_14, sma_20, sma_200, sma_50, stochastic_14_3, williams_r_14, all.',
    ],
    ['fx eur usd --limit 0', "'0' is no value for --limit.", 'Give a whole number from 1 to 999999999.'],
    ['fx eur usd --limit many', "'many' is no value for --limit.", 'Give a whole number from 1 to 999999999.'],
    ['fx eur usd --offset -1', "'-1' is no value for --offset.", 'Give a whole number from 0 to 999999999.'],
    ['fx eur usd --page 0', "'0' is no value for --page.", 'Give a whole number from 1 to 999999999.'],
    [
      'fx eur usd --all --limit 5',
      '--all and --limit, --offset or --page exclude each other.',
      'Leave out --all, or the others.',
    ],
    ['fx eur usd --live --offline', '--live and --offline exclude each other.', 'Leave one of them out.'],
    [
      'fx eur usd --offline --param a=1',
      '--param is for the service and cannot be answered --offline.',
      'Leave out --offline or --param.',
    ],
    ['fx eur usd --param a', '--param is written name=value.', 'For example: --param frequency=qoq'],
    ['fx eur usd --param limit=5', 'This tool knows the parameter limit.', 'Write --limit.'],
    ['fx eur usd --param start_date=2026-01-01', 'This tool knows the parameter start_date.', 'Write --start.'],
    [
      'fx eur usd --param api_key=canary-key-99',
      'A key never travels in a URL.',
      'Keep it with macro auth login, or in MACRO_API_KEY.',
    ],
    [
      'fx eur usd --max-age soon',
      "'soon' is no duration for --max-age.",
      'Durations are 90s, 15m, 6h, 2d, 1w, or a number of seconds.',
    ],
    ['fx eur usd --format xml', "There is no format 'xml'.", 'Formats are table, json, ndjson, csv, tsv, md.'],
    [
      'fx eur usd -o rates.ods',
      "The ending of 'rates.ods' names no format.",
      'Use an ending of .csv, .json, .ndjson, .tsv, .md, .parquet, .xlsx, .svg, .png, .html, or say --format.',
    ],
    ['fx eur usd --fields ,', '--fields names no field.', 'For example: --fields date,val'],
    [
      'fx eur usd --profile nobody',
      "There is no profile 'nobody' (from --profile).",
      'Add one with macro init, or macro profile add NAME --base-url URL.',
    ],
    [
      'announcements usd',
      'macro announcements needs CURRENCY INDICATOR; got only usd.',
      'For example: macro announcements usd inflation',
    ],
    [
      'announcements usd inflation --revisions newest',
      "'newest' is no legal value for --revisions.",
      'Legal values are latest, first, final, all.',
    ],
    [
      'announcements usd inflation --revisions latst',
      "'latst' is no legal value for --revisions.",
      'Did you mean latest? Legal values are latest, first, final, all.',
    ],
    [
      'announcements usd inflation --official-only maybe',
      "'maybe' is no yes or no for --official-only.",
      'Legal values are true, false.',
    ],
    [
      'announcements usd in-flation',
      "'in-flation' is no indicator for INDICATOR.",
      'Did you mean inflation? Indicators are words like inflation or gdp; macro catalogue usd lists them.',
    ],
    [
      'announcements changes --offset 5',
      'announcements_changes is read by cursor and knows no --offset and no --page.',
      'Continue with --since, or take --all.',
    ],
    ['calendar usd --timezone Mars', "'Mars' is no time zone for --timezone.", 'Zones are named like Europe/London.'],
    [
      'sessions --at noon',
      "'noon' is no time for --at.",
      'Times are a date, an ISO time such as 2026-03-09T14:00:00Z, now, -6h, -30min, -7d, or Unix seconds.',
    ],
    [
      'fx eur usd --dataset-version abc',
      "'abc' is no legal value for --dataset-version.",
      'A version of the data is 64 hex digits, as answers carry it.',
    ],
    [
      'fx eur usd --limit 9999999999',
      "'9999999999' is no value for --limit.",
      'Give a whole number from 1 to 999999999.',
    ],
    ['nosuch --help', "Unknown command 'nosuch'.", 'macro --help lists the commands.'],
    ['calender --help', "Unknown command 'calender'.", 'Did you mean macro calendar?'],
    ['help mirror statsu', "Unknown command 'statsu'.", 'Did you mean macro mirror status?'],
    ['fx soures', 'macro fx needs BASE QUOTE; got only soures.', 'Did you mean macro fx sources?'],
    [
      'announcements latst usd',
      "'latst' is no legal value for CURRENCY.",
      'Did you mean macro announcements latest usd?',
    ],
    ['sentiment usd', "macro sentiment takes no words: 'usd' is one too many.", 'For example: macro sentiment'],
    [
      'webhooks deliveries --limit 101',
      "'101' is no whole number for --limit (at most 100).",
      'For example: macro webhooks deliveries',
    ],
    ['serve --port http', "'http' is no port.", 'Ports are 0 (any free one) to 65535.'],
    [
      'serve --clock noon',
      "'noon' is no time for --clock.",
      'Give a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
    ],
    ['serve --sandbox --mirror x.db', 'The sandbox has a mirror of its own.', 'Leave out --mirror or --sandbox.'],
    [
      'completion zhs',
      "'zhs' is no legal value for SHELL.",
      'Did you mean zsh? Legal values are bash, zsh, fish, powershell.',
    ],
  ])('%s is exit 2, one sentence and what to do', async (line, message, hint) => {
    expect(await macro(line, { env: SERVICE })).toEqual({ code: 2, out: '', err: `macro: ${message}\n${hint}\n` });
  });

  it('is one JSON object on stderr under --format json', async () => {
    const { code, out, err } = await macro('fx eur usd --start yesteryear --format json');
    expect([code, out, err.endsWith('}\n')]).toEqual([2, '', true]);
    expect(JSON.parse(err)).toEqual({
      level: 'error',
      kind: 'usage',
      code: 'bad_arguments',
      message: "'yesteryear' is no date for --start.",
      hint: DATES,
      status: 422,
      retry_after: null,
    });
  });

  it('is JSON even when the command line itself is what is wrong', async () => {
    expect(JSON.parse((await macro('fxx --format=json')).err)).toMatchObject({
      kind: 'usage',
      code: 'unknown_command',
    });
  });
});

describe('an end from outside', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s is exit %i, and a server stops listening', async (signal, exit) => {
    const at = testPlatform({ stdin: 'Date,USD,\n2026-11-20,1.1502,\n', sleeping: 'waits' });
    await macro('import ecb - --quiet', at);
    const running = macro('serve --port 0', at);
    const address = await listening(at.err);
    expect((await fetch(`${address}/v1/ping`)).status).toBe(200);
    at.interrupt(signal);
    expect((await running).code).toBe(exit);
    await expect(fetch(`${address}/v1/ping`)).rejects.toThrow();
  });
});

describe('a reader that goes away', () => {
  it('ends the program silently', async () => {
    const at = testPlatform();
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const stdout = { isTerminal: false, columns: 80, rows: 24, write: async () => Promise.reject(gone) };
    const platform = { ...at.platform, io: { ...at.platform.io, stdout } };
    expect([await main(['mirror', 'path'], platform), at.err()]).toEqual([0, '']);
  });
});

describe('an output that cannot be written', () => {
  it.each([['--version'], ['-V'], ['--help'], ['completion', 'bash'], ['mirror', 'path']])(
    'is said in two lines for %s %s, with exit 8',
    async (...words) => {
      const at = testPlatform();
      const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
      const refused = async () => Promise.reject(fileError('write to', 'the output', full));
      const stdout = { isTerminal: false, columns: 80, rows: 24, write: refused };
      const platform = { ...at.platform, io: { ...at.platform.io, stdout } };
      expect([await main(words.filter(Boolean), platform), at.err()]).toEqual([
        8,
        'macro: Cannot write to the output: no space is left on the disk.\nMake room on the disk, then run it again.\n',
      ]);
    },
  );
});

describe('a bug', () => {
  const broken = (error: Error) => {
    const at = testPlatform({ env: SERVICE });
    const stdout = { isTerminal: false, columns: 80, rows: 24, write: async () => Promise.reject(error) };
    return { at, platform: { ...at.platform, io: { ...at.platform.io, stdout } } };
  };

  it('is exit 1 and says how to report it', async () => {
    const { at, platform } = broken(new TypeError('x is not a function'));
    expect(await main(['mirror', 'path'], platform)).toBe(1);
    expect(at.err()).toBe(
      'macro: This is a bug of macro: x is not a function\nRun it again with --verbose and report what it prints.\n',
    );
  });

  it('shows its stack under --verbose, and no key even then', async () => {
    const { at, platform } = broken(new TypeError('sent canary-key-99 away'));
    expect(await main(['mirror', 'path', '--verbose'], platform)).toBe(1);
    expect(at.err()).toContain('errors.test.ts');
    expect(at.err()).toContain('sent [redacted] away');
    expect(at.err()).not.toContain('canary-key-99');
  });
});

describe('a key', () => {
  it.each([
    'auth status',
    'auth status --format json',
    'config explain',
    'config explain --format json',
    'config get base-url',
    'profile list',
    'mirror path',
    'openapi',
    'completion bash',
    'fx eur usd --live --verbose',
    'sync fx eur usd --verbose',
    'auth login',
    'auth logout',
  ])('of the environment or a file is not told by macro %s', async (line) => {
    const at = testPlatform({
      env: SERVICE,
      stdin: 'canary-key-stored',
      fetch: async () => Promise.reject(new Error('canary-key-99 leaked by the network')),
    });
    await macro('auth login', at);
    const { out, err } = await macro(line, at);
    expect(out + err).not.toMatch(/canary-key/);
  });
});

describe('a key that could be a word', () => {
  it.each([
    ['k', "macro: There is no format 'xml'."],
    ['format', "macro: There is no [redacted] 'xml'."],
    ['ormat ', "macro: There is no format 'xml'."],
  ])('%s leaves messages readable', async (key, sentence) => {
    const { err } = await macro('fx eur usd --format xml', { env: { ...SERVICE, MACRO_API_KEY: key } });
    expect(err.split('\n')[0]).toBe(sentence);
  });
});

describe('the version', () => {
  it.each(['--version', '-V'])('is what %s prints', async (option) => {
    const { code, out } = await macro(option);
    expect([code, out]).toEqual([0, expect.stringMatching(/^macro \S.*\n$/)]);
  });
});

async function listening(err: () => string): Promise<string> {
  for (;;) {
    const address = / at (http:\/\/[^/]+)\/v1/.exec(err())?.[1];
    if (address) return address;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
