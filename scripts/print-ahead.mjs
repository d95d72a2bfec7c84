// Texts that need no program to be printed: made by the built program itself, and put where src/cli/print/ahead/ has their names.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Writes each file that holds such a name anew: the bundler has it load the program, and a text needs nothing. */
export function printAhead(folder) {
  const texts = new Map();
  for (const name of readdirSync(folder)) {
    const code = readFileSync(join(folder, name), 'utf8');
    const [, constant, words] = /\b([A-Z]+_TEXT) ?= ?["'`]PRINTED_AHEAD (.+?)["'`]/.exec(code) ?? [];
    if (constant) texts.set(name, `export const ${constant}=${JSON.stringify(textOf(folder, words.split(' ')))};\n`);
  }
  for (const [name, code] of texts) writeFileSync(join(folder, name), code);
}

function textOf(folder, words) {
  const main = pathToFileURL(join(folder, 'main.js')).href;
  const code = `const { main, nodePlatform } = await import(${JSON.stringify(main)});
    process.exit(await main(${JSON.stringify(words)}, nodePlatform()));`;
  const { NODE_OPTIONS: _, ...env } = process.env;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...env, MACRO_HOME: join(folder, 'no-home'), NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
}
