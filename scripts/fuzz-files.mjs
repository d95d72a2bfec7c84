// Hostile workbooks, archives and tables of at most 1 MB, each imported by the program in a process of its own. None takes more than
// 300 MB or 5 s of processor time, none ends otherwise than with rows or with a refusal of a few lines. Part of npm run fuzz.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'macro.js');
const MAX_BYTES = 1_000_000;
const MAX_MEMORY_MB = 300;
const MAX_SECONDS = 5;
const MAX_ANSWER = 4_000;
/** A ZIP of 1 MB may unpack to so much: what is hostile stays just below it. */
const ROOM_BYTES = 45_000_000;
const SHEET = 'xl/worksheets/sheet1.xml';

/**
 * What is wrong with each of some files that are drawn; empty where nothing is.
 * @param {{ files: number, random: () => number, tell: (line: string) => void }} options
 */
export async function fuzzFiles({ files, random, tell }) {
  const folder = mkdtempSync(join(tmpdir(), 'macro-fuzz-files-'));
  const violations = [];
  const worst = { memory: 0, seconds: 0 };
  try {
    for (let number = 0; number < files; number += 1) {
      const kinds = Object.entries(KINDS);
      const [kind, make] = kinds[number % kinds.length];
      const { name, bytes } = make({ random, below: (bound) => Math.floor(random() * bound) });
      if (bytes.length > MAX_BYTES) throw new Error(`${kind} has ${bytes.length} bytes`);
      writeFileSync(join(folder, name), bytes);
      const ended = await importFile(folder, name);
      worst.memory = Math.max(worst.memory, ended.memory);
      worst.seconds = Math.max(worst.seconds, ended.seconds);
      const fault = faultOf(ended);
      if (fault) violations.push(`${kind} (file ${number}, ${bytes.length} bytes): ${fault}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  tell(
    `${files} hostile files: at most ${Math.round(worst.memory)} MB and ${worst.seconds.toFixed(1)} s of processor time`,
  );
  return violations;
}

function faultOf({ code, said, memory, seconds }) {
  if (code !== 0 && code !== 2) return `exit ${code}: ${said.slice(0, 300)}`;
  if (said.length > MAX_ANSWER) return `it says ${said.length} characters`;
  if (memory > MAX_MEMORY_MB) return `${Math.round(memory)} MB`;
  return seconds > MAX_SECONDS ? `${seconds.toFixed(1)} s` : undefined;
}

/** Told by the process itself at its end. */
const METER = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.FUZZ_METER, JSON.stringify([maxRSS / 1024, (userCPUTime + systemCPUTime) / 1e6]));
});`;

function importFile(folder, name) {
  const [meter, report] = [join(folder, 'meter.cjs'), join(folder, 'meter.json')];
  writeFileSync(meter, METER);
  rmSync(report, { force: true });
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      MACRO_HOME: join(folder, 'home'),
      FUZZ_METER: report,
      NODE_OPTIONS: `--require ${meter}`,
    };
    const words = [program, 'import', join(folder, name), '--dry-run'];
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text;
      });
    child.once('close', (code) => {
      const [memory, seconds] =
        code === null ? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] : JSON.parse(readFileSync(report, 'utf8'));
      resolve({ code: code ?? 'killed', said, memory, seconds });
    });
  });
}

// Files. Each text is repeated until the room is full, or as often as told.

const fill = (text, bytes = ROOM_BYTES) => [text, Math.max(1, Math.floor(bytes / text.length))];
const once = (text) => [text, 1];

/** Parts are lists of texts with their counts. Noise makes the archive as large as it may be, so that the most may come out. */
function archive(name, parts, { random }, noise = 700_000) {
  const out = [];
  const zip = new Zip((_, chunk) => out.push(chunk));
  for (const [path, list] of Object.entries(parts)) {
    const file = new ZipDeflate(path, { level: 9 });
    zip.add(file);
    for (const [text, times] of list) {
      const group = Math.max(1, Math.floor(65_536 / text.length));
      for (let left = times; left > 0; left -= group) file.push(strToU8(text.repeat(Math.min(group, left))));
    }
    file.push(new Uint8Array(), true);
  }
  const rest = Math.min(noise, MAX_BYTES - 20_000 - out.reduce((sum, { length }) => sum + length, 0));
  const pad = new ZipPassThrough('noise.bin');
  zip.add(pad);
  pad.push(
    Uint8Array.from({ length: Math.max(0, rest) }, () => random() * 256),
    true,
  );
  zip.end();
  return { name, bytes: Buffer.concat(out) };
}

const index = (sheet) => ({
  'xl/workbook.xml': [once(`<workbook><sheets><sheet name="${sheet}" r:id="a"/></sheets></workbook>`)],
  'xl/_rels/workbook.xml.rels': [
    once('<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>'),
  ],
});

const book = (draw, parts, sheet = 'Monthly Prices') => archive('a.xlsx', { ...index(sheet), ...parts }, draw);
const sheet = (...texts) => [once('<worksheet><sheetData>'), ...texts, once('</sheetData></worksheet>')];
const shared = (...texts) => ({ 'xl/sharedStrings.xml': [once('<sst>'), ...texts, once('</sst>')] });
const row = (cells) => `<row>${cells}</row>`;
const columns = (count) =>
  Array.from(
    { length: count },
    (_, i) => `${i < 26 ? '' : String.fromCharCode(64 + Math.floor(i / 26))}${String.fromCharCode(65 + (i % 26))}`,
  );
const days = (count, from = Date.UTC(2026, 3, 13)) =>
  Array.from({ length: count }, (_, i) => new Date(from - i * 86_400_000).toISOString().slice(0, 10));

const KINDS = {
  'nested elements': (draw) => book(draw, { [SHEET]: [fill('<a>')] }),
  elements: (draw) => book(draw, { [SHEET]: sheet(fill('<a/>')) }),
  'texts between elements': (draw) => book(draw, { [SHEET]: sheet(fill('<a/>x')) }),
  'comments and instructions': (draw) => book(draw, { [SHEET]: sheet(fill('<!----><?a?>')) }),
  attributes: (draw) =>
    book(draw, {
      [SHEET]: [once('<worksheet '), ...Array.from({ length: 4_000 }, (_, i) => once(`a${i}="" `)), once('/>')],
    }),
  'a long value': (draw) => book(draw, { [SHEET]: [once('<worksheet a="'), fill('x'), once('"/>')] }),
  'a long comment': (draw) => book(draw, { [SHEET]: [once('<worksheet><!--'), fill('x'), once('--></worksheet>')] }),
  'a long type of document': (draw) =>
    book(draw, { [SHEET]: [once('<!DOCTYPE a ['), fill('<!ENTITY a "b">'), once(']><a/>')] }),
  entities: (draw) => book(draw, { [SHEET]: sheet(fill('&amp;')) }),
  'rows of one far cell': (draw) =>
    book(draw, { [SHEET]: sheet(fill(row('<c r="XFD1"><v>1</v></c>'), 41 * draw.below(250))) }),
  'a row without an end': (draw) => book(draw, { [SHEET]: sheet(once('<row>'), fill('<c r="A1"><v>1</v></c>')) }),
  cells: (draw) =>
    book(draw, {
      [SHEET]: sheet(
        fill(
          row(
            columns(200)
              .map((one) => `<c r="${one}1"><v>1</v></c>`)
              .join(''),
          ),
        ),
      ),
    }),
  'shared texts': (draw) => book(draw, { ...shared(fill('<si><t/></si>', 13 * 499_000)), [SHEET]: sheet() }),
  'different shared texts': (draw) =>
    book(draw, {
      ...shared(...Array.from({ length: 60_000 }, (_, i) => once(`<si><t>a${i}</t></si>`))),
      [SHEET]: sheet(),
    }),
  'a long shared text': (draw) =>
    book(draw, { ...shared(once('<si><t>'), fill('x'), once('</t></si>')), [SHEET]: sheet() }),
  'one text in many cells': (draw) =>
    book(draw, {
      ...shared(once(`<si><t>${'x'.repeat(1 + draw.below(32_000))}</t></si>`)),
      [SHEET]: sheet(
        fill(
          row(
            columns(30)
              .map((one) => `<c r="${one}1" t="s"><v>0</v></c>`)
              .join(''),
          ),
        ),
      ),
    }),
  'a sheet of vintages': (draw) => {
    const titles = [
      'DATE',
      ...Array.from(
        { length: 420 },
        (_, i) => `EMPLOY${String(65 + Math.floor(i / 12)).padStart(2, '0')}M${1 + (i % 12)}`,
      ),
    ];
    const at = columns(titles.length);
    const text = (cell, i) => `<c r="${at[i]}1" t="inlineStr"><is><t>${cell}</t></is></c>`;
    const months = Array.from(
      { length: 1_000 },
      (_, i) => `${1900 + Math.floor(i / 12)}:${String(1 + (i % 12)).padStart(2, '0')}`,
    );
    const rows = months.map((month) =>
      once(row([text(month, 0), ...at.slice(1).map((one) => `<c r="${one}1"><v>${draw.below(9)}</v></c>`)].join(''))),
    );
    return book(draw, { [SHEET]: sheet(once(row(titles.map(text).join(''))), ...rows.slice(0, 400)) }, 'employ');
  },
  'an index of sheets': (draw) =>
    book(draw, {
      [SHEET]: sheet(),
      'xl/workbook.xml': [once('<workbook>'), fill('<sheet name="s" r:id="a"/>', 1_000_000), once('</workbook>')],
    }),
  'an archive of zeros': (draw) => archive('a.zip', { 'a.csv': [once('Date,USD\n'), fill('0')] }, draw),
  'an archive of line ends': (draw) => archive('a.zip', { 'a.csv': [once('Date,USD,\n'), fill('\n')] }, draw),
  'an archive of quotes': (draw) => archive('a.zip', { 'a.csv': [once('Date,USD,\n"'), fill('""\n')] }, draw),
  'an archive of quoted cells': (draw) => archive('a.zip', { 'a.csv': [once('Date,USD,\n'), fill('"",')] }, draw),
  'an archive in an archive': (draw) => archive('a.zip', { 'b.zip': [fill('PK\u0003\u0004')] }, draw),
  'an archive of many files': (draw) =>
    archive(
      'a.zip',
      Object.fromEntries(Array.from({ length: 9_000 - draw.below(3_000) }, (_, i) => [`${i}.csv`, []])),
      draw,
      0,
    ),
  'an archive of a value for each day': (draw) =>
    archive(
      'a.zip',
      {
        'a.csv': [
          once(`Date,${CURRENCIES},\n`),
          ...days(draw.below(60_000)).map((day) => once(`${day}${',1'.repeat(30)},\n`)),
        ],
      },
      draw,
      300_000,
    ),
  'an archive that is damaged': (draw) => {
    const { name, bytes } = archive(
      'a.zip',
      { 'a.csv': [once(`Date,${CURRENCIES},\n`), ...days(300).map((day) => once(`${day}${',1'.repeat(30)},\n`))] },
      draw,
      0,
    );
    for (let i = 0; i < 1 + draw.below(8); i += 1) bytes[draw.below(bytes.length)] = draw.below(256);
    return { name, bytes: bytes.subarray(0, draw.below(3) === 0 ? draw.below(bytes.length) : bytes.length) };
  },
  'a table of vintages': (draw) => {
    const count = 1 + draw.below(50_000);
    const titles = days(count, Date.UTC(2026, 0, 1))
      .toReversed()
      .map((day) => `PAYEMS_${day.replaceAll('-', '')}`);
    return table([
      'DATE,',
      titles.join(','),
      '\n',
      ...days(8, Date.UTC(1880, 0, 1)).map((day) => `${day.slice(0, 7)}-01${',1'.repeat(count)}\n`),
    ]);
  },
  'a table of separators': (draw) => table([draw.below(2) ? 'Date,USD,\n' : '', ','.repeat(999_000)]),
  'a table of line ends': () => table(['Date,USD,\n', '\r\n\r'.repeat(300_000)]),
  'a table without an end of a quote': () => table(['Date,USD,\n"', 'a,\n'.repeat(330_000)]),
  'a table of currencies that nobody has': () =>
    table([
      'Date,',
      Array.from({ length: 120_000 }, (_, i) => `C${i}`).join(','),
      ',\n',
      `2026-04-13${',1'.repeat(120_000)},\n`,
    ]),
  'a table of one value a day': () => table(['Date,USD,\n', ...days(60_000).map((day) => `${day},1,\n`)]),
};

const CURRENCIES =
  'USD,JPY,BGN,CZK,DKK,GBP,HUF,PLN,RON,SEK,CHF,ISK,NOK,TRY,AUD,BRL,CAD,CNY,HKD,IDR,ILS,INR,KRW,MXN,MYR,NZD,PHP,SGD,THB,ZAR';

function table(texts) {
  return { name: 'a.csv', bytes: Buffer.from(texts.join('').slice(0, MAX_BYTES)) };
}
