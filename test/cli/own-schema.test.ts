import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { commandsUnder } from '../../src/cli/commands/tree.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { KEYS, RECORD } from '../derive/settlement/vector.ts';
import { freshFolder, type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxPath, serviceOver } from '../support/service.ts';
import { BODY, HEADERS, SECRET } from '../webhooks/vector.ts';

const official = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/official', name));

/**
 * What each command prints, in an order in which each finds what it needs; in brackets the exit code where it is not 0. Rows
 * of several commands in one machine: a service, a mirror of its own, files.
 */
const LINES: readonly (readonly [line: string, code?: number])[] = [
  ['profile list'],
  ['track list'],
  ['auth status'],
  ['sync fx eur usd, announcements usd inflation, calendar usd, cot eur'],
  ['sync announcements usd --plan'],
  ['status'],
  ['quota'],
  // The service has the clock of the machine, and the test one of its own.
  ['doctor', 10],
  ['config explain'],
  ['search inflation'],
  ['latest usd'],
  ['next usd'],
  ['compare usd,eur inflation'],
  ['why eur/usd 2026-11-20'],
  ['why cot eur 2026-11-17'],
  ['diff --from -1d', 10],
  ['journal'],
  ['journal --gaps'],
  ['journal --consumers'],
  ['journal --failures'],
  ['import list --mirror imported.db'],
  ['import undo 1 --mirror imported.db'],
  ['import rates.csv --mirror imported.db'],
  ['import csv gold.csv --mapping gold.json --preview --mirror imported.db'],
  ['import csv gold.csv --mapping gold.json --mirror imported.db'],
  ['mirror status'],
  ['mirror verify'],
  ['mirror backup copy.db'],
  ['mirror restore copy.db --yes'],
  ['mirror compact'],
  ['mirror rebuild'],
  ['manual'],
  ['settlement verify record.json --keys keys.json'],
  ['webhooks sign --body body.json'],
  ['webhooks verify --headers headers.txt --body body.json --at 2026-11-21T05:46:13Z', 9],
];

/** What has no rows where all is well. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  'journal --gaps',
  'journal --consumers',
  'journal --failures',
  'mirror verify',
  'mirror rebuild',
]);

/** Commands whose rows need more than a machine of this test, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'schedule install': 'changes the scheduler of the machine: test/cli/schedule.test.ts',
  'schedule status': 'has rows only where something is scheduled: test/cli/schedule.test.ts',
  wait: 'waits for a release: its rows are those of announcements',
  'webhooks create': 'its rows are those of an endpoint',
  'webhooks list': 'its rows are those of an endpoint',
  'webhooks show': 'its rows are those of an endpoint',
  'webhooks update': 'its rows are those of an endpoint',
  'webhooks enable': 'its rows are those of an endpoint',
  'webhooks rotate-secret': 'its rows are those of an endpoint',
  'webhooks deliveries': 'its rows are those of an endpoint',
  'webhooks trigger': 'its rows are those of an endpoint',
  'webhooks replay': 'needs events that were set aside: test/cli/consuming.test.ts',
};

async function machine(): Promise<TestPlatform> {
  const folder = freshFolder();
  const upstream = testPlatform({ folder: freshFolder() });
  const path = await sandboxPath(upstream.platform);
  const source = await openMirror({ path, mappings: MAPPINGS, platform: upstream.platform, mode: 'read' });
  const { fetch } = await serviceOver(source, upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'a-key', MACRO_WEBHOOK_SECRET: SECRET };
  const at = testPlatform({ folder, fetch, env });
  const files = {
    'rates.csv': official('ecb-eurofxref-2026-04-13.csv'),
    'gold.csv': 'Date,Price\n2026-08-31,3500.5\n2026-09-30,3600.25\n',
    'gold.json': '{"as": "commodities gold", "date": "Date", "value": "Price"}',
    'record.json': RECORD,
    'keys.json': JSON.stringify(KEYS),
    'body.json': BODY,
    'headers.txt': HEADERS.map(([name, value]) => `${name}: ${value}`).join('\n'),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  await macro('profile add desk --base-url http://127.0.0.1:8787', at);
  await macro('track add fx eur usd', at);
  await macro('import rates.csv --mirror imported.db', at);
  return at;
}

const COMMANDS = await commandsUnder();

async function schemaOf(line: string) {
  const { code, out } = await macro(`${line} --schema`);
  expect([line, code]).toEqual([line, 0]);
  return new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(out));
}

const wordsOf = (line: string) =>
  COMMANDS.filter(({ path }) => `${line} `.startsWith(`${path.join(' ')} `)).sort(
    (a, b) => b.path.length - a.path.length,
  )[0];

describe('--schema of a command of ours', () => {
  it('describes every row that it prints', async () => {
    const at = await machine();
    const wrong: unknown[] = [];
    for (const [line, code = 0] of LINES) {
      const ran = await macro(`${line} --format ndjson`, at);
      if (ran.code !== code) wrong.push([line, ran.code, ran.err]);
      const command = wordsOf(line)?.path.join(' ') ?? '';
      const option = /--(plan|gaps|consumers|failures|preview)\b/.exec(line)?.[0] ?? '';
      const isRow = await schemaOf(`${command} ${option}`.trim());
      const rows = ran.out.split('\n').filter(Boolean);
      if (rows.length === 0 && !MAY_BE_EMPTY.has(`${command} ${option}`.trim())) wrong.push([line, 'has no rows']);
      const other = rows.find((row) => !isRow(JSON.parse(row)));
      if (other !== undefined) wrong.push([line, other, !isRow(JSON.parse(other)) && isRow.errors]);
      if (isRow({ surely: 'not' })) wrong.push([line, 'has a schema that takes anything']);
    }
    expect(wrong).toEqual([]);
  });

  it('is there for each command with rows, which is run here or left out for a reason', async () => {
    const withSchema = COMMANDS.filter(({ options }) => options.some(({ name }) => name === 'schema'));
    const run = new Set(LINES.map(([line]) => wordsOf(line)?.path.join(' ')));
    const own = withSchema.filter(({ section, path }) => !section.startsWith('FX') && run.has(path.join(' ')));
    expect(own.length).toBeGreaterThan(20);
    const withRows = COMMANDS.filter(({ options }) => options.some(({ name }) => name === 'fields'));
    const missing = withRows.filter((command) => !withSchema.includes(command)).map(({ path }) => path.join(' '));
    // A query has any columns, and a document is no rows.
    expect(missing).toEqual(['sql', 'openapi']);
    for (const line of Object.keys(NOT_RUN)) await schemaOf(line);
  });
});
