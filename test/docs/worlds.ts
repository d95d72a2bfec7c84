import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { KEYS, RECORD } from '../derive/settlement/vector.ts';
import { type TestPlatform, type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';
import { BODY, HEADERS, SECRET } from '../webhooks/vector.ts';

const OFFICIAL = join(import.meta.dirname, '../fixtures/official');
const RATES = readFileSync(join(OFFICIAL, 'ecb-eurofxref-2026-04-13.csv'));
const ENV = { MACRO_WEBHOOK_SECRET: SECRET };

/** What a command finds: the data, and files of the names that the documents use. */
export interface World {
  readonly name: string;
  readonly world: TestPlatform;
}

/**
 * Three machines that a reader of the documents may sit at: one with made-up data of every kind and no service, one with
 * official rates alone, and one with a service and a key that has nothing yet.
 */
export async function makeWorlds(): Promise<readonly World[]> {
  const first = testPlatform();
  const { fetch } = await serviceOver(await sandboxMirror(first.platform), first.platform);
  const held = join(first.folder, 'held.db');
  copyFileSync(await sandboxPath(first.platform), held);
  const service = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'a-key', ...ENV };
  const worlds = [
    { name: 'sandbox', world: machine({ env: { MACRO_MIRROR: held, ...ENV } }) },
    { name: 'official', world: machine({ env: ENV }) },
    { name: 'service', world: machine({ fetch, env: service, sleeping: 'jumps' }) },
  ];
  for (const { name, world } of worlds) if (name === 'official') await macro('import ecb rates.csv --quiet', world);
  for (const { name, world } of worlds) if (name === 'service') await macro('track add fx eur usd --quiet', world);
  return worlds;
}

/** A clock that waits: a query that runs in a process of its own would be out of time at once with one that jumps. */
export function machine(options: TestPlatformOptions): TestPlatform {
  const world = testPlatform({ sleeping: 'waits', ...options });
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'rates.csv': RATES,
    'eurofxref-hist.csv': RATES,
    'eurofxref-hist.zip': zipSync({ 'eurofxref-hist.csv': RATES }),
    'cpi.csv': 'observation_date,CPI\n2026-08-31,326.1\n2026-09-30,326.9\n',
    'bls.ics':
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260904T123000Z\nSUMMARY:Employment Situation for August 2026\nEND:VEVENT\nEND:VCALENDAR\n',
    'releases.csv': 'date,time,period\n2026-10-14,08:30,2026-09\n',
    'gold.csv': 'Date,Price\n2026-08-31,3500.5\n2026-09-30,3600.25\n',
    'gold.json': '{"as": "commodities gold", "date": "Date", "value": "Price"}',
    'record.json': RECORD,
    'keys.json': JSON.stringify(KEYS),
    'body.json': BODY,
    'headers.txt': HEADERS.map(([name, value]) => `${name}: ${value}`).join('\n'),
    'secrets.txt': SECRET,
  };
  cpSync(OFFICIAL, join(world.folder, 'test/fixtures/official'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(world.folder, name), content);
  return world;
}

/** The standard input of a command that reads it. */
export function inputOf(line: string): string | Uint8Array {
  if (line.startsWith('macro import ecb')) return RATES;
  if (line.startsWith('macro sql')) return 'select publisher, count(*) as rows from v_announcements group by 1';
  if (line.startsWith('macro settlement verify')) return RECORD;
  return '';
}
