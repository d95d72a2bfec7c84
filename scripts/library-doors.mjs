// The two files that programs load the library by. Both give the same objects, so that an error of one is an error of the other.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { root } from './sources.mjs';

/** Texts by file name, for a library whose `main` file is bundled. */
export function libraryDoors(main) {
  const names = Object.keys(createRequire(import.meta.url)(main));
  return {
    'index.cjs': `'use strict';\n${refusal()}module.exports = require('./${basename(main)}');\n`,
    'index.js': `import library from './index.cjs';\nexport const { ${names.join(', ')} } = library;\n`,
    'index.d.ts': "export * from './index.cjs';\n",
  };
}

/** An older Node would fail somewhere inside, in words that help nobody. Its one sentence stands without a trace. */
function refusal() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node);
  return `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  const error = new Error(\`macro-data needs Node ${major}.${minor} or newer; this is \${process.versions.node}.\`);
  error.code = 'old_node';
  error.stack = error.message;
  throw error;
}
`;
}
