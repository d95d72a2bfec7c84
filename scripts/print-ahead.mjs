// Texts that need no program to be printed: made by the built program itself, and put where src/cli/print/ahead/ has their names.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportsOf, root } from './sources.mjs';

/** Writes each file that holds such a name anew: the bundler has it load the program, and a text needs nothing. */
export async function printAhead(folder) {
  const { main, nodePlatform } = await import(pathToFileURL(join(folder, 'main.js')).href);
  // What the program prints for these words where nobody and no terminal says otherwise.
  const textOf = async (words) => {
    let text = '';
    const platform = nodePlatform();
    const write = async (piece) => {
      text += piece;
    };
    const stdout = { ...platform.io.stdout, isTerminal: false, write };
    const code = await main(words.split(' '), { ...platform, env: {}, io: { ...platform.io, stdout } });
    if (code !== 0) throw new Error(`macro ${words} ended with ${code}`);
    return text;
  };
  const texts = new Map();
  for (const name of readdirSync(folder)) {
    const code = readFileSync(join(folder, name), 'utf8');
    const [, constant, words] = /\b([A-Z]+_TEXT) ?= ?["'`]PRINTED_AHEAD (.+?)["'`]/.exec(code) ?? [];
    if (!constant) continue;
    const text = words === 'COMMAND --help' ? await helpOfCommands(textOf) : await textOf(words);
    texts.set(name, `export const ${constant}=${JSON.stringify(text)};\n`);
  }
  for (const [name, code] of texts) writeFileSync(join(folder, name), code);
}

/** JSON: the help of each command, and of words that only lead to others, by those words. */
async function helpOfCommands(textOf) {
  const { commandData } = await exportsOf(join(root, 'src', 'cli', 'commands', 'command-data.ts'));
  const lines = (await commandData()).flatMap(({ path }) => path.map((_, last) => path.slice(0, last + 1).join(' ')));
  const help = {};
  for (const words of new Set(lines)) help[words] = await textOf(`${words} --help`);
  return JSON.stringify(help);
}
