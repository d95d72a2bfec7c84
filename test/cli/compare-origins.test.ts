import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const ECB = 'Date,USD,\n2026-11-18,1.13,\n2026-11-17,1.120,\n2026-11-16,1.11,\n';
const OTHER = 'Day,Rate\n2026-11-16,1.10\n2026-11-17,1.12\n';

async function withOrigins() {
  const at = testPlatform();
  const say = (line: string) => macro(line, at);
  writeFileSync(join(at.folder, 'ecb.csv'), ECB);
  writeFileSync(join(at.folder, 'other.csv'), OTHER);
  expect((await say('import ecb.csv --quiet')).code).toBe(0);
  const csv = "import csv other.csv --as 'fx eur usd' --date Day --value Rate --publisher Bank --quiet";
  expect((await say(csv)).code).toBe(0);
  return { at, say };
}

describe('macro compare --origins', () => {
  it('shows each origin as it spells its values, and where they differ', async () => {
    const { say } = await withOrigins();
    const lines = ['date\tECB\tBank\tdiffers', '2026-11-18\t1.13\t\tfalse', '2026-11-17\t1.120\t1.12\tfalse'];
    const whole = [...lines, '2026-11-16\t1.11\t1.10\ttrue', ''].join('\n');
    for (const words of ['eur/usd', 'eur usd', 'fx eur usd', 'fx eur/usd --start 2026-11-16 --end 2026-11-18'])
      expect([words, await say(`compare ${words} --origins`)]).toEqual([
        words,
        expect.objectContaining({ code: 0, out: whole }),
      ]);
    const { out } = await say('compare eur/usd --origins --limit 1 --format json');
    expect(JSON.parse(out)).toEqual({
      series: 'EUR/USD',
      origins: ['ECB', 'Bank'],
      data: [{ date: '2026-11-18', ECB: 1.13, Bank: null, differs: false }],
    });
  });

  it('says which origin has no value in the rows', async () => {
    const { say } = await withOrigins();
    const { code, out, err } = await say('compare eur/usd --origins --start 2026-11-18');
    expect([code, out, err]).toEqual([
      0,
      'date\tECB\tBank\tdiffers\n2026-11-18\t1.13\t\tfalse\n',
      'note: Bank has no value in the rows shown. Its newest is that of 2026-11-17.\n',
    ]);
  });

  it('of a past moment shows those that were known then', async () => {
    const { say } = await withOrigins();
    const { out, err } = await say('compare eur/usd --origins --as-of 2026-11-17T00:00:00Z');
    expect([out, err]).toEqual([
      'date\tECB\tdiffers\n2026-11-16\t1.11\tfalse\n',
      'note: The mirror cannot tell what Bank said then.\n',
    ]);
  });

  it('shows the values of a service beside those of a file', async () => {
    const { at, say } = await withOrigins();
    const path = (await say('mirror status --format json')).out;
    const mirror = await openMirror({
      path: JSON.parse(path).mirror,
      mappings: MAPPINGS,
      platform: at.platform,
      mode: 'write',
    });
    const text = '{"date":"2026-11-18","val":1.14}';
    await mirror.commitPage({
      series: { origin: 'https://service.invalid', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
      nature: 'real',
      access: 'keyless',
      request: 'GET /v1/forex/EUR/USD',
      question: 'forex',
      rows: [{ text: asJsonText(text), value: JSON.parse(text) }],
      extent: 'adds',
      at: at.platform.clock.now(),
    });
    mirror.close();
    const { out } = await say('compare eur/usd --origins --limit 1 --no-header');
    expect(out).toBe('2026-11-18\t1.13\t\t1.14\ttrue\n');
  });

  it.each([
    ['compare --origins', 'macro compare --origins takes one series.'],
    ['compare usd,eur inflation --origins', 'macro compare --origins takes one series.'],
    ['compare usd inflation --origins', 'The mirror has nothing for announcements USD inflation.'],
  ])('%s is refused', async (line, message) => {
    const { say } = await withOrigins();
    const { out, err, code } = await say(line);
    expect([out, code === 0, err]).toEqual(['', false, expect.stringContaining(message)]);
  });
});
