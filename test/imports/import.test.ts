import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ecb } from '../../src/imports/formats/ecb.ts';
import { runImport } from '../../src/imports/import.ts';
import { type MemoryMirror, memoryMirror } from './memory-mirror.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.UTC(2026, 3, 14);

async function bring(mirror: MemoryMirror, text: string) {
  const [report] = await runImport({ surveys: [surveyOf(ecb, text, { now: NOW })], mirror, now: NOW });
  return report;
}

const FILE = `Date,USD,JPY,HRK,
2026-04-13,1.10,186.75,N/A,
2026-04-10,1.1711,186.43,N/A,
2026-04-09,1.1685,185.7,N/A,
`;

describe('an import', () => {
  it('adds every rate and reports it', async () => {
    expect(await bring(memoryMirror(), FILE)).toEqual({
      format: 'ecb',
      file: 'rates.csv',
      series: 2,
      rows: 6,
      added: 6,
      revised: 0,
      vanished: 0,
      unchanged: 0,
      from: '2026-04-09',
      to: '2026-04-13',
    });
  });

  it('states origin, nature, window, proof and what was typed', async () => {
    const mirror = memoryMirror();
    await bring(mirror, FILE);
    const { rows, envelope, ...commit } = mirror.commits[0] ?? { rows: [] };
    expect(rows).toHaveLength(3);
    const digest = createHash('sha256').update(FILE).digest('hex');
    expect(envelope?.inputs).toBe(`import ecb EUR/USD sha256:${digest}`);
    expect(commit).toEqual({
      series: { origin: 'import:ECB', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
      nature: 'real',
      access: 'key:import',
      request: `import ecb rates.csv sha256:${digest} covers 2026-04-09..2026-04-13 members ${envelope?.text}`,
      question: 'import ecb EUR/USD',
      extent: 'replaces',
      window: { from: '2026-04-09', to: '2026-04-13' },
      covered: { from: '2026-04-09', to: '2026-04-13', rows: 3 },
      at: NOW,
    });
  });

  it('of the same file again changes nothing', async () => {
    const mirror = memoryMirror();
    await bring(mirror, FILE);
    expect(await bring(mirror, FILE)).toMatchObject({ added: 0, revised: 0, vanished: 0, unchanged: 6 });
  });

  it('of a changed rate is a revision', async () => {
    const mirror = memoryMirror();
    await bring(mirror, FILE);
    expect(await bring(mirror, FILE.replace('1.1711', '1.1712'))).toMatchObject({ added: 0, revised: 1, unchanged: 5 });
  });

  it('of the last days leaves older rates alone', async () => {
    const mirror = memoryMirror();
    await bring(mirror, FILE);
    const day = 'Date, USD, JPY, \n14 April 2026, 1.17, 187.01, \n';
    expect(await bring(mirror, day)).toMatchObject({ rows: 2, added: 2, vanished: 0 });
    expect(mirror.texts('EUR/USD')).toHaveLength(4);
  });

  it('lets a rate vanish that the publisher has taken back, even the only one of a currency', async () => {
    const mirror = memoryMirror();
    await bring(mirror, FILE.replace('186.75,N/A', '186.75,7.5'));
    const report = await bring(mirror, FILE.replace('1.10,', 'N/A,'));
    expect(report).toMatchObject({ series: 3, added: 0, vanished: 2 });
    expect(mirror.texts('EUR/USD')[0]).toBe('{"date":"2026-04-10","val":1.1711}');
    expect(mirror.texts('EUR/HRK')).toEqual([]);
  });

  it('of a day that has not come writes nothing at all', async () => {
    const mirror = memoryMirror();
    await expect(bring(mirror, FILE.replace('2026-04-13', '2026-04-15'))).rejects.toMatchObject({
      code: 'bad_import',
      message:
        'Line 2 of the file cannot be imported: it speaks of 2026-04-15, and today is 2026-04-14 by the clock of this machine.',
    });
    expect(mirror.commits).toEqual([]);
    expect(await bring(mirror, FILE.replace('2026-04-13', '2026-04-14'))).toMatchObject({ added: 6 });
  });

  it('of a bad file writes nothing at all', async () => {
    const mirror = memoryMirror();
    await expect(bring(mirror, FILE.replace('185.7', 'oops'))).rejects.toThrow(
      "Line 4 of the file cannot be imported: 'oops' is no number of JPY.",
    );
    expect(mirror.commits).toEqual([]);
  });
});
