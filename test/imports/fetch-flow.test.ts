import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createFileClient } from '../../src/client/http/file.ts';
import { IMPORT_FORMATS } from '../../src/imports/formats.ts';
import { nodeFiles } from '../../src/platform/node-files.ts';
import { createNodeFetch } from '../../src/platform/node-network.ts';
import { startLoopback } from '../support/loopback.ts';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { digestOf, startPublisher } from '../support/publisher.ts';
import { macro } from '../support/run.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/official', name));

const HIST = '/stats/eurofxref/eurofxref-hist.zip';
const RECENT = '/stats/eurofxref/eurofxref-hist-90d.zip';

/** A world whose publishers are all on this machine. */
async function worldAt(now: string, formats: readonly string[], more: Readonly<Record<string, unknown>> = {}) {
  const publisher = await startPublisher();
  const env = { MACRO_PUBLISHERS_FILE: 'publishers.json' };
  const world = testPlatform({ now, fetch: createNodeFetch(), env });
  const settings = Object.fromEntries(formats.map((format) => [format, { address: `${publisher.origin}/`, ...more }]));
  writeFileSync(join(world.folder, 'publishers.json'), JSON.stringify(settings));
  const run = (line: string) => macro(line, world);
  const json = async (line: string) => JSON.parse((await run(`${line} --format json`)).out);
  return {
    publisher,
    world,
    run,
    json,
    at: (instant: string) => world.clock.jump(Date.parse(instant) - world.clock.now()),
  };
}

const rates = (...lines: readonly string[]) => `Date,USD,JPY,\n${lines.map((line) => `${line},\n`).join('')}`;
const MONDAY = ['2026-04-13,1.1707,186.66', '2026-04-10,1.1711,186.43', '2026-04-09,1.1688,185.9'];
const zipped = (...lines: readonly string[]) => zipSync({ 'eurofxref-hist.csv': strToU8(rates(...lines)) });

it('a series of FRED of another currency is fetched as such, and kept apart from one that was fetched before', async () => {
  const { publisher, run, json } = await worldAt('2021-07-20T12:00:00Z', ['fred']);
  const prices = 'observation_date,JPNCPIALLMINMEI\n2021-05-01,101.1\n2021-06-01,101.2\n';
  publisher.offer('/graph/fredgraph.csv?id=JPNCPIALLMINMEI', { body: prices, etag: '"1"' });
  expect((await run('import fred JPNCPIALLMINMEI')).code).toBe(0);
  expect((await run('import fred JPNCPIALLMINMEI --as jpy')).code).toBe(0);
  expect((await run('track add "fred JPNCPIALLMINMEI as=jpy"')).code).toBe(0);
  expect((await json('sync')).rows).toEqual({ added: 0, revised: 0, vanished: 0, unchanged: 0 });
  const window = '--offline --start 2021-05-01 --end 2021-06-30 --format csv --fields date,val';
  for (const currency of ['usd', 'jpy'])
    expect((await run(`announcements ${currency} fred_jpncpiallminmei ${window}`)).out).toBe(
      'date,val\n2021-06-30,101.2\n2021-05-31,101.1\n',
    );
  const wrong = await run('import fred JPNCPIALLMINMEI --as yen1');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("'yen1' is no currency.")]);
});

describe('the CFTC week by week', () => {
  const YEAR = '/files/dea/history/deacot2025.zip';
  const WEEK = '/dea/newcot/deafut.txt';
  const [titles = '', ...reports] = fixture('cftc-legacy-2025-01.txt').toString().split(/\r?\n/).filter(Boolean);
  const of = (...days: readonly string[]) => reports.filter((line) => days.some((day) => line.includes(`,${day},`)));
  const text = (...lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('');
  const [first, second, third] = ['2025-01-07', '2025-01-14', '2025-01-21'] as const;
  /** Contracts of which the interface has the positions: gold, the dollar index and the euro. */
  const CONTRACTS = 3;
  const window =
    'cot eur --report legacy_futures --start 2025-01-01 --fields date,open_interest --format csv --offline';
  const held = (...days: readonly string[]) =>
    `date,open_interest\n${of(...days)
      .filter((line) => line.includes('099741'))
      .map((line) =>
        line
          .replaceAll(/"[^"]*"/g, '')
          .split(',')
          .map((cell) => cell.trim()),
      )
      .map((cells) => `${cells[2]},${cells[7]}\n`)
      .join('')}`;

  async function afterTwoWeeks() {
    const world = await worldAt('2025-01-18T12:00:00Z', ['cftc-legacy']);
    world.publisher.offer(YEAR, { body: text(titles, ...of(second, first)), etag: '"y"' });
    expect((await world.run('track add "cftc-legacy start=2025"')).code).toBe(0);
    expect((await world.json('sync')).rows.added).toBe(2 * CONTRACTS);
    return world;
  }

  it('fetches the file of the year once, then that of the week, without a gap', async () => {
    const { publisher, run, json, at } = await afterTwoWeeks();
    publisher.offer(WEEK, { body: text(...of(third)), etag: '"w"' });
    at('2025-01-24T20:31:00Z');
    const [planned, further] = (await json('sync --plan')).data;
    expect([planned.series, planned.why, further]).toEqual([
      'cftc-legacy start=2025 deafut.txt',
      'a new state since 2025-01-24T20:30:00Z; the mirror ends at 2025-01-14',
      undefined,
    ]);
    expect((await json('sync')).rows).toEqual({ added: CONTRACTS, revised: 0, vanished: 0, unchanged: 0 });
    // A holiday may have moved the report: the file is looked at again on Monday.
    at('2025-01-27T20:31:00Z');
    expect((await json('sync')).rows).toEqual({ added: 0, revised: 0, vanished: 0, unchanged: 0 });
    expect(publisher.headers()['if-none-match']).toBe('"w"');
    expect(publisher.asked).toEqual([YEAR, WEEK, WEEK]);
    const answer = await run(`${window} --end 2025-01-27`);
    expect([answer.code, answer.out]).toEqual([0, held(third, second, first)]);
    expect((await run('mirror verify')).code).toBe(0);
  });

  it('fetches the file of the year if a week is missing between, or the file of the week is gone', async () => {
    const { publisher, run, json, at } = await afterTwoWeeks();
    publisher.offer(YEAR, { body: text(titles, ...of(third, second, first)), etag: '"z"' });
    at('2025-01-24T20:31:00Z');
    expect((await json('sync')).rows.added).toBe(CONTRACTS);
    expect(publisher.asked).toEqual([YEAR, WEEK, YEAR]);
    at('2025-02-07T20:31:00Z');
    expect((await json('sync --plan')).data[0].series).toBe('cftc-legacy start=2025 deacot2025.zip');
    expect((await run(`${window} --end 2025-01-24`)).out).toBe(held(third, second, first));
  });

  it('stores nothing of a faulty file of the week', async () => {
    const { publisher, run, json, at } = await afterTwoWeeks();
    publisher.offer(WEEK, { body: text(...of(third)), etag: '"w"' });
    at('2025-01-24T20:31:00Z');
    const before = (await json('import list')).data;
    for (const fault of ['html', 'empty', 'cut gzip', 'cut body', 'elsewhere', 'forbidden'] as const) {
      publisher.fail(fault);
      expect([fault, (await run('import cftc-legacy --start 2025')).code]).toEqual([fault, expect.toBeOneOf([6, 7])]);
    }
    publisher.fail(undefined);
    publisher.offer(WEEK, text(...of(third)).slice(0, 1500));
    expect((await run('import cftc-legacy --start 2025')).err).toMatch(
      /cftc-legacy start=2025: Line 2 of the file .* it has \d+ cells/,
    );
    expect([(await json('import list')).data, (await run(window)).out]).toEqual([before, held(second, first)]);
  });
});

describe('the ECB day by day', () => {
  it('fetches the whole file once, then the small one, and nothing between two states', async () => {
    const { publisher, run, json, at } = await worldAt('2026-04-13T13:00:00Z', ['ecb']);
    const first = zipped(...MONDAY.slice(1));
    publisher.offer(HIST, { body: first, modified: 'Fri, 10 Apr 2026 14:02:00 GMT' });
    expect((await run('track add ecb')).code).toBe(0);
    expect((await json('sync --plan')).data).toEqual([
      {
        ...{ reason: 'file', series: 'ecb eurofxref-hist.zip', from: null, to: null },
        ...{ requests: 1, more: null, why: 'never fetched' },
      },
    ]);
    expect((await json('sync')).rows).toEqual({ added: 4, revised: 0, vanished: 0, unchanged: 0 });
    // Nothing appears before 16:00 in Frankfurt.
    expect((await json('sync --plan')).requests).toBe(0);
    expect((await json('status')).data).toEqual([
      {
        ...{ selection: 'ecb', state: 'up to date', series: 2, stored: 2, due: 0, gaps: 0 },
        ...{ checked: '2026-04-13T13:00:00Z', proof: null },
      },
    ]);
    expect((await json('status')).next_due).toBe('2026-04-13T14:00:00Z');

    at('2026-04-13T14:30:00Z');
    publisher.offer(RECENT, { body: zipped(...MONDAY), etag: '"90"' });
    const [due] = (await json('sync --plan')).data;
    expect([due.series, due.why]).toEqual([
      'ecb eurofxref-hist-90d.zip',
      'a new state since 2026-04-13T14:00:00Z; the mirror ends at 2026-04-10',
    ]);
    expect((await json('sync')).rows).toEqual({ added: 2, revised: 0, vanished: 0, unchanged: 4 });
    at('2026-04-13T20:00:00Z');
    expect((await json('sync --plan')).requests).toBe(0);

    // The next day a state can be there, and is not yet: it is looked for again after an hour.
    at('2026-04-14T14:05:00Z');
    expect((await json('sync')).rows).toEqual({ added: 0, revised: 0, vanished: 0, unchanged: 0 });
    expect(publisher.headers()['if-none-match']).toBe('"90"');
    expect((await json('sync --plan')).requests).toBe(0);
    at('2026-04-14T15:06:00Z');
    expect((await json('sync --plan')).requests).toBe(1);
    expect(publisher.asked).toEqual([HIST, RECENT, RECENT]);
    expect((await json('import list')).data.map(({ file }: { file: string }) => file)).toEqual([
      'eurofxref-hist.zip',
      'eurofxref-hist-90d.zip',
    ]);
  });

  it('covers the time up to the fetch, and a 304 renews that and nothing else', async () => {
    const { publisher, run, json, at } = await worldAt('2026-04-11T12:00:00Z', ['ecb']);
    publisher.offer(HIST, { body: zipped(...MONDAY.slice(1)), etag: '"1"' });
    publisher.offer(RECENT, { body: rates(...MONDAY.slice(1)), etag: '"2"' });
    await run('import ecb');
    const window = 'fx eur usd --start 2026-04-09 --fields date,val --offline';
    expect((await run(`${window} --format csv`)).out).toBe('date,val\n2026-04-10,1.1711\n2026-04-09,1.1688\n');
    await run('import ecb');
    const commits = (await json('import list')).data.length;
    at('2026-04-12T12:00:00Z');
    expect((await run('import ecb')).err).toContain('is as it was, checked at 2026-04-12T12:00:00Z.');
    expect((await json('import list')).data).toHaveLength(commits);
    const { mirror } = await json(window);
    expect(mirror).toBeUndefined();
    expect((await run(`${window} --end 2026-04-12`)).code).toBe(0);
    expect((await run('mirror verify')).code).toBe(0);
  });

  it('names address, time, validators and digest, and forgets them with the import', async () => {
    const { publisher, run, json } = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
    const body = zipped(...MONDAY);
    publisher.offer(HIST, { body, etag: 'W/"a b"', modified: 'Mon, 13 Apr 2026 14:01:00 GMT' });
    await run('import ecb');
    const [row] = (await json('why fx eur usd 2026-04-13')).data;
    expect(row.request).toBe(
      `import ecb eurofxref-hist.zip sha256:${digestOf(body)} from ${publisher.origin}${HIST} at=2026-04-13T15:00:00Z ` +
        `bytes=${body.length} etag=W%2F%22a%20b%22 modified=2026-04-13T14:01:00Z covers 2026-04-09..2026-04-13`,
    );
    expect((await run('import undo 1')).code).toBe(0);
    // What was undone is fetched anew, whole and without a condition.
    await run('import ecb');
    expect([publisher.headers()['if-none-match'], publisher.asked]).toEqual([undefined, [HIST, HIST]]);
    expect((await run('fx eur usd --limit 1 --fields val --offline --no-header --format csv')).out).toBe('1.1707\n');
  });

  it('says when its publisher is silent', async () => {
    const { publisher, run, json, at } = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
    publisher.offer(HIST, { body: zipped(...MONDAY), etag: '"1"' });
    publisher.offer(RECENT, { body: zipped(...MONDAY), etag: '"1"' });
    await run('track add ecb');
    await run('sync');
    expect((await run('status --check')).code).toBe(0);
    // Easter takes four days; with the weekend between the newest two dates eight are too many.
    at('2026-04-23T15:00:00Z');
    await run('sync');
    const { code, out } = await run('status --check');
    expect([code, out]).toEqual([
      11,
      'macro silent: the publisher of ecb is silent: its newest value is that of 2026-04-13, 10 days ago\n',
    ]);
    expect((await json('status')).data[0].state).toBe('silent');
    expect((await run('metrics')).out).toContain('macro_group_silent{group="ecb"} 1\n');
  });
});

it.skipIf(POSTGRES_BIN === undefined)('renews and keeps the same in a mirror on a server', async () => {
  const { publisher, run, json, at } = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
  publisher.offer(HIST, { body: zipped(...MONDAY), etag: '"1"' });
  publisher.offer(RECENT, { body: zipped('2026-04-14,1.1793,187.2', ...MONDAY), etag: '"2"' });
  const mirror = `--mirror ${await freshAddress()}`;
  expect((await json(`import ecb ${mirror}`)).data[0].added).toBe(6);
  at('2026-04-14T15:00:00Z');
  expect((await json(`sync ecb ${mirror}`)).rows).toEqual({ added: 2, revised: 0, vanished: 0, unchanged: 6 });
  expect((await run(`import ecb ${mirror}`)).err).toContain('is as it was');
  expect(publisher.asked).toEqual([HIST, RECENT, RECENT]);
  expect((await run(`mirror verify ${mirror}`)).code).toBe(0);
});

describe('a machine without a service', () => {
  it('plans, syncs whole and schedules publishers alone', async () => {
    const { publisher, run, json } = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
    publisher.offer(HIST, { body: zipped(...MONDAY), etag: '"1"' });
    await run('track add ecb');
    await run('sync');
    const { data } = await json('sync --full --plan');
    expect(data.map(({ series, why }: Record<string, string>) => [series, why])).toEqual([
      ['ecb eurofxref-hist.zip', 'read whole'],
    ]);
    await run('sync --full');
    expect([publisher.asked, publisher.headers()['if-none-match']]).toEqual([[HIST, HIST], undefined]);
    // What is missing is a scheduler, no service.
    const { code, err } = await run('schedule install');
    expect([code, err]).toEqual([3, expect.stringContaining('No scheduler answers here')]);
    expect((await run('schedule install --at releases')).code).toBe(3);
  });

  it('watches a publisher by its calendar', async () => {
    const publisher = await startPublisher();
    const env = { MACRO_PUBLISHERS_FILE: 'publishers.json' };
    const world = testPlatform({ now: '2026-04-13T15:00:00Z', fetch: createNodeFetch(), env, sleeping: 'waits' });
    writeFileSync(join(world.folder, 'publishers.json'), JSON.stringify({ ecb: { address: `${publisher.origin}/` } }));
    publisher.offer(HIST, { body: zipped(...MONDAY), etag: '"1"' });
    publisher.offer(RECENT, { body: rates(...MONDAY), etag: '"2"' });
    const running = macro('sync --watch ecb', world);
    const until = async (text: string) => {
      for (let i = 0; i < 20_000 && !world.err().includes(text); i += 1) await new Promise(setImmediate);
      expect(world.err()).toContain(text);
    };
    await until('Next check at 2026-04-14T14:00:00Z.');
    expect(publisher.asked).toEqual([HIST]);
    await world.clock.advance(23 * 3_600_000);
    // The new state is late: it is looked for once an hour.
    await until('Next check at 2026-04-14T15:00:00Z.');
    expect(publisher.asked).toEqual([HIST, RECENT]);
    world.interrupt();
    expect((await running).code).toBe(130);
  });

  it('says in one line that there is no network, and what to do', async () => {
    const { world, run } = await worldAt('2026-04-13T15:00:00Z', []);
    const refused = {
      ...world.platform,
      fetch: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    };
    const { code, err } = await macro('import ecb', { ...world, platform: refused });
    expect([code, err]).toEqual([
      6,
      'macro: ecb: Cannot get an answer from https://www.ecb.europa.eu: there is no such host. Tried 4 times.\n' +
        'Check the network, or get the file another way: macro import FORMAT FILE.\n',
    ]);
    expect((await run('import list')).code).toBe(3);
  });
});

describe('years, ids and vintages', () => {
  it('fetches this year and the one before, each once when it is over', async () => {
    const { publisher, json, at } = await worldAt('2022-12-30T14:00:00Z', ['nbp']);
    const path = (year: number) => `/dane/kursy/Archiwum/archiwum_tab_a_${year}.csv`;
    const body = fixture('nbp-table-a-2022-12.csv').toString('latin1');
    const of = (year: number) => Buffer.from(body.replace(/^2022/gm, String(year)), 'latin1');
    publisher.offer(path(2021), { body: of(2021), etag: '"21"' });
    publisher.offer(path(2022), { body: of(2022), etag: '"22"' });
    await json('sync nbp');
    expect(publisher.asked).toEqual([path(2021), path(2022)]);
    // The file of the new year is not there at once, and that of the old one is fetched a last time.
    at('2023-01-03T14:00:00Z');
    const { outcome } = await json('sync nbp');
    expect([outcome, publisher.asked.slice(2)]).toEqual(['complete', [path(2022), path(2023)]]);
    at('2023-02-03T14:00:00Z');
    const { data } = await json('sync --plan nbp');
    expect(data.map(({ series, why }: { series: string; why: string }) => [series, why])).toEqual([
      ['nbp archiwum_tab_a_2022.csv', 'the year is over'],
      ['nbp archiwum_tab_a_2023.csv', 'a new state since 2023-02-03T11:15:00Z'],
    ]);
    // In February a missing file is a fault.
    expect((await json('sync nbp')).outcome).toBe('failed');
  });

  it('asks for each series by its id, a second apart, and all of them or none', async () => {
    const { publisher, world, run, json } = await worldAt('2026-03-30T23:00:00Z', ['fred']);
    publisher.offer('/graph/fredgraph.csv?id=UNRATE', fixture('fred-unrate-2026.csv').toString());
    const none = await run('import fred UNRATE PAYEMS');
    expect([none.code, none.err.split('\n')[0]]).toEqual([
      3,
      expect.stringMatching(/^macro: fred PAYEMS: 127\.0\.0\.1:\d+ has no file \/graph\/fredgraph\.csv \(404\)\.$/),
    ]);
    expect((await run('import list')).code).toBe(3);
    const payems = 'observation_date,PAYEMS\n2025-12-01,158497\n2026-01-01,158627\n2026-02-01,158466\n';
    publisher.offer('/graph/fredgraph.csv?id=PAYEMS', payems);
    expect((await json('import fred UNRATE payems')).data.map(({ file }: { file: string }) => file)).toEqual([
      'UNRATE.csv',
      'PAYEMS.csv',
    ]);
    expect(world.clock.slept.filter((ms) => ms === 1000)).toHaveLength(2);
    const bare = await run('import fred');
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('fred needs ids of series, such as PAYEMS.')]);
  });

  it('fetches every vintage since a day, and later the new ones alone', async () => {
    const { publisher, run, json, at } = await worldAt('2022-01-02T00:00:00Z', ['alfred']);
    const [header = '', ...lines] = fixture('alfred-payems-change-2021.csv').toString().trim().split('\n');
    const titles = header.split(',').slice(1);
    const days = titles.map((title) => title.slice(-8).replace(/(....)(..)(..)/, '$1-$2-$3')).sort();
    const path = (wanted: readonly string[]) =>
      `/graph/alfredgraph.csv?id=${wanted.map(() => 'PAYEMS_CHG').join(',')}&vintage_date=${wanted.join(',')}`;
    const offer = (wanted: readonly string[]) => {
      const places = wanted.map((day) => titles.indexOf(`PAYEMS_CHG_${day.replaceAll('-', '')}`));
      const cut = (cells: readonly string[]) => [cells[0], ...places.map((place) => cells[place + 1])].join(',');
      const table = [header, ...lines].map((line) => cut(line.split(',')));
      publisher.offer(path(wanted), `${table.join('\n')}\n`);
    };
    const page = '/series/downloaddata?seid=PAYEMS_CHG';
    const list = (known: readonly string[]) =>
      publisher.offer(
        page,
        `<select>${known.map((day) => `<option value="${day}">${day}</option>`).join('')}</select>`,
      );
    list(days.slice(0, 11));
    offer(days.slice(0, 11));
    const tracked = 'alfred payems_chg vintages=2021-02';
    expect((await json(`sync ${tracked}`)).outcome).toBe('complete');
    expect(publisher.asked).toEqual([page, path(days.slice(0, 11))]);
    // Nothing new: the page alone is asked.
    await json(`sync ${tracked}`);
    expect(publisher.asked).toHaveLength(3);
    at('2022-01-08T00:00:00Z');
    list(days);
    offer(days.slice(10));
    expect((await json(`sync ${tracked}`)).outcome).toBe('complete');
    expect(publisher.asked.slice(3)).toEqual([page, path(days.slice(10))]);
    // July 2021 as it was first told, and now.
    const question = 'announcements usd non_farm_payrolls_change --start 2021-07-01 --end 2021-07-31 --offline';
    const [row] = (await json(question)).data;
    const column = (title: string) => titles.indexOf(title) + 1;
    const july = lines.find((line) => line.startsWith('2021-07-01'))?.split(',') ?? [];
    expect(row.val).toBe(Number(july[column('PAYEMS_CHG_20220107')]));
    const [first] = (await json(`${question} --revisions first`)).data;
    expect(first.val).toBe(Number(july[column('PAYEMS_CHG_20210806')]));
    expect((await run('import alfred PAYEMS')).err).toContain('alfred needs the first vintage.');
    // A page that lost its list, or a part of it, is no proof that nothing is new.
    const before = (await run('mirror status --format json')).out;
    for (const body of ['<!DOCTYPE html><p>Maintenance</p>', `<select><option value="${days[0]}">`]) {
      publisher.offer(page, body);
      const { code, err } = await run('import alfred payems_chg --vintages 2021-02');
      expect([code, err]).toEqual([7, expect.stringContaining('does not list the vintage of 2021-0')]);
    }
    expect((await run('mirror status --format json')).out).toBe(before);
  });
});

it('asks for no more vintages than two minutes bring', async () => {
  const { publisher, run } = await worldAt('2026-04-13T15:00:00Z', ['alfred']);
  const days = Array.from({ length: 1101 }, (_, at) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10));
  const page = '/series/downloaddata?seid=DGS10';
  publisher.offer(page, days.map((day) => `<option value="${day}">`).join(''));
  const { code, err } = await run('import alfred DGS10 --vintages 2020');
  expect([code, err, publisher.asked]).toEqual([
    2,
    expect.stringContaining('DGS10 has 1101 vintages since 2020-01-01, too many for one run.'),
    [page],
  ]);
});

describe('how a publisher is asked', () => {
  it('waits as long as it says, follows inside of its site, and unpacks', async () => {
    const { publisher, world, run } = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
    publisher.offer(HIST, { body: zipped(...MONDAY) });
    publisher.fail('busy once');
    expect((await run('import ecb')).code).toBe(0);
    expect(world.clock.slept).toContain(7000);
    const other = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
    other.publisher.offer(HIST, { body: zipped(...MONDAY) });
    other.publisher.fail('moved');
    expect((await other.run('import ecb')).code).toBe(0);
    expect(other.publisher.asked).toEqual([HIST, `/moved${HIST}`]);
    const third = await worldAt('2026-04-13T15:00:00Z', ['ecb']);
    third.publisher.offer(HIST, { body: zipped(...MONDAY) });
    third.publisher.fail('gzip');
    expect((await third.run('import ecb')).code).toBe(0);
  });

  it('gives up on one that never answers', async () => {
    const origin = await startLoopback(() => undefined);
    const { platform, folder } = testPlatform({ fetch: createNodeFetch() });
    const client = createFileClient({ platform, deadlineMs: 150 });
    const asking = client.fetchFile({
      ...{ url: `${origin}/file`, hosts: [], maxBytes: 1000 },
      grow: () => nodeFiles.grow(join(folder, 'file')),
    });
    await expect(asking).rejects.toMatchObject({ kind: 'upstream', code: 'timeout' });
    expect(nodeFiles.list(folder)).toEqual(['home']);
  });

  it('refuses more than a file of its kind can have', async () => {
    const origin = await startLoopback((_, response) => response.end('x'.repeat(2_000_001)));
    const { platform, folder } = testPlatform({ fetch: createNodeFetch() });
    const asking = createFileClient({ platform }).fetchFile({
      ...{ url: `${origin}/file`, hosts: [], maxBytes: 2_000_000 },
      grow: () => nodeFiles.grow(join(folder, 'file')),
    });
    await expect(asking).rejects.toMatchObject({ kind: 'protocol', code: 'body_too_large' });
    expect(nodeFiles.list(folder)).toEqual(['home']);
  });

  it('takes a link of the page on its own site alone', async () => {
    const { publisher, run } = await worldAt('2026-11-20T00:00:00Z', ['pink-sheet']);
    publisher.offer(
      '/en/research/commodity-markets',
      '<a href="https://elsewhere.example/CMO-Historical-Data-Monthly.xlsx">x</a>',
    );
    const { code, err } = await run('import pink-sheet');
    expect([code, err]).toEqual([7, expect.stringContaining('names no file of pink-sheet')]);
    expect(publisher.asked).toEqual(['/en/research/commodity-markets']);
  });

  it('tells a contact to the publisher that wants one, and asks nobody without it', async () => {
    const { publisher, run } = await worldAt('2026-09-20T00:00:00Z', ['bls-prices']);
    const { code, err } = await run('import bls-prices');
    expect([code, err, publisher.asked]).toEqual([
      2,
      expect.stringContaining('macro config set publishers.bls-prices.contact you@example.com'),
      [],
    ]);
    await run('config set publishers.bls-prices.contact me@example.org');
    expect((await run('import bls-prices')).code).toBe(3);
    expect(publisher.headers()['user-agent']).toMatch(/; me@example\.org\)$/);
  });
});

describe('settings', () => {
  it('keeps an address of one file, which has no smaller relative', async () => {
    const publisher = await startPublisher();
    const world = testPlatform({ now: '2026-04-13T15:00:00Z', fetch: createNodeFetch() });
    publisher.offer('/copy.csv', rates(...MONDAY));
    expect((await macro(`config set publishers.ecb.address ${publisher.origin}/copy.csv`, world)).code).toBe(0);
    expect((await macro('config explain --format csv', world)).out).toContain(
      `publishers.ecb.address,${publisher.origin}/copy.csv,`,
    );
    await macro('import ecb', world);
    await macro('import ecb', world);
    expect(publisher.asked).toEqual(['/copy.csv', '/copy.csv']);
    expect((await macro('import ecb --address', world)).out).toBe(`${publisher.origin}/copy.csv\n`);
    for (const line of [
      'publishers.ecb.address http://files.example.com/x',
      'publishers.nobody.address https://a.example/',
    ])
      expect((await macro(`config set ${line}`, world)).code).toBe(2);
    await macro('config set publishers.ecb.address', world);
    expect((await macro('import ecb --address', world)).out).toContain('https://www.ecb.europa.eu/stats/eurofxref/');
  });

  it('reads the vintage of FRED-MD in the name of the file at its own address', async () => {
    const { publisher, run, json } = await worldAt('2024-04-05T15:00:00Z', []);
    publisher.offer('/md/2024-03-md.csv?v=1', 'sasdate,UNRATE\nTransform:,2\n1/1/2024,3.7\n2/1/2024,3.9\n');
    await run(`config set publishers.fred-md.address ${publisher.origin}/md/2024-03-md.csv?v=1`);
    const [{ file, added }] = (await json('import fred-md')).data;
    expect([file, added]).toEqual(['2024-03-md.csv', 2]);
  });

  it.each([
    ['fred-md', 'https://www.stlouisfed.org/research/economists/mccracken/fred-databases\n'],
    ['alfred-periods', 'https://alfred.stlouisfed.org/\n'],
    ['fred', 'https://fred.stlouisfed.org/graph/fredgraph.csv?id={id}\n'],
    ['fred PAYEMS', 'https://fred.stlouisfed.org/graph/fredgraph.csv?id=PAYEMS\n'],
    ['nbp', 'https://static.nbp.pl/dane/kursy/Archiwum/archiwum_tab_a_{year}.csv\n'],
    ['pink-sheet', 'https://www.worldbank.org/en/research/commodity-markets\n'],
  ])('%s --address names it and asks nobody', async (words, expected) => {
    const { code, out } = await macro(`import ${words} --address`);
    expect([code, out]).toEqual([0, expected]);
  });

  it.each([
    ['import fred-md', 'No lasting address of current.csv is known'],
    ['track add fred-md', 'No lasting address of current.csv is known'],
    ['track add fred', 'fred needs ids of series'],
    ['track add ecb usd', 'takes no words'],
    ['track add ecb start=2015', 'ecb takes no start'],
    ['track add "nbp start=soon"', 'is no date for start'],
  ])('%s is refused', async (line, reason) => {
    const { code, err } = await macro(line);
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
  });
});

it('syncs services and publishers alike, and says what failed of which', async () => {
  const { publisher, run, json } = await worldAt('2026-04-13T15:00:00Z', ['ecb', 'fred']);
  publisher.offer(HIST, { body: zipped(...MONDAY) });
  await run('track add ecb, "fred UNRATE"');
  const { outcome, data } = await json('sync');
  expect(outcome).toBe('incomplete');
  expect(data.map(({ series, outcome: of, code }: Record<string, string>) => [series, of, code])).toEqual([
    ['ecb', 'complete', null],
    ['fred UNRATE', 'failed', 'http_404'],
  ]);
  expect((await run('sync')).code).not.toBe(0);
  const mixed = await run('sync ecb, fx eur usd');
  expect([mixed.code, mixed.err]).toEqual([4, expect.stringContaining('No service is chosen')]);
});

it('asks each publisher whether its file is there, and fetches nothing', async () => {
  const all = IMPORT_FORMATS.flatMap(({ id, download }) => (download?.address ? id : []));
  const { publisher, run, json } = await worldAt('2026-04-13T15:00:00Z', all);
  publisher.offer(HIST, { body: zipped(...MONDAY) });
  publisher.offer('/graph/fredgraph.csv?id=PAYEMS', 'x'.repeat(5_000_000));
  const { data } = await json('doctor --publishers');
  const found = data.filter(({ check }: { check: string }) => check === 'publisher');
  expect(found).toHaveLength(all.length);
  const host = new URL(publisher.origin).host;
  const states = Object.fromEntries(found.map(({ state, says }: Record<string, string>) => [says, state]));
  expect(states).toMatchObject({
    [`ecb answers at ${host}`]: 'ok',
    [`fred answers at ${host}`]: 'ok',
    'bls-prices wants a contact': 'note',
    [`${host} has no file /statistics/tables/csv/f11.1-data.csv (404).`]: 'problem',
  });
  expect((await run('import list')).code).toBe(3);
  expect(publisher.asked).toContain('/dane/kursy/Archiwum/archiwum_tab_a_2026.csv');
  expect(publisher.asked).toContain('/series/downloaddata?seid=PAYEMS');
});
