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
    expect([trial.code, trial.out, trial.err]).toEqual([0, '2\tecb\tnew.csv\t1\t3\t1\n', '']);
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
