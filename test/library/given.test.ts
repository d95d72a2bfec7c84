// What a program gives in JavaScript, where no compiler refuses it: ignored, it would do another thing than it says.
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../support/platform.ts';
import { builtLibrary, type Library } from './built-library.ts';
import { makeMirror } from './small-mirror.ts';

let library: Library;

beforeAll(async () => {
  library = await builtLibrary();
});

const USAGE = { name: 'UsageError' };
const ROW = { date: '2026-07-03', val: 1.25 };
const EURUSD = { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' }, rows: [ROW] };
const NOON = '2026-07-06T12:00:00Z';

async function refused(work: () => unknown) {
  const error = await Promise.resolve()
    .then(work)
    .then(String, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(library.UsageError);
  return String(error);
}

const HERE = { baseUrl: 'http://127.0.0.1:9' };

// The names of the options are those of docs/library.md.
test.each<[string, keyof Library, ...unknown[]]>([
  ['There is no option apikey here.', 'createClient', { ...HERE, apikey: 'k' }],
  ['"5s" is no number for timeout.', 'createClient', { ...HERE, timeout: '5s' }],
  ['undefined has no options.', 'createClient'],
  ['There is no option currency here.', 'followEvents', { ...HERE, currency: ['USD'] }],
  ['There is no option haskey here.', 'openMirror', '/nowhere.db', { haskey: false }],
  ['No mirror is named.', 'openMirror'],
  ['There is no option key here.', 'createMacroServer', { key: ['k'] }],
  ['keys is no list.', 'createMacroServer', { keys: 'k' }],
  ["'gold' is no value for plan.", 'createMacroServer', { keys: [{ key: 'k', plan: 'gold' }] }],
  ['A key is no printable ASCII of at most 256 characters.', 'createMacroServer', { keys: [''] }],
  ["'8787' is no port.", 'createMacroServer', { port: '8787' }],
  ["'70000' is no port.", 'createMacroServer', { port: 70_000 }],
  ['There is no list of faults.', 'createMacroServer', { faults: { faults: [] } }],
  ['There is no option secrets here.', 'verifyWebhook', { headers: {}, body: '', secrets: ['s'] }],
  // Anybody can sign with an empty secret, and a variable that is not set is one.
  ['No signing secret is given.', 'verifyWebhook', { headers: {}, body: '', secret: '' }],
  ['No signing secret is given.', 'verifyWebhook', { headers: {}, body: '', secret: ['s', undefined] }],
  ['No signing secret is given.', 'verifyWebhook', { headers: {}, body: '', secret: undefined }],
])('%s (%#)', async (message, name, ...given) => {
  expect(await refused(() => Reflect.apply(library[name], undefined, given))).toBe(`UsageError: ${message}`);
});

test.each<[string, object]>([
  ['data is no list.', EURUSD],
  ['There is no option row here.', [{ ...EURUSD, rows: undefined, row: [ROW] }]],
  ['rows is no list.', [{ ...EURUSD, rows: ROW }]],
  ['A series of forex is named by base, quote.', [{ ...EURUSD, scope: { base: 'EUR', quote: 'USD', x: '1' } }]],
  ['A series is given twice: generated forex/EUR/USD.', [EURUSD, { ...EURUSD, scope: { base: 'eur', quote: 'usd' } }]],
  ['Row 0 of forex has date: "2026-02-30".', [{ ...EURUSD, rows: [{ ...ROW, date: '2026-02-30' }] }]],
  ['Row 0 of forex has val: "1.25".', [{ ...EURUSD, rows: [{ ...ROW, val: '1.25' }] }]],
])('rows that would be served as something else are refused: %s', async (message, data) => {
  expect(await refused(() => Reflect.apply(library.createMacroServer, undefined, [{ data, clock: NOON }]))).toBe(
    `UsageError: ${message}`,
  );
});

test('a series of rows is named as a question names it, with what it leaves out at its default', async () => {
  const rows = [{ date: '2026-05-31', val: 3.1 }];
  const data = [{ endpoint: 'announcements', scope: { currency: 'usd', indicator: 'inflation' }, rows }];
  const server = await library.createMacroServer({ data, clock: NOON });
  onTestFinished(() => server.close());
  const client = library.createClient({ baseUrl: server.url, apiKey: 'k' });
  const { body, mirror } = await client.announcements({ currency: 'USD', indicator: 'inflation' });
  expect([body.data.map(({ date, val }) => [date, val]), mirror]).toEqual([[['2026-05-31', 3.1]], undefined]);
});

test('a server that was given nonsense goes on as before', async () => {
  const server = await library.createMacroServer({ data: [EURUSD], clock: NOON });
  const given = (work: CallableFunction, ...words: unknown[]) => refused(() => Reflect.apply(work, server, words));
  expect([
    await given(server.clock.advance, '1d'),
    await given(server.clock.set, '2026-07-05'),
    await given(server.release, { currency: 'USD', indicator: 'inflation', value: 3 }),
    await given(server.release, { currency: 'USD', indicator: 'inflation', val: '3' }),
    await given(server.release, { currency: 'USD', indicator: 'inflation', val: Number.NaN }),
  ]).toEqual([
    'UsageError: "1d" is no number for clock.advance.',
    'UsageError: The clock of a server goes forward only: its data cannot be forgotten one by one.',
    'UsageError: There is no option value here.',
    'UsageError: "3" is no number for val.',
    'UsageError: null is no number for val.',
  ]);
  expect(server.clock.now().toISOString()).toBe('2026-07-06T12:00:00.000Z');
  await server.close();
  await server.close();
  await expect(server.clock.advance(1)).rejects.toMatchObject({ ...USAGE, message: 'The server is closed.' });
});

test('a mirror refuses a word for its moment that it does not know, and every question once it is closed', async () => {
  const path = join(freshFolder(), 'made.db');
  await makeMirror(path);
  const mirror = await library.openMirror(path);
  const pair = { base: 'EUR', quote: 'USD' };
  const asked = (options: object) => refused(() => mirror.forex(pair, options));
  expect([await asked({ asOf: NOON, by: 'me' }), await asked({ by: 'captured' })]).toEqual([
    "UsageError: 'me' is no value for by.",
    'UsageError: The option by says to whom a moment was known, and none is given.',
  ]);
  mirror.close();
  const closed = { name: 'MirrorError', code: 'mirror_closed' };
  await expect(mirror.forex(pair)).rejects.toMatchObject(closed);
  await expect(mirror.series()).rejects.toMatchObject(closed);
  await expect(mirror.kind()).rejects.toMatchObject(closed);
});
