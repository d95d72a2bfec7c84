// The types of the library as one file without imports: what its entry exports and what that mentions, nothing else of the program.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportsOf, root } from './sources.mjs';

/** Where the types are recorded: what changes there changes for whoever imports the library. */
export const SURFACE = 'test/library/surface.d.ts';
const HEAD = '// The types that the package exports. `npm run gen` records them.\n';

// A project without the types of Node has no AsyncDisposable unless it asks for this part of the language.
const LANGUAGE = '/// <reference lib="esnext.disposable" />';

const COMPILER = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** The text of the declarations, written by the compiler and put together. */
export async function libraryTypes() {
  const folder = mkdtempSync(join(root, 'node_modules', '.library-types-'));
  try {
    const out = join(folder, 'out');
    declare(folder, { rootDir: join(root, 'src'), outDir: out }, join(root, 'src', 'library', 'index.ts'));
    // The types of the endpoints take the place of the file that stands in for them.
    const ofEndpoints = join(out, 'library', 'api', 'endpoint-types.ts');
    const { endpointTypes } = await exportsOf(join(root, 'scripts', 'endpoint-types.ts'));
    writeFileSync(ofEndpoints, endpointTypes());
    declare(folder, {}, ofEndpoints);
    return putTogether(join(out, 'library', 'index.d.ts'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Has the compiler write the declarations of a file and of all that it imports. */
function declare(folder, options, file) {
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false, tsBuildInfoFile: null },
      ...{ types: ['node'], ...options },
    },
    files: [file],
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  execFileSync(process.execPath, [COMPILER, '-p', join(folder, 'tsconfig.json')], { stdio: ['ignore', 2, 2] });
}

/** What the record holds. */
export function surfaceText(types) {
  return HEAD + types;
}

/** Names are unique in the sources, so declarations of all files can stand side by side. */
function putTogether(entry) {
  const declared = new Map();
  const exported = [];
  const seen = new Set();
  const read = (file, isPublic) => {
    const isNew = !seen.has(file);
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, what, from] of text.matchAll(/^(import|export)\b[^;]*? from '(\.[^']+)';$/gm))
      if (isNew || isPublic)
        read(join(dirname(file), from.replace(/\.ts$/, '.d.ts')), isPublic && isAll(text, what, from));
    for (const statement of statementsOf(text)) {
      const name = nameOf(statement);
      if (name === undefined) continue;
      const text = statement.replace(/^export /m, '');
      if (isNew) declared.set(name, [...(declared.get(name) ?? []), text]);
      if (isPublic && file !== entry) exported.push(name);
    }
  };
  read(entry, true);
  for (const [, list] of readFileSync(entry, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm))
    exported.push(
      ...list
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    );
  const kept = reachable(
    exported.map((one) => one.split(' as ')[0]),
    declared,
  );
  const body = [...declared].filter(([name]) => kept.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const twice = body.find(([, texts]) => texts.length > 1);
  if (twice) throw new Error(`Two types of the library have the name ${twice[0]}`);
  const names = [...new Set(exported)].sort().join(', ');
  return `${[LANGUAGE, ...body.map(([, [text]]) => text.trim()), `export { ${names} };`].join('\n\n')}\n`;
}

/** `export type * from`: all that the file declares is public. */
function isAll(text, what, from) {
  return what === 'export' && text.includes(`export type * from '${from}';`);
}

/** Statements at the left margin, each with its comment. */
function statementsOf(text) {
  const parts = text.split(/^(?=\/\*\*|(?:export |declare |abstract )*(?:class|interface|type|const|function))/m);
  const isComment = (part) => part !== undefined && /^\/\*\*[\s\S]*\*\/\s*$/.test(part);
  return parts.flatMap((part, at) => (isComment(part) ? [] : [(isComment(parts[at - 1]) ? parts[at - 1] : '') + part]));
}

function nameOf(statement) {
  return /^(?:export |declare |abstract )*(?:class|interface|type|const|function) ([\w$]+)/m.exec(statement)?.[1];
}

function reachable(names, declared) {
  const kept = new Set();
  const visit = (name) => {
    if (kept.has(name) || !declared.has(name)) return;
    kept.add(name);
    const [text] = declared.get(name);
    for (const word of text.replace(/\/\*[\s\S]*?\*\//g, '').match(/[\w$]+/g) ?? []) visit(word);
  };
  for (const name of names) visit(name);
  return kept;
}
