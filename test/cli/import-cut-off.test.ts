import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** The number of June was 158478. */
const CUT = 'observation_date,PAYEMS\n2025-05-01,158466\n2025-06-01,1584';
const SAYS = {
  message: 'The file cannot be imported: it ends within its last line, so it may have been cut off.',
  hint: 'Nothing was written. Download it again. If it is whole, add a line end to its last line.',
};

async function bring(line: string, { text = CUT, stdin = '' } = {}) {
  const at = testPlatform({ stdin });
  writeFileSync(join(at.folder, 'PAYEMS.csv'), text);
  writeFileSync(join(at.folder, 'PAYEMS.zip'), zipSync({ 'PAYEMS.csv': new TextEncoder().encode(text) }));
  const { code, err } = await macro(`import ${line} --format json --quiet`, at);
  const { message, hint } = err === '' ? { message: '', hint: '' } : JSON.parse(err.trim().split('\n').at(-1) ?? '');
  const { out } = await macro(
    'announcements usd non_farm_payrolls --start 2025-01-01 --offline --format csv --fields date,val',
    at,
  );
  return {
    code,
    said: { message: String(message).replace(/^\S+: /, ''), hint },
    rows: out.trim().split('\n').slice(1),
  };
}

it.each([
  ['a file', 'PAYEMS.csv', ''],
  ['a pipe', 'fred -', CUT],
])('%s that ends within its last number is refused', async (_, words, stdin) => {
  expect(await bring(words, { stdin })).toEqual({ code: 2, said: SAYS, rows: [] });
});

it('with a line end the same file is whole', async () => {
  const rows = ['2025-06-30,158478', '2025-05-31,158466'];
  for (const end of ['78\n', '78\r\n', '78\n\n', '78\r'])
    expect(await bring('PAYEMS.csv', { text: `${CUT}${end}` })).toMatchObject({ code: 0, rows });
});

it('without one it is whole where its last number is as long as the one above it, and in an archive always', async () => {
  const rows = ['2025-06-30,158478', '2025-05-31,158466'];
  expect(await bring('PAYEMS.csv', { text: `${CUT}78` })).toMatchObject({ code: 0, rows });
  // Length and checksum of the archive were compared.
  expect(await bring('PAYEMS.zip')).toMatchObject({ code: 0, rows: ['2025-06-30,1584', '2025-05-31,158466'] });
});

it('a table that somebody describes needs none', async () => {
  const words = "csv PAYEMS.csv --as 'announcements usd non_farm_payrolls' --date observation_date --value PAYEMS";
  expect(await bring(`${words} --period month`)).toMatchObject({
    code: 0,
    rows: ['2025-06-30,1584', '2025-05-31,158466'],
  });
});
