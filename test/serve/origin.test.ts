// `origin=` of `serve`: one source of the mirror alone, with validators of its own.
import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { surveyOf } from '../imports/read-format.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');

const FILES = [
  ['fred', 'observation_date,DGS10\n1989-12-29,7.93\n1990-01-02,7.94\n', 'DGS10.csv'],
  ['treasury', 'Date,"1 Mo","10 Yr"\n1/3/90,,7.99\n1/2/90,,7.95\n', 'daily-treasury-rates.csv'],
] as const;

it('answers from one source', async () => {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const now = NOW - 1_000_000;
  for (const [id, text, name] of FILES)
    await runImport({ surveys: [surveyOf(formatNamed(id) ?? expect.fail(id), text, { now, name })], mirror, now });
  const source = createMirrorSource({ mirror, labels: LABELS });
  const options = { labels: LABELS, quotas: false, open: true };
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options });
  const ask = async (origin: string) => {
    const url = `/v1/announcements/USD/gov_bond_10y?start_date=1990-01-02&end_date=1990-01-02${origin}`;
    const answer = await app.inject({ url, headers: { 'x-api-key': 'k' } });
    const { data, code } = answer.json();
    const values = code ?? data.map(({ val }: { val: number }) => val);
    return [answer.statusCode, values, answer.headers.etag, answer.headers.warning];
  };
  const answers = [await ask(''), await ask('&origin=Treasury'), await ask('&origin=FRED'), await ask('&origin=ECB')];
  const { warning } = (await app.inject({ url: '/v1/ping?origin=ECB' })).headers;
  await app.close();
  expect(answers.map(([status, values]) => [status, values])).toEqual([
    [200, [7.94]],
    [200, [7.95]],
    [200, [7.94]],
    [404, 'unknown_origin'],
  ]);
  // The warning says what had no effect.
  expect([...answers.map(([, , , told]) => told), warning]).toEqual([
    ...Array(4).fill(undefined),
    '299 - "Ignored parameters: origin"',
  ]);
  expect(new Set(answers.slice(0, 2).map(([, , etag]) => etag)).size).toBe(2);
});
