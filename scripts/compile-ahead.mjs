// Has the functions that every question runs compiled together with their file. Node keeps on disk what was compiled while a
// file was loaded, and nothing that was compiled later: those functions would be compiled anew at each start.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environmentOf, QUESTIONS, ratesWithoutMeaning } from './typical-questions.mjs';

const NAMED = /^(?:async )?function\*? ?([\w$]+)\(/;
const EXPRESSION = /^(?:async )?function\b|^(?:async ?)?(?:\(|[\w$]+=>)/;

/** Rewrites the bundle in `folder`, with the same meaning. A function in brackets is one that is about to be called. */
export function compileAhead(folder) {
  const home = mkdtempSync(join(tmpdir(), 'macro-build-'));
  try {
    for (const [file, ran] of functionsThatRan(folder, home)) {
      const path = join(folder, file);
      writeFileSync(path, bracketed(readFileSync(path, 'utf8'), ran));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Files of the bundle, and from where to where in them the functions stand that the questions ran, outer ones first. */
function functionsThatRan(folder, home) {
  const rates = join(home, 'rates.csv');
  writeFileSync(rates, ratesWithoutMeaning());
  run({ folder, home }, ['import', 'ecb', rates]);
  const watched = join(home, 'watched');
  mkdirSync(watched);
  for (const words of QUESTIONS) run({ folder, home }, words, { NODE_V8_COVERAGE: watched });
  const ran = new Map(readdirSync(folder).map((file) => [file, new Map()]));
  for (const told of readdirSync(watched)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(watched, told), 'utf8')).result) {
      if (!url.startsWith(pathToFileURL(folder).href)) continue;
      for (const [{ count, startOffset, endOffset }] of functions.map(({ ranges }) => ranges))
        if (count > 0) ran.get(basename(url)).set(startOffset, endOffset);
    }
  }
  return [...ran].map(([file, places]) => [file, [...places].sort(([a], [b]) => a - b)]);
}

function run({ folder, home }, words, more = {}) {
  const program = `const { main, nodePlatform } = await import(${JSON.stringify(pathToFileURL(join(folder, 'main.js')).href)});
    process.exit(await main(${JSON.stringify(words)}, nodePlatform()));`;
  const env = { ...environmentOf(home, join(home, 'rates.db')), ...more };
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, cwd: home });
  if (child.status !== 0) throw new Error(`macro ${words.join(' ')} failed: ${child.stderr}`);
}

/**
 * The text with brackets around functions. A declaration would lose its place by that: it moves to where the file begins, as
 * an assignment there is as early as the declaration was.
 */
function bracketed(text, ran) {
  const { declared, brackets } = placesIn(text, ran);
  const copy = (from, to) => withBrackets(text, brackets, from, to);
  const early = declared.map(([from, to]) => `var ${NAMED.exec(text.slice(from, to))[1]}=(${copy(from, to)});`);
  const ends = [0, ...declared.map(([, to]) => to)];
  const starts = [...declared.map(([from]) => from), text.length];
  return [...early, ends.map((end, i) => copy(end, starts[i])).join('')].join('\n');
}

/** Where declarations of the file itself stand, and the brackets around other functions; a class's own are left alone. */
function placesIn(text, ran) {
  const declared = [];
  const brackets = [];
  let end = 0;
  for (const [from, to] of ran) {
    if (to - from === text.length) continue; // the file itself
    const code = text.slice(from, to);
    const before = text.slice(0, from).trimEnd().at(-1) ?? ';';
    const outermost = from >= end;
    if (outermost) end = to;
    if (outermost && NAMED.test(code) && ';}'.includes(before)) declared.push([from, to]);
    else if (EXPRESSION.test(code) && '=(,:?[&|!>'.includes(before)) brackets.push([from, '('], [to, ')']);
  }
  return { declared, brackets: brackets.sort(([a], [b]) => a - b) };
}

function withBrackets(text, brackets, from, to) {
  let at = from;
  let copied = '';
  for (const [place, bracket] of brackets.filter(([place]) => place >= from && place <= to)) {
    copied += text.slice(at, place) + bracket;
    at = place;
  }
  return copied + text.slice(at, to);
}
