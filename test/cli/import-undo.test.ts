import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { macro } from '../support/run.ts';

const OLD = 'Date,USD,\n2026-11-18,1.13,\n2026-11-17,1.12,\n';
const NEW = 'Date,USD,\n2026-11-20,1.16,\n2026-11-19,1.15,\n2026-11-18,1.14,\n';

const engines = ['a file', ...(POSTGRES_BIN === undefined ? [] : ['a server'])];

describe.each(engines)('macro import undo of a mirror in %s', (engine) => {
  it('takes an import back with what it covered; its file brings it back', async () => {
    const at = testPlatform();
    const mirror = engine === 'a file' ? '' : `--mirror ${await freshAddress()}`;
    const bring = async (name: string, text: string) => {
      writeFileSync(join(at.folder, name), text);
      expect((await macro(`import ${name} --quiet ${mirror}`, at)).code).toBe(0);
    };
    const rates = async () => {
      const line = `fx eur usd --offline --start 2026-11-17 --end 2026-11-20 --fields date,val --no-header --quiet ${mirror}`;
      const { code, out } = await macro(line, at);
      return [code, out.trim().split('\n')];
    };
    await bring('old.csv', OLD);
    await bring('new.csv', NEW);
    const both = ['2026-11-20\t1.16', '2026-11-19\t1.15', '2026-11-18\t1.14', '2026-11-17\t1.12'];
    expect(await rates()).toEqual([0, both]);

    const trial = await macro(`import undo 2 --dry-run --no-header ${mirror}`, at);
    expect([trial.code, trial.out, trial.err]).toEqual([
      0,
      '2\tecb\tnew.csv\t1\t3\t1\n',
      'This was a dry run: nothing was changed.\n',
    ]);
    expect(await rates()).toEqual([0, both]);

    expect((await macro(`import undo 2 --no-header ${mirror}`, at)).out).toBe(trial.out);
    // Nothing says any more that 2026-11-19 and 2026-11-20 are complete.
    expect(await rates()).toEqual([10, ['2026-11-18\t1.13', '2026-11-17\t1.12']]);
    const asked = await macro(`fx eur usd --offline --start 2026-11-17 --format json --quiet ${mirror}`, at);
    expect(JSON.parse(asked.out).mirror).toMatchObject({
      complete: false,
      missing: [{ from: '2026-11-19', to: expect.any(String) }],
    });
    const { out } = await macro(`import list --fields id,undone_at --no-header ${mirror}`, at);
    expect(out).toMatch(/^1\t\n2\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
    expect((await macro(`mirror verify --quiet ${mirror}`, at)).code).toBe(0);

    await bring('new.csv', NEW);
    expect(await rates()).toEqual([0, both]);
    const why = await macro(`why eur/usd 2026-11-18 --fields val,request --no-header ${mirror}`, at);
    expect(why.out.split('\n').filter((line) => line.startsWith('1.14'))).toHaveLength(2);
    expect((await macro(`mirror verify --quiet ${mirror}`, at)).code).toBe(0);
  });
});

describe('an import that was undone', () => {
  it('leaves nothing: a cross over the rates of others is found again', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'ecb.csv'), 'Date,PLN,CAD,\n2026-11-18,4.5,1.5,\n');
    const nbp = [
      'data;1CAD;nr tabeli;pe\u0142ny numer tabeli;',
      ';dolar kanadyjski;;;',
      '20261118;3,1;1;001/A/NBP/2026;',
      '',
    ];
    const cross = async () => {
      const line = 'fx cad pln --offline --start 2026-11-18 --end 2026-11-18 --format json --quiet';
      const { code, out } = await macro(line, at);
      const { data } = JSON.parse(out);
      return [code, data[0]?.val, data[0]?.source.derivation_method];
    };
    const status = async () => (await macro('mirror status --no-header --fields series,origin,rows', at)).out;
    const bytes = (text: string) => Buffer.from(text.replaceAll('\u0142', '\u00b3'), 'latin1');
    expect((await macro('import ecb.csv --quiet', at)).code).toBe(0);
    const before = [await cross(), await status()];
    // 4.5 / 1.5
    expect(before[0]).toEqual([0, 3, 'cross_via_anchor']);
    writeFileSync(join(at.folder, 'nbp.csv'), bytes(nbp.join('\r\n')));
    const brought = await macro('import nbp nbp.csv --quiet', at);
    expect([brought.code, brought.err]).toEqual([0, '']);
    expect(await cross()).toEqual([0, 3.1, 'direct_original_pair']);
    expect((await macro('import undo 2 --quiet', at)).code).toBe(0);
    expect([await cross(), await status()]).toEqual(before);
    const verified = await macro('mirror verify --no-header', at);
    expect([verified.code, verified.out]).toEqual([0, '']);
    expect((await macro('import nbp nbp.csv --quiet', at)).code).toBe(0);
    expect(await cross()).toEqual([0, 3.1, 'direct_original_pair']);
  });

  it('gives back the unit of the file before it', async () => {
    const at = testPlatform();
    const unit = async () => {
      const line =
        'commodities gold --offline --start 2024-01-31 --end 2024-02-29 --format json --quiet --allow-partial';
      const { unit, data } = JSON.parse((await macro(line, at)).out);
      return [unit, data.map(({ val }: { val: number }) => val)];
    };
    const bring = async (price: string, of: string) => {
      writeFileSync(join(at.folder, 'gold.csv'), `Day,Price\n2024-01-31,10\n2024-02-29,${price}\n`);
      const line = `import csv gold.csv --as 'commodities gold' --date Day --value Price --unit ${of} --quiet`;
      expect((await macro(line, at)).code).toBe(0);
    };
    await bring('11', 'USD/oz');
    await bring('12', 'EUR/kg');
    expect(await unit()).toEqual(['EUR/kg', [12, 10]]);
    const why = await macro('why commodities gold 2024-02-29 --fields request --no-header --quiet', at);
    expect(why.out).not.toContain('members');
    expect((await macro('import undo 2 --quiet', at)).code).toBe(0);
    expect(await unit()).toEqual(['USD/oz', [11, 10]]);
  });
});

describe('macro import undo', () => {
  it.each([
    ['import undo 7', 'The mirror has no import 7.'],
    ['import undo x', "'x' is no number of an import."],
    ['import undo', 'macro import undo takes one word'],
    ['import undo 1', 'Import 2 of later.csv came later and speaks of the same dates'],
  ])('%s is refused and changes nothing', async (line, message) => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), OLD);
    writeFileSync(join(at.folder, 'later.csv'), NEW);
    await macro('import rates.csv later.csv --quiet', at);
    const { code, out, err } = await macro(line, at);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
    expect((await macro('import list --fields undone_at --no-header', at)).out).toBe('\n\n');
  });
});
