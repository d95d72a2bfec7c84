// The bundler's settings, for the program, the library and the single executable.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { carried } from './carried.mjs';
import { root } from './sources.mjs';

const TARGET = 'node22';

/** Built-in modules of which a member is loaded with its first call: no class of theirs may be extended. */
const LATE = ['child_process', 'crypto', 'net'];

/**
 * The JavaScript of the database driver is bundled, so that importing the library loads nothing else. Its binary comes from the
 * package's own folder, when the first file is opened.
 */
const driver = {
  name: 'driver',
  setup(hooks) {
    hooks.onLoad({ filter: /better-sqlite3\/lib\/binding\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        '__dirname',
        "path.dirname(requireHere().resolve('better-sqlite3'))",
      ),
    }));
  },
};

/**
 * An `import` of a built-in module makes Node read every member of it, lazy ones included, which takes half as long as a short
 * command. The members that are used are taken out instead.
 */
const builtins = {
  name: 'builtins',
  setup(hooks) {
    hooks.onResolve({ filter: new RegExp(`^(node:)?(${builtinModules.join('|')})$`) }, ({ path, kind, importer }) => {
      // Each package takes its own members: what one takes at once, such as process.stdin, must not cost the others.
      const suffix = `?${/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(importer)?.[1] ?? ''}`;
      const namespace = kind === 'require-call' ? 'builtin-required' : 'builtin';
      return { path: path.replace(/^node:/, ''), suffix, namespace, sideEffects: false };
    });
    hooks.onLoad({ filter: /.*/, namespace: 'builtin-required' }, ({ path }) => ({
      contents: `module.exports = ${moduleOf(path)};`,
    }));
    hooks.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => ({
      contents: membersOf(path, await import(`node:${path}`)),
    }));
  },
};

function membersOf(path, found) {
  const isLate = LATE.includes(path);
  const members = Object.keys(found).filter((name) => !['default', 'module.exports'].includes(name));
  const getters = members.map((name) => `get ${name}() { return whole().${name}; }`);
  return [
    `const whole = () => ${moduleOf(path)};`,
    `export default /* @__PURE__ */ (() => (${isLate ? `{ ${getters.join(', ')} }` : 'whole()'}))();`,
    ...members.map((name) =>
      isLate && typeof found[name] === 'function'
        ? `export const ${name} = function (...given) { const own = whole().${name}; return new.target ? new own(...given) : own(...given); };`
        : `export const ${name} = /* @__PURE__ */ (() => whole().${name})();`,
    ),
  ].join('\n');
}

const moduleOf = (path) => (path === 'process' ? 'process' : `process.getBuiltinModule('node:${path}')`);

/** Bundled packages of CommonJS ask for modules. What they ask is made by the first call: it takes longer than a short command. */
const REQUIRE = [
  "const requireHere = ((made) => () => made ??= process.getBuiltinModule('node:module').createRequire(import.meta.url))();",
  'const require = (id) => requireHere()(id);',
].join('\n');

/** Bundles into `folder`, as ES modules with shared chunks. `entries`: file names without their end, and sources. */
export async function bundle({ entries, folder, plugins = [], banner = REQUIRE, ...others }) {
  return build({
    ...commonSettings(plugins),
    entryPoints: entries,
    outdir: folder,
    format: 'esm',
    splitting: true,
    banner: { js: banner },
    ...others,
  });
}

/** What starts load: files that a part shares with one before it belong to the earlier one. */
const PARTS = [
  'src/main.ts',
  'src/cli/program.ts',
  'src/cli/commands/endpoint/ask.ts',
  'src/endpoints/fx/forex.ts',
  'src/source/known-spans.ts',
  'src/endpoints/index.ts',
  'src/cli/app/mirror-handle.ts',
];

/**
 * The same for the program. Left alone, the bundler makes a file for every set of modules that are loaded later and share code:
 * a question would read a hundred. So each of them imports the parts that it shares anything with, and a part is one file.
 */
export async function bundleProgram(options) {
  const plugins = [...(options.plugins ?? []), builtins];
  const { metafile } = await bundle({ ...options, plugins, metafile: true, write: false });
  const imports = importsOfParts(metafile.inputs);
  const fewFiles = {
    name: 'few-files',
    setup: (hooks) =>
      hooks.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const lines = (imports.get(path) ?? []).map((file) => `import ${JSON.stringify(file)};`);
        if (lines.length === 0) return undefined;
        return { loader: 'ts', contents: [readFileSync(path, 'utf8'), ...lines].join('\n') };
      }),
  };
  return bundle({ ...options, plugins: [fewFiles, ...plugins], metafile: true });
}

/** Modules that are loaded later, and which files of the parts each has to import. */
function importsOfParts(inputs) {
  const importsOf = (file, isLate) =>
    (inputs[file]?.imports ?? []).filter((one) => !one.external && (one.kind === 'dynamic-import') === isLate);
  const reachedFrom = (file, reached = new Set()) => {
    if (reached.has(file)) return reached;
    reached.add(file);
    for (const { path } of importsOf(file, false)) reachedFrom(path, reached);
    return reached;
  };
  const partOf = new Map();
  for (const [part, first] of PARTS.entries())
    for (const file of reachedFrom(first)) if (!partOf.has(file)) partOf.set(file, part);
  const late = Object.keys(inputs).flatMap((file) => importsOf(file, true).map(({ path }) => path));
  const needed = (file) => {
    const reached = new Set([...reachedFrom(file)].map((one) => partOf.get(one)));
    // What a part loads at once comes with it.
    return PARTS.filter((_, part) => reached.has(part) && part !== partOf.get(file));
  };
  return new Map([...PARTS, ...late].map((file) => [join(root, file), needed(file).map((one) => join(root, one))]));
}

/** What stands in a file of CommonJS for the words of a module. */
const COMMONJS = [
  'const requireHere = () => require;',
  "const hereUrl = require('node:url').pathToFileURL(__filename).href;",
].join('\n');

/**
 * Bundles the library, once: CommonJS that every Node and Jest can load, in files that are loaded with what needs them. Each name
 * carries a hash of its content. Gives the metafile, and the name of the file that exports everything.
 */
export async function bundleLibrary({ entry, folder }) {
  const { metafile, outputFiles } = await bundle({
    entries: { library: entry },
    folder,
    banner: '',
    define: { ...defined(), 'import.meta.url': 'hereUrl', 'import.meta.dirname': '__dirname' },
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    metafile: true,
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: TARGET,
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
      banner: COMMONJS,
    });
    writeFileSync(path, code);
  }
  const [main] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  return { metafile, main: basename(main) };
}

/** What holds in whatever form something is bundled. `plugins` stand in for those of the same name. */
export function commonSettings(plugins = []) {
  const names = new Set(plugins.map(({ name }) => name));
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: TARGET,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: defined(),
    plugins: [...plugins, ...[driver, ...carried].filter(({ name }) => !names.has(name))],
  };
}

function defined() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { 'globalThis.MACRO_VERSION': JSON.stringify(version) };
}
