import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { SeriesKey } from '../../src/mirror/api/series.ts';
import { tableOf } from '../../src/mirror/rules/tables.ts';
import { isTextOf, viewsOf } from '../../src/mirror/rules/views.ts';
import { lockFile } from '../../src/mirror/sqlite/lock.ts';
import { nodeFiles } from '../../src/platform/node-files.ts';
import type { Files } from '../../src/platform/platform.ts';
import { serverMirror } from '../mirror/postgres/support.ts';
import {
  EURUSD,
  edit,
  held,
  INFLATION,
  MIDNIGHT,
  page,
  row,
  sql,
  type TestMirror,
  testMirror,
} from '../mirror/support.ts';
import { duck, HAS_DUCK } from '../support/duck.ts';
import { seededRandom, type TestPlatform, testPlatform } from '../support/platform.ts';
import { POSTGRES_BIN } from '../support/postgres.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

interface ManifestFile {
  readonly path: string;
  readonly kind: string;
  readonly bytes: number;
}

const manifestOf = (
  lake: string,
): { files: ManifestFile[]; series: { missing: unknown; coverage: unknown }[] } & Record<string, unknown> =>
  JSON.parse(readFileSync(join(lake, 'manifest.json'), 'utf8'));

/** A query over the views of a kind in a lake; their files are named below the folder, which is the current one. */
function inLake(lake: string, kind: string, query: string): Promise<readonly unknown[]> {
  const statements = readFileSync(join(lake, 'views.sql'), 'utf8').split(/(?<=;)\n/);
  const own = statements.filter((one) => one.includes(`view "v_${kind}"`) || one.includes(`view "v_${kind}_known"`));
  expect(own).toHaveLength(2);
  const views = own.join('\n').replaceAll(/'([^'\n]+\.parquet)'/g, `'${lake}/$1'`);
  return duck(`${views}\n${query}`);
}

/** All rows of a kind as another reader finds them. */
async function readKind(lake: string, kind: string): Promise<readonly Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const file of manifestOf(lake).files.filter((one) => one.kind === kind)) {
    const source = await asyncBufferFromFile(join(lake, file.path));
    const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
    rows.push(...(await parquetReadObjects({ file: source, compressors })));
  }
  return rows;
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

describe.skipIf(!HAS_DUCK)('a lake of the sandbox', () => {
  it('has every value of the views of the mirror, under the same names, for two readers', async () => {
    const at = testPlatform({ now: '2026-11-20T15:00:00Z' });
    const path = await sandboxPath(at.platform);
    const lake = join(at.folder, 'lake');
    expect(await macro(`lake export lake --with-text --mirror ${path} --quiet`, at)).toMatchObject({ code: 0 });
    const manifest = manifestOf(lake);
    expect([manifest.synthetic, manifest.files.every((file) => file.path.startsWith('synthetic=true/'))]).toEqual([
      true,
      true,
    ]);
    let kinds = 0;
    for (const [endpoint, mapping] of Object.entries(MAPPINGS)) {
      const table = tableOf(endpoint, mapping);
      const [view] = viewsOf(table);
      if (!view || !manifest.files.some(({ kind }) => `v_${kind}` === view.name)) continue;
      kinds += 1;
      const left = new Set(['access', 'request', 'checked_at', 'row', 'series']);
      const columns = view.columns.filter(({ name }) => !left.has(name));
      const forms: Readonly<Record<string, (name: string) => string>> = {
        date: (name) => `cast("${name}" as varchar)`,
        instant: (name) => `strftime("${name}", '%Y-%m-%dT%H:%M:%SZ')`,
        seconds: (name) => `cast(epoch("${name}") as double)`,
        integer: (name) => `cast("${name}" as double)`,
        flag: (name) => `cast("${name}" as double)`,
      };
      // Released and seen are instants in a view of the mirror.
      const asDuck = columns.map(({ name, type }) => `${forms[type]?.(name) ?? `"${name}"`} as "${name}"`).join(', ');
      const names = columns
        .map(({ name, type }) =>
          type === 'date' || type === 'text' || type === 'instant'
            ? `"${name}"`
            : `cast("${name}" as real) as "${name}"`,
        )
        .join(', ');
      const expected = sql(path, `select ${names} from ${view.name}`);
      const found = await inLake(lake, view.name.slice(2), `select ${asDuck} from ${view.name}`);
      expect([endpoint, sorted(found)]).toEqual([endpoint, sorted(expected)]);
      const rows = (await readKind(lake, view.name.slice(2))).filter((one) => one.is_current);
      const values = view.columns.filter((one, i) => one.type === 'real' || isTextOf(view.columns[i - 1], one));
      const pick = (all: readonly unknown[]) =>
        all
          .map((one) => JSON.stringify(values.map(({ name }) => plain((one as Record<string, unknown>)[name]))))
          .sort();
      expect([endpoint, pick(rows)]).toEqual([endpoint, pick(expected)]);
    }
    expect(kinds).toBeGreaterThan(15);
    expect(await macro(`lake verify lake --mirror ${path} --quiet`, at)).toMatchObject({ code: 0 });
  }, 240_000);
});

/** Looks at two series; what was said and when changes in ways that a seed gives. */
async function tell(mirror: Mirror, look: number): Promise<void> {
  const random = seededRandom(look + 1);
  const pick = (most: number) => Math.floor(random.number() * most);
  const at = MIDNIGHT + look * 3_600_000;
  const base = at / 1000;
  const dates = ['2024-12-31', '2025-06-30', '2025-12-31', '2026-06-30', '2026-09-30'];
  const announced = dates
    .filter(() => pick(4) > 0)
    .map((date) => {
      const first = base - 7200 - pick(7200);
      const vals = [1 + pick(3), 1 + pick(3)];
      const revisions = vals.map((val, i) => ({
        val,
        epoch: first + i * (1 + pick(3600)),
        observed_at_ns_string: `${first + i * 60 + pick(5000)}250000001`,
      }));
      return row(
        JSON.stringify({ date, val: vals[1], announcement_datetime: first, ...(pick(2) > 0 && { revisions }) }),
      );
    });
  const rates = dates
    .filter(() => pick(4) > 0)
    .map((date) => row(`{"date":"${date}","val":1.${pick(9)}0}`, { assumedRelease: base - pick(9000) }));
  const extent = pick(2) > 0 ? 'replaces' : 'adds';
  await mirror.commitPage(page(announced.toReversed(), { series: INFLATION, at, extent }));
  await mirror.commitPage(page(rates.toReversed(), { series: RATES, access: 'keyless', at: at + 500, extent }));
}

const RATES: SeriesKey = { ...EURUSD, origin: 'import:ecb' };
const LOOKS = 6;

describe.skipIf(!HAS_DUCK).each([
  ['SQLite', testMirror, true],
  ['PostgreSQL', serverMirror, POSTGRES_BIN !== undefined],
] as const)('a lake of a mirror in %s', (_, fresh, isThere) => {
  it.skipIf(!isThere)('answers 200 moments as the mirror does, grown run by run', async () => {
    const { mirror, path } = await fresh();
    const at = testPlatform({ now: MIDNIGHT });
    const lake = join(at.folder, 'lake');
    for (let look = 0; look < LOOKS; look += 1) {
      await tell(mirror, look);
      expect(await macro(`lake export lake --quiet --mirror ${path}`, at)).toMatchObject({ code: 0, err: '' });
    }
    const random = seededRandom(7);
    const moments = Array.from({ length: 200 }, () => MIDNIGHT - 16_000_000 + Math.floor(random.number() * 36_000_000));
    for (const [kind, key] of [
      ['announcements', INFLATION],
      ['fx', RATES],
    ] as const) {
      const series = await held(mirror, key);
      for (const by of ['known', 'captured'] as const) {
        const availability = by === 'known' ? 'public' : 'captured';
        const expected: unknown[] = [];
        for (const [moment, when] of moments.entries())
          for (const { columns } of await mirror.rows(series, { asOf: { at: when, by: availability } }))
            expected.push({ moment, date: columns.date, val: columns.val });
        expected.sort(inOrder);
        const list = moments.map((when, i) => `(${i}, make_timestamptz(${when * 1000}))`).join(', ');
        const found = await inLake(
          lake,
          kind,
          `select m.moment::double as moment, cast(date as varchar) as date, val from (values ${list}) m(moment, t) join v_${kind}_known
            on ${by}_from <= m.t and (${by}_to is null or ${by}_to > m.t) and not is_withdrawn`,
        );
        expect(found.toSorted(inOrder)).toEqual(expected);
        expect(pointsOf(await readKind(lake, kind), moments, `${by}_from`).sort(inOrder)).toEqual(expected);
        expect(expected.length).toBeGreaterThan(100);
      }
    }
    expect(await macro(`lake verify lake --mirror ${path}`, at)).toMatchObject({ code: 0 });
  });
});

const sorted = (rows: readonly unknown[]) => rows.map((one) => JSON.stringify(one)).sort();

const inOrder = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** The rows of each moment, found without SQL. */
function pointsOf(rows: readonly Record<string, unknown>[], moments: readonly number[], from: string): unknown[] {
  const found: unknown[] = [];
  const msOf = (value: unknown) => (value instanceof Date ? value.getTime() : Number.NaN);
  for (const [, all] of Map.groupBy(rows, ({ date, series }) => `${series} ${msOf(date)}`)) {
    const run = Math.max(...all.map((one) => Number(one.exported_to)));
    const own = all.filter((one) => Number(one.exported_to) === run && one[from] instanceof Date);
    own.sort((a, b) => msOf(a[from]) - msOf(b[from]));
    for (const [moment, when] of moments.entries()) {
      const last = own.findLast((one) => msOf(one[from]) <= when);
      if (!last || last.is_withdrawn) continue;
      found.push({ moment, date: new Date(msOf(last.date)).toISOString().slice(0, 10), val: last.val });
    }
  }
  return found;
}

interface Grown extends TestMirror {
  readonly at: TestPlatform;
  readonly lake: string;
  readonly run: (line: string) => ReturnType<typeof macro>;
}

async function grown(): Promise<Grown> {
  const made = await testMirror();
  const at = testPlatform({ now: MIDNIGHT });
  const lake = join(at.folder, 'lake');
  await tell(made.mirror, 0);
  const run = (line: string) => macro(`${line} --mirror ${made.path}`, at);
  expect(await run('lake export lake --quiet')).toMatchObject({ code: 0, err: '' });
  return { ...made, at, lake, run };
}

/** Files of a program that is killed at its `last`-th deed: nothing that it would do afterwards is done. */
function mortal(last: number): { files: Files; isDead: () => boolean } {
  let deeds = 0;
  const alive = () => {
    deeds += 1;
    if (deeds > last) throw new Error('killed');
  };
  const deed =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A): T => {
      alive();
      return work(...args);
    };
  const files: Files = {
    ...nodeFiles,
    write: deed(nodeFiles.write),
    makeFolder: deed(nodeFiles.makeFolder),
    remove: deed(nodeFiles.remove),
    grow: deed((path) => {
      const { write, finish, discard } = nodeFiles.grow(path);
      return { write: deed(write), finish: deed(finish), discard: () => deeds <= last && discard() };
    }),
  };
  return { files, isDead: () => deeds > last };
}

describe('a lake', () => {
  it.skipIf(!HAS_DUCK)('names only files that are there, wherever a run is killed', async () => {
    const { mirror, path, at, lake, run } = await grown();
    await tell(mirror, 1);
    const before = readFileSync(join(lake, 'manifest.json'), 'utf8');
    let kills = 0;
    for (let last = 0; ; last += 1) {
      const { files, isDead } = mortal(last);
      const { code } = await macro(`lake export lake --quiet --mirror ${path}`, {
        ...at,
        platform: { ...at.platform, files },
      });
      for (const file of manifestOf(lake).files) expect(nodeFiles.size(join(lake, file.path))).toBe(file.bytes);
      await inLake(lake, 'fx', 'select count(*) from v_fx_known');
      if (!isDead()) {
        expect(code).toBe(0);
        break;
      }
      expect([code, readFileSync(join(lake, 'manifest.json'), 'utf8')]).not.toEqual([0, before]);
      kills += 1;
    }
    expect(kills).toBeGreaterThan(10);
    const named = manifestOf(lake).files.map(({ path: file }) => file);
    const found = readdirSync(lake, { recursive: true, encoding: 'utf8' }).filter((name) => /parquet|tmp/.test(name));
    expect(found.sort()).toEqual(named.sort());
    expect(await run('lake verify lake --quiet')).toMatchObject({ code: 0 });
  });

  it('never rewrites a file, and adds none where nothing is new', async () => {
    const { mirror, lake, run } = await grown();
    const first = new Map(manifestOf(lake).files.map(({ path }) => [path, readFileSync(join(lake, path))]));
    await tell(mirror, 1);
    expect((await run('lake export lake')).err).toMatch(
      /note: \d+ rows in \d+ new files: the lake .* goes up to commit 4\./,
    );
    for (const [path, bytes] of first) expect(readFileSync(join(lake, path)).equals(bytes)).toBe(true);
    const files = manifestOf(lake).files.length;
    expect(files).toBeGreaterThan(first.size);
    expect((await run('lake export lake')).err).toContain('Nothing is new since the last run');
    expect(manifestOf(lake).files).toHaveLength(files);
  });

  it('is written by one program at a time, in one file of a kind', async () => {
    const { lake, run } = await grown();
    expect(manifestOf(lake).files.map(({ path }) => path)).toEqual([
      'announcements/part-1-2.parquet',
      'fx/part-1-2.parquet',
    ]);
    const lock = lockFile(join(lake, '.lock'));
    expect(await run('lake export lake')).toMatchObject({
      code: 75,
      err: expect.stringContaining('Another program exports into the lake'),
    });
    await lock?.release();
    expect(await run('lake export lake')).toMatchObject({ code: 0 });
  });

  it('says what is covered, what is missing and why, and whose data it is', async () => {
    const { mirror, run, lake } = await grown();
    const covered = { from: '2026-01-01', to: '2026-03-31', rows: 0 };
    await mirror.commitPage(page([], { covered, at: MIDNIGHT + 9_000_000 }));
    await run('lake export lake --quiet');
    const { nature, synthetic, commit, publishers, series } = manifestOf(lake);
    expect({ nature, synthetic, commit }).toEqual({
      nature: 'real',
      synthetic: false,
      commit: expect.objectContaining({ number: expect.any(Number) }),
    });
    expect(publishers).toContainEqual({
      origin: 'https://api.example.test',
      terms: 'Those of whoever you have it from.',
    });
    expect(series.map(({ coverage, missing }) => ({ coverage, missing }))).toContainEqual({
      coverage: [{ from: '2026-01-01', to: '2026-03-31' }],
      missing: [
        { from: null, to: '2025-12-31', reason: 'not covered by any sync or import' },
        { from: '2026-04-01', to: null, reason: 'after the last covered date' },
      ],
    });
  });

  it('is not continued by a mirror that was restored, nor by another one', async () => {
    const { mirror, path, at, run } = await grown();
    const backup = join(at.folder, 'backup.db');
    await macro(`mirror backup backup.db --quiet --mirror ${path}`, at);
    await tell(mirror, 1);
    await run('lake export lake --quiet');
    copyFileSync(backup, join(at.folder, 'restored.db'));
    const restored = (line: string) => macro(`${line} --mirror restored.db`, at);
    const refused = { code: 2, err: expect.stringContaining('The mirror was restored since the lake') };
    expect(await restored('lake export lake')).toMatchObject(refused);
    expect(await restored('lake verify lake')).toMatchObject({ code: 9 });
    const other = await testMirror();
    await tell(other.mirror, 0);
    // Mirrors of tests have one id.
    edit(other.path, "update mirror set id = 'other'");
    expect(await macro(`lake export lake --mirror ${other.path}`, at)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is of another mirror'),
    });
    expect(await run('lake export lake --with-text')).toMatchObject({
      code: 2,
      err: expect.stringContaining('begun with other columns'),
    });
  });

  it('shows in verify what is missing, altered, different or behind', async () => {
    const { mirror, path, at, lake, run } = await grown();
    const found = async () => {
      const { code, out } = await run('lake verify lake --quiet --format json');
      return [code, JSON.parse(out).data.map(({ level, finding }: Record<string, string>) => `${level} ${finding}`)];
    };
    expect(await found()).toEqual([0, []]);
    const [first, second] = manifestOf(lake).files;
    if (!first || !second) throw new Error('no files');
    const whole = readFileSync(join(lake, first.path));
    writeFileSync(join(lake, first.path), Buffer.from(whole.map((byte, i) => (i === 9 ? byte ^ 1 : byte))));
    expect(((await found())[1] as string[])[0]).toBe('problem altered');
    writeFileSync(join(lake, first.path), whole);
    const away = readFileSync(join(lake, second.path));
    rmSync(join(lake, second.path));
    expect(((await found())[1] as string[])[0]).toBe('problem missing');
    writeFileSync(join(lake, second.path), away);
    edit(path, `update fx_daily set val = 9, text = '{"date":"2025-12-31","val":9}' where date = '2025-12-31'`);
    expect(await found()).toEqual([9, ['problem different']]);
    edit(path, 'delete from fx_daily');
    expect(await found()).toEqual([9, ['problem not in the mirror']]);
    const good = await grown();
    await tell(good.mirror, 1);
    const { code, out } = await good.run('lake verify lake --quiet --format json');
    expect([code, JSON.parse(out).data]).toMatchObject([0, [{ level: 'note', finding: 'behind' }]]);
    expect([readdirSync(at.folder).includes('lake'), await mirror.commit()]).toMatchObject([true, { number: 2 }]);
  });

  it('has the raw rows in a column of their own on request', async () => {
    const { path, at } = await grown();
    await macro(`lake export raw --with-row --quiet --mirror ${path}`, at);
    const raw = join(at.folder, 'raw');
    const rows = await readKind(raw, 'fx');
    const texts = rows.flatMap((one) => (one.is_current === true && typeof one.row === 'string' ? [one.row] : []));
    expect(texts.sort()).toEqual(
      sql(path, 'select row from v_fx')
        .map((one) => (one as { row: string }).row)
        .sort(),
    );
    expect(await macro(`lake verify raw --mirror ${path}`, at)).toMatchObject({ code: 0 });
  });
});
