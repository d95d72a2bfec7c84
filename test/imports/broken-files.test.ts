import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { surveyFile } from '../../src/imports/survey.ts';
import { memoryMirror } from './memory-mirror.ts';
import { fileOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T00:00:00Z');
const OFFICIAL = join(import.meta.dirname, '../fixtures/official');

/** Official files, what separates their cells, how their lines of data begin, and how they are encoded. */
const FILES: readonly (readonly [name: string, separator: string, begins: RegExp, encoding: string])[] = [
  ['ecb-eurofxref-2026-04-13.csv', ',', /^\d{4}-\d\d-\d\d,/, 'utf-8'],
  ['bbk-eur-gbp-2022-03-en.csv', ',', /^\d{4}-\d\d-\d\d,\d/, 'utf-8'],
  ['boc-fx-daily-2017-01.csv', ',', /^"?\d{4}-\d\d-\d\d"?,/, 'utf-8'],
  ['nbp-table-a-2022-12.csv', ';', /^\d{8};/, 'windows-1250'],
  ['rba-f11.1-2024-12.csv', ',', /^\d\d-[A-Z][a-z]{2}-\d{4},/, 'windows-1252'],
  ['treasury-par-yields-2022-03.csv', ',', /^\d\d\/\d\d\/\d{4},/, 'utf-8'],
  ['frb-h15-2022-03.csv', ',', /^\d{4}-\d\d-\d\d,/, 'utf-8'],
  ['fred-unrate-2026.csv', ',', /^\d{4}-\d\d-\d\d,/, 'utf-8'],
];

interface Sound {
  readonly lines: readonly string[];
  readonly separator: string;
  /** Place of the first line of data. */
  readonly first: number;
  /** Place of the last line of data. */
  readonly last: number;
}

type Damage = (file: Sound) => string;

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const onLast = (change: (line: string, separator: string) => string): Damage => {
  return ({ lines, separator, last }) => joined(lines.with(last, change(lines[last] ?? '', separator)));
};
const onCells = (change: (cells: string[]) => readonly string[]) =>
  onLast((line, separator) => change(line.split(separator)).join(separator));

const REFUSED: Readonly<Record<string, Damage>> = {
  'a line cut behind its date': ({ lines, separator, last }) =>
    joined([...lines.slice(0, last), (lines[last] ?? '').split(separator)[0] ?? '']),
  'another separator': ({ lines, separator }) => joined(lines).replaceAll(separator, separator === ',' ? ';' : '|'),
  'another decimal mark': onCells((cells) =>
    cells.map((cell, place) => (place > 0 ? `"${cell.replaceAll('"', '').replace(/(?<=\d)[.,](?=\d)/, "'")}"` : cell)),
  ),
  'a date twice': ({ lines, last }) => joined(lines.toSpliced(last, 0, lines[last] ?? '')),
  'swapped columns': onCells(([date = '', value = '', ...more]) => [value, date, ...more]),
  'a page of the web': () => '<!DOCTYPE html>\n<html><body><p>Not found</p></body></html>',
  'a date that has not come': onLast((line) => line.replace(/20\d\d/, '2199')),
  'a word for a number': onCells((cells) => cells.with(1, 'oops')),
  'nothing in it': () => '',
  'no values': ({ lines, first }) => joined(lines.slice(0, first)),
};

const RIGHT: Readonly<Record<string, Damage>> = {
  'lines that end as on Windows': ({ lines }) => `${lines.join('\r\n')}\r\n`,
  'empty lines at its end': ({ lines }) => `${joined(lines)}\n\n`,
};

function soundFile([name, separator, begins, encoding]: (typeof FILES)[number]): Sound & { readonly text: string } {
  const text = new TextDecoder(encoding).decode(readFileSync(join(OFFICIAL, name)));
  const lines = text.replaceAll('\r', '').trimEnd().split('\n');
  const first = lines.findIndex((line) => begins.test(line));
  return { text, lines, separator, first, last: lines.findLastIndex((line) => begins.test(line)) };
}

/** In the encoding of the publisher: every character of these files is in its table. */
function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(text, (character) => bytes.get(character) ?? 63);
}

async function bring(bytes: Uint8Array) {
  const mirror = memoryMirror();
  try {
    const file = fileOf(bytes);
    const survey = surveyFile(recogniseFormat(file), file, NOW);
    await runImport({ surveys: [survey], mirror, now: NOW });
  } catch (error) {
    if (error instanceof MacroError) return { refusal: [error.kind, error.code], rows: mirror.commits.length };
    throw error;
  }
  const texts = mirror.commits.flatMap(({ series, rows }) =>
    rows.map(({ text }) => [...Object.values(series.scope), text].join(' ')),
  );
  return { refusal: undefined, rows: texts };
}

describe.each(FILES)('%s', (...named) => {
  const [, , , encoding] = named;
  const sound = soundFile(named);
  const whole = () => bring(encoded(sound.text, encoding));

  it('is imported as it is', async () => {
    const { refusal, rows } = await whole();
    expect([refusal, Array.isArray(rows) && rows.length > 5, sound.last > 3]).toEqual([undefined, true, true]);
  });

  it.each(Object.entries(REFUSED))('with %s is refused, and nothing of it is kept', async (_, damage) => {
    const broken = damage(sound);
    expect(broken).not.toBe(joined(sound.lines));
    expect(await bring(encoded(broken, encoding))).toEqual({ refusal: ['usage', 'bad_import'], rows: 0 });
  });

  it('cut off anywhere within its last line is refused or the same, and whole without its last line end', async () => {
    const text = joined(sound.lines.slice(0, sound.last + 1)).trimEnd();
    const line = (sound.lines[sound.last] ?? '').trimEnd();
    const ended = await bring(encoded(`${text}\n`, encoding));
    const refused = { refusal: ['usage', 'bad_import'], rows: 0 };
    expect(await bring(encoded(text, encoding))).toEqual(ended);
    // Where the publisher ends no last line, the last number may be a part of one.
    if (/^(?:treasury|frb-h15)/.test(named[0])) return;
    for (let left = 1; left < Math.min(line.length, 12); left += 1) {
      const found = await bring(encoded(text.slice(0, text.length - left), encoding));
      expect([left, found.refusal === undefined ? ended : refused]).toEqual([left, found]);
    }
  });

  it.each(Object.entries(RIGHT))('with %s is the same', async (_, change) => {
    expect(await bring(encoded(change(sound), encoding))).toEqual(await whole());
  });

  it('in another encoding with a mark is the same', async () => {
    const text = sound.text.replace(/^\uFEFF/, '');
    const mark = new TextEncoder().encode(`\uFEFF${text}`);
    expect(await bring(mark)).toEqual(await whole());
    expect(await bring(new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le')))).toEqual(await whole());
  });

  it('with a line of words at its end is refused or the same', async () => {
    const found = await bring(encoded(`${joined(sound.lines)}Source: the publisher\n`, encoding));
    expect([{ refusal: ['usage', 'bad_import'], rows: 0 }, await whole()]).toContainEqual(found);
  });

  it('with a value below zero is refused, but where it may be one', async () => {
    const found = await bring(encoded(onCells((cells) => cells.with(1, `-${cells[1]}`))(sound), encoding));
    const isRate = /^(?:treasury|frb-h15|fred)/.test(named[0]);
    expect(found.refusal).toEqual(isRate ? undefined : ['usage', 'bad_import']);
    const { rows } = await whole();
    if (isRate && Array.isArray(rows) && Array.isArray(found.rows))
      expect(found.rows.filter((row) => !rows.includes(row))).toEqual([expect.stringMatching(/:-\d/)]);
  });
});
