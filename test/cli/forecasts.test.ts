import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/commands/command.ts';
import { commandsUnder, mergeVariants } from '../../src/cli/commands/tree.ts';
import { usageOf } from '../../src/cli/print/help.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

const COMMANDS = await commandsUnder();

let world: TestPlatform;
let mirror: string;

beforeAll(async () => {
  world = testPlatform();
  mirror = await sandboxPath(world.platform);
});

/** A command line over the sandbox mirror alone. */
const run = (line: string) => macro(`${line} --offline --quiet --mirror ${mirror}`, world);

const command = (words: string) => {
  const found = COMMANDS.find(({ path }) => path.join(' ') === words);
  if (!found) throw new Error(`no command ${words}`);
  return found;
};

describe('commands that share their words', () => {
  it('are told apart by the words behind', () => {
    expect(
      ['predictions', 'predictions coverage', 'announcements recent', 'announcements latest'].map((words) =>
        usageOf(command(words)),
      ),
    ).toEqual([
      'CURRENCY [INDICATOR] [options]',
      '[CURRENCY] [options]',
      'CURRENCY [INDICATOR] [options]',
      'CURRENCY [INDICATOR] [options]',
    ]);
  });

  it('name the words that an option goes with', () => {
    const doc = (name: string) => command('predictions').options.find((option) => option.name === name)?.doc;
    expect(doc('variable')).toBe('subject of the forecast, as the source names it; with CURRENCY');
    expect(doc('pre-release-only')).toBe(
      'only forecasts made before the release; default true; with CURRENCY INDICATOR',
    );
    expect(doc('format')).not.toContain('with');
  });

  it('refuse an option of the other question', async () => {
    const answer = await run('predictions usd inflation --variable cpi');
    expect([answer.code, answer.err]).toEqual([
      2,
      'macro: --variable does not go with macro predictions CURRENCY INDICATOR.\nIt belongs to: macro predictions CURRENCY\n',
    ]);
  });

  it('leave every other command as it is', () => {
    const one: CommandSpec = { ...command('ping') };
    expect(mergeVariants([one])).toEqual([one]);
  });
});

describe('macro announcements recent', () => {
  it('shows the newest releases of all indicators, or the newest values of one', async () => {
    const all = await run('announcements recent usd --limit 3 --format csv --fields announcement_datetime,indicator');
    const [head, ...lines] = all.out.trim().split('\n');
    expect([all.code, head, lines.length]).toEqual([0, 'announcement_datetime,indicator', 3]);
    const times = lines.map((line) => Number(line.split(',')[0]));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const one = await run('announcements recent usd inflation --format ndjson');
    expect(one.out.trim().split('\n')).toHaveLength(5);
    const latest = await run('announcements latest usd inflation --format ndjson');
    expect(latest.out).toBe(`${one.out.split('\n')[0]}\n`);
  });
});

describe('macro panel', () => {
  it('takes series as people write them and finds its window by itself; a value is a line', async () => {
    const answer = await run('panel --series usd/inflation,eur/inflation:30 --at 2026-06-01,2026-05-01 --format csv');
    const [head, ...lines] = answer.out.trim().split('\n');
    expect(answer.code).toBe(0);
    expect(head).toMatch(/^decision_time,currency,indicator,val,date,known_at,age_days,reason/);
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual([
      ['2026-06-01T00:00:00Z', 'USD', 'inflation'],
      ['2026-06-01T00:00:00Z', 'EUR', 'inflation'],
      ['2026-05-01T00:00:00Z', 'USD', 'inflation'],
      ['2026-05-01T00:00:00Z', 'EUR', 'inflation'],
    ]);
    expect(lines[1]).toMatch(/,too_old/);
  });

  it('prints the body of the service as json, with nested values', async () => {
    const { out } = await run('panel --series usd/inflation --at -30d --format json');
    expect(JSON.parse(out)).toMatchObject({
      start_date: '1900-01-01',
      end_date: '2027-11-22',
      data: [{ decision_time: '2026-10-22T00:00:00Z', values: [{ currency: 'USD', indicator: 'inflation' }] }],
    });
  });

  it('takes a window that is named', async () => {
    const { out } = await run(
      'panel --series usd/inflation --at 2026-06-01 --start 2026-01-01 --end 2026-02-28 --format json',
    );
    expect(JSON.parse(out)).toMatchObject({ start_date: '2026-01-01', end_date: '2026-02-28' });
  });

  it('says what is wrong in its own words', async () => {
    const missing = await run('panel --series usd/inflation');
    expect([missing.code, missing.err.split('\n')[0]]).toEqual([2, 'macro: --at is needed.']);
    const odd = await run('panel --series usd-inflation --at 2026-06-01');
    expect([odd.code, odd.err]).toEqual([
      2,
      "macro: --series: 'usd-inflation' is no series like usd:inflation or usd:inflation:60.\nSeries are written usd/inflation, or usd/inflation:60 with the age in days that a value may have, separated by commas.\n",
    ]);
    const unheld = await run('panel --series usd/nairu --at 2026-06-01');
    expect([unheld.code, unheld.err]).toEqual([
      3,
      'macro: The mirror has nothing for announcements USD nairu.\n' +
        'Choose a service with: macro init. Official data needs none: macro import --help\n',
    ]);
  });
});

describe('macro predictions', () => {
  it('shows a forecast a line', async () => {
    const { out, code } = await run(
      'predictions usd inflation --prediction-source sandbox_consensus --limit 2 --format tsv',
    );
    const [head, ...lines] = out
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    expect([code, head?.slice(0, 6), lines.length]).toEqual([
      0,
      ['date', 'prediction_class', 'prediction_source', 'predicted_value', 'generated_at', 'is_pre_release'],
      4,
    ]);
    expect(new Set(lines.map((line) => line[2]))).toEqual(new Set(['sandbox_consensus']));
  });

  it('shows the forecasts of authorities below the table for people', async () => {
    const at = testPlatform({ terminal: true, columns: 120, env: { NO_COLOR: '1' } });
    const line = `predictions usd inflation --limit 1 --offline --quiet --mirror ${mirror}`;
    const { out } = await macro(line, at);
    const json = JSON.parse((await macro(`${line} --format json`, at)).out);
    const [, block = ''] = out.split('Official forecasts, 12 of ');
    const [count, first = ''] = block.split('\n');
    const dates = json.official_forecasts.map((one: { publication_date: string }) => one.publication_date);
    const newest = json.official_forecasts[dates.indexOf(dates.toSorted().at(-1))];
    expect([count, block.trim().split('\n').length]).toEqual([String(json.official_forecasts.length), 13]);
    expect(first).toContain(`${newest.prediction_source} ${newest.variable} ${newest.target_period}`);
    expect(first).toContain(`${newest.predicted_value} ${newest.unit}  published ${newest.publication_date}`);
  });

  it('needs a source for vintages, and walks all of them', async () => {
    const none = await run('predictions usd');
    expect([none.code, none.err]).toEqual([
      2,
      'macro: Name one source with prediction_source: listings over all sources are disabled.\nSources are listed by macro predictions coverage; name one with --prediction-source.\n',
    ]);
    const all = await run('predictions usd --prediction-source sandbox_bank --all --format json');
    const body = JSON.parse(all.out);
    expect([body.count, body.has_more]).toEqual([body.data.length, false]);
  });

  it('lists who forecasts, of all currencies or of one', async () => {
    const all = await run('predictions coverage --format csv --fields currency');
    expect(all.out.trim().split('\n')).toHaveLength(19);
    const one = await run('predictions coverage usd --format csv --fields indicator --no-header');
    expect(one.out).toContain('inflation\n');
    expect((await run('predictions coverage usd inflation')).code).toBe(2);
  });
});

describe('--surprise', () => {
  it('stands beside each forecast, and agrees with the first print and the forecasts', async () => {
    const window = '--start 2026-01-01 --end 2026-09-30';
    const rows = async (line: string) => JSON.parse((await run(`${line} --format json`)).out).data;
    const shown: Record<string, unknown>[] = await rows(`announcements usd inflation ${window} --forecasts --surprise`);
    const first: Record<string, number>[] = await rows(`announcements usd inflation ${window} --revisions first`);
    const targets: { date: string; predictions: Record<string, unknown>[] }[] = await rows(
      `predictions usd inflation ${window} --all`,
    );
    const expected = first.map(({ date, val = 0, announcement_datetime: at = 0 }) => {
      const made = targets.find((one) => one.date === String(date))?.predictions ?? [];
      const consensus = made
        .filter((one) => one.prediction_class === 'compiled_consensus')
        .filter((one) => Date.parse(String(one.generated_at)) / 1000 < at)
        .sort((a, b) => (String(a.generated_at) < String(b.generated_at) ? 1 : -1));
      const [best] = consensus;
      return [date, best ? Number((val - Number(best.predicted_value)).toFixed(6)) : null];
    });
    expect(shown.map(({ date, surprise }) => [date, surprise])).toEqual(expected);
    // The sandbox has forecasts of half a year: no period has eight earlier ones.
    expect(new Set(shown.map(({ surprise_in_deviations: deviations }) => deviations))).toEqual(new Set([null]));
  });

  it('of what nobody forecasts says so, and ends with 0', async () => {
    const { code, err } = await macro(
      `announcements usd gov_bond_10y --surprise --limit 1 --offline --mirror ${mirror}`,
      world,
    );
    expect([code, err]).toEqual([
      0,
      'warning: these numbers are generated: synthetic data, not real\n' +
        'note: Forecasts are left out: nobody forecasts USD gov_bond_10y. macro predictions coverage usd lists the forecast ones.\n',
    ]);
  });
});
