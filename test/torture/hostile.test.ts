/** What strangers hand over: files that are damaged or made to do harm, and queries that ask for too much. */
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { surveyFile } from '../../src/imports/survey.ts';
import { tablesOfViews } from '../../src/mirror/rules/views.ts';
import { type QueryAnswer, queryMirror } from '../../src/mirror/sql/query.ts';
import { fileOf } from '../imports/read-format.ts';
import { inRounds, LONGEST_MS, type Round } from './rounds.ts';
import { ENGINES, inPlace, openAt } from './world.ts';

const NOW = Date.parse('2026-11-22T00:00:00Z');
const SHEET = 'xl/worksheets/sheet1.xml';
const [SQLITE] = ENGINES;

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (cells: string) => `<row>${cells}</row>`;
const month = (i: number) =>
  row(
    `${cell('A1', `${1960 + Math.floor(i / 12)}M${String((i % 12) + 1).padStart(2, '0')}`)}<c r="B1"><v>${i}.5</v></c>`,
  );

const PRICES = [
  row(cell('A1', 'Updated on November 03, 2026')),
  row(cell('B2', 'Gold')),
  row(cell('B3', '($/troy oz)')),
  ...Array.from({ length: 24 }, (_, i) => month(i)),
];

function workbook(rows: readonly string[], extra: Readonly<Record<string, string>> = {}): Uint8Array {
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="Monthly Prices" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
    [SHEET]: `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    ...extra,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

const RATES = `Date,USD,\n${Array.from({ length: 28 }, (_, i) => `2026-10-${String(28 - i).padStart(2, '0')},1.1,\n`).join('')}`;

/** Turns some bytes, and cuts some files off. */
function damaged(bytes: Uint8Array, round: Round): Uint8Array {
  const copy = bytes.slice(0, round.below(4) === 0 ? round.below(bytes.length) : bytes.length);
  for (let i = round.below(6); i > 0 && copy.length > 0; i -= 1) copy[round.below(copy.length)] = round.below(256);
  return copy;
}

const HARMFUL: readonly [(round: Round) => Uint8Array, ...((round: Round) => Uint8Array)[]] = [
  (round) => damaged(workbook(PRICES), round),
  (round) => damaged(zipSync({ 'a.csv': strToU8(RATES) }), round),
  (round) => damaged(strToU8(RATES), round),
  (round) => workbook(['<a>'.repeat(1 + round.below(200_000))]),
  (round) =>
    workbook(PRICES.with(round.below(PRICES.length), row(`<c r="XFD1"><v>1</v></c>`).repeat(1 + round.below(300)))),
  (round) => workbook([], { 'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(round.below(200_000))}</sst>` }),
  (round) => zipSync({ 'a.csv': new Uint8Array(round.below(30_000_000)).fill(round.below(256)) }),
];

it('a hostile file is refused in a sentence or read, and nothing else happens', { timeout: LONGEST_MS }, async () => {
  await inRounds('hostile files', 40, async (round) => {
    const bytes = round.one(HARMFUL)(round);
    for (const id of ['ecb', 'pink-sheet']) {
      try {
        const format = formatNamed(id) ?? expect.fail(id);
        expect(surveyFile(format, fileOf(bytes, 'given'), NOW).rows).toBeLessThan(1_000);
        round.count('read');
      } catch (error) {
        if (!(error instanceof MacroError)) throw error;
        expect([error.kind, error.message.length < 1_200]).toEqual(['usage', true]);
        round.count('refused');
      }
    }
  });
});

/** Each gives many or long values, or needs much to give few. */
const GREEDY = [
  (n: number) => `select zeroblob(${n})`,
  (n: number) => `select hex(randomblob(${n}))`,
  (n: number) =>
    `with recursive t(i) as (select 1 union all select i + 1 from t) select i, hex(zeroblob(${1 + (n % 5_000)})) from t`,
  (n: number) => `select length(replace(hex(zeroblob(${n})), '0', 'abcdefghijklmnop'))`,
  (n: number) =>
    `select group_concat(hex(zeroblob(${1 + (n % 1_000)})), 'x') from (with recursive t(i) as (select 1 union all select i + 1 from t) select i from t limit 5000000)`,
] as const;

it('a greedy query is cut or ended', { timeout: LONGEST_MS }, async () => {
  if (!SQLITE) expect.fail('no engine');
  await inPlace(SQLITE, async (path) => {
    (await openAt(path)).close();
    await inRounds('bounded queries', 5, async (round) => {
      const sql = GREEDY[round.number % GREEDY.length]?.(1 + round.below(300_000_000)) ?? '';
      const maxBytes = 1 + round.below(8_000_000);
      const request = { path, sql, binds: {}, limit: 10_000, maxBytes, views: tablesOfViews(MAPPINGS) };
      const ended = await queryMirror(request, AbortSignal.timeout(60_000)).catch((error: unknown) => error);
      if (!isAnswer(ended)) {
        if (!(ended instanceof MacroError)) throw ended;
        expect(ended.code).toBe('query_too_large');
        return round.count('ended');
      }
      const bytes = ended.rows.flat().reduce<number>((sum, value) => sum + lengthOf(value), 0);
      expect(bytes).toBeLessThanOrEqual(maxBytes);
      round.count(ended.cut === undefined ? 'answered' : 'cut');
    });
  });
});

const isAnswer = (ended: unknown): ended is QueryAnswer =>
  typeof ended === 'object' && ended !== null && 'rows' in ended;
const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
