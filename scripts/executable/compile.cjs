// Runs command lines in one process, and keeps the code that was compiled for them where that is asked for:
// compile.cjs FOLDER LINES [keep]. The folder holds what the executable will carry.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const sea = require('node:sea');
const { createLoader } = require('./chunks.cjs');

const [, , folder, lines, keep] = process.argv;
sea.getRawAsset = (name) => readFileSync(join(folder, name));
void compile();

async function compile() {
  const scripts = new Map();
  const load = createLoader({
    textOf: (name) => readFileSync(join(folder, name), 'utf8'),
    compiledOf: () => undefined,
    scripts,
  });
  const { main, nodePlatform } = load('main.js');
  for (const words of JSON.parse(lines)) {
    const code = await main(words, nodePlatform());
    if (code !== 0) throw new Error(`macro ${words.join(' ')} ended with ${code}`);
  }
  if (keep)
    for (const [name, script] of scripts) writeFileSync(join(folder, `${name}.compiled`), script.createCachedData());
  process.exit(0);
}
