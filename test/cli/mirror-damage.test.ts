import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { edit } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const HINT = 'Keep a copy of the file, then restore a backup, or name a new file with --mirror and run `macro sync`.';

/** Days of one month of rates, which fill several pages of a file. */
const TABLE = ['Date,USD,', ...Array.from({ length: 300 }, (_, i) => `${day(i)},1.1${i},`)].join('\n');

/** What stands beside the rows is known before they are made. */
const NOTES = 'note: Rates of EUR/USD are stored from 2026-01-01 on.\n';

function day(i: number): string {
  return new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
}

async function imported() {
  const at = testPlatform({ stdin: `${TABLE}\n` });
  await macro('import ecb -', at);
  return { at, path: join(at.folder, 'macro', 'mirrors', 'default.db') };
}

const COMMANDS = [
  'fx eur usd --offline',
  'fx eur usd --offline --all',
  'mirror status',
  'mirror verify',
  'mirror rebuild',
  'mirror export fx eur usd -o x.csv',
  'diff --from 2026-11-01 --to 2026-11-21',
  'why EUR/USD 2026-01-05',
  'import ecb -',
];

describe('a damaged file is no bug of the program', () => {
  it.each(COMMANDS)('%s, without the table of its rows', async (command) => {
    const { at, path } = await imported();
    edit(path, 'drop table fx_daily');
    const { code, err } = await macro(command, at);
    expect({ code, err }).toEqual({ code: 8, err: expect.stringContaining(`The mirror ${path} is damaged`) });
    expect(err).toContain(HINT);
  });

  it.each(COMMANDS)('%s, when the end of the file is gone', async (command) => {
    const { at, path } = await imported();
    truncateSync(path, Math.floor(statSync(path).size * 0.6));
    const { code, err } = await macro(command, at);
    expect({ code, err }).toEqual({ code: 8, err: expect.stringContaining(HINT) });
  });

  it('is what status --check reports after mirror verify found it', async () => {
    const { at, path } = await imported();
    await macro('track add ecb', at);
    edit(path, 'drop table fx_daily');
    expect((await macro('mirror verify', at)).code).toBe(8);
    const { code, out } = await macro('status --check', at);
    expect([code, out]).toEqual([
      9,
      expect.stringMatching(/^macro altered: the check of \S+ found a problem in stored rows\n$/),
    ]);
  });

  it('nor is a text that is no JSON any more, which the check of the mirror finds', async () => {
    const { at, path } = await imported();
    edit(path, `update fx_daily set text = substr(text, 2) where date = '2026-01-05'`);
    expect(await macro('fx eur usd --offline --all', at)).toEqual({
      code: 8,
      out: '',
      err: `${NOTES}macro: The mirror ${path} is damaged: the current row is not as it was received.\n${HINT}\n`,
    });
  });

  it('and rows that were written before it end with the refusal, never with a success', async () => {
    const { at, path } = await imported();
    edit(path, `update fx_daily set text = substr(text, 2) where date = '2026-01-05'`);
    const { code, out, err } = await macro('fx eur usd --offline --all --format ndjson', at);
    const messages = err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, level: messages.at(-1)?.level, refusal: messages.at(-1)?.code }).toEqual({
      code: 8,
      level: 'error',
      refusal: 'mirror_damaged',
    });
    // Rows come newest first, each whole: none from the damaged one on.
    const rows = out.split('\n').filter((line) => line !== '');
    expect(rows.filter((row) => JSON.parse(row).date <= '2026-01-05')).toEqual([]);
  });
});

it('a server tells damage that a request meets as 503, and its cure to whoever runs it, each time', async () => {
  const { at, path } = await imported();
  const patient = { ...at, ...testPlatform({ folder: at.folder, sleeping: 'waits' }) };
  const running = macro('serve --port 0 --open', patient);
  const address = await addressOf(patient.err);
  edit(path, `update fx_daily set text = substr(text, 2) where date = '2026-01-05'`);
  const ask = async () => {
    const answer = await fetch(`${address}/v1/forex/EUR/USD?start_date=2026-01-01&end_date=2026-01-10`);
    return [answer.status, await answer.json()];
  };
  const told = {
    detail: 'The store cannot be read at present.',
    code: 'service_unavailable',
    error: 'service_unavailable',
  };
  expect([await ask(), await ask()]).toEqual([
    [503, told],
    [503, told],
  ]);
  patient.interrupt('SIGTERM');
  await running;
  const lines = patient
    .err()
    .split('\n')
    .filter((line) => line.includes(' failed: '));
  expect(lines.map((line) => line.replace(/^req_\w+/, 'req'))).toEqual(
    Array(2).fill(`req GET failed: The mirror ${path} is damaged: the current row is not as it was received. ${HINT}`),
  );
});

/** Where a server says that it listens. */
async function addressOf(err: () => string): Promise<string> {
  const said = await vi.waitUntil(() => / at (http:\/\/[^/]+)\/v1/.exec(err()), { timeout: 20_000 });
  return said[1] ?? '';
}

it('an empty file is no mirror yet: another program is about to make it', async () => {
  const at = testPlatform();
  const path = join(at.folder, 'macro', 'mirrors', 'default.db');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  expect(await macro('mirror status', at)).toEqual({
    code: 3,
    out: '',
    err: `macro: There is no mirror at ${path}.\nChoose a service with: macro init. Official data needs none: macro import ecb\n`,
  });
});
