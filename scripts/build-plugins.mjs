// What the bundler is taught so that a start stays short: every millisecond here is paid by each command.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { endpointsAfter, sharedByGroups } from './endpoint-groups.mjs';
import { pageAssets } from './page-assets.mjs';
import { compressedParts } from './raster-parts.mjs';
import { COMMAND_DATA, exportsOf, importsOf, reachedFrom, root } from './sources.mjs';

const MAIN = join(root, 'src', 'main.ts');
const PROGRAM = join(root, 'src', 'cli', 'program.ts');
const ASK = join(root, 'src', 'cli', 'commands', 'endpoint', 'ask.ts');
/** What a question to the mirror loads besides: nearly every one. */
const MIRROR_SIDE = join(root, 'src', 'cli', 'app', 'mirror-handle.ts');

/** Built-in modules that are loaded on first use only: no class of theirs may be extended, nor its own members be used. */
const LATE_BUILTINS = ['child_process', 'crypto', 'net'];

/**
 * An `import` of a built-in module makes Node read every member of it, lazy ones included, which costs some milliseconds
 * a module. The bundle takes out the members that it uses instead.
 */
const builtins = {
  name: 'builtins',
  setup(hooks) {
    const names = builtinModules.map((name) => name.replace(/^node:/, '')).join('|');
    hooks.onResolve({ filter: new RegExp(`^(node:)?(${names})$`) }, ({ path, kind, importer }) => ({
      path: path.replace(/^node:/, ''),
      // Each package takes its own members: what one looks at eagerly (process.stdin) must not cost the others.
      suffix: `?${/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(importer)?.[1] ?? ''}`,
      namespace: kind === 'require-call' ? 'builtin-required' : 'builtin-imported',
      sideEffects: false,
    }));
    hooks.onLoad({ filter: /.*/, namespace: 'builtin-required' }, ({ path }) => ({
      contents: `module.exports = ${moduleOf(path)};`,
    }));
    hooks.onLoad({ filter: /.*/, namespace: 'builtin-imported' }, async ({ path }) => ({
      contents: importedBuiltin(path, await import(`node:${path}`)),
    }));
  },
};

function importedBuiltin(path, found) {
  const members = Object.keys(found).filter((name) => !['default', 'module.exports'].includes(name));
  const late = LATE_BUILTINS.includes(path);
  const whole = `const whole = () => ${moduleOf(path)};`;
  const exported = members.map((name) =>
    late && typeof found[name] === 'function'
      ? `export const ${name} = function (...given) { const own = whole().${name}; return new.target ? new own(...given) : own(...given); };`
      : `export const ${name} = /* @__PURE__ */ take('${name}');`,
  );
  const getters = members.map((name) => `get ${name}() { return whole().${name}; }`).join(', ');
  const standard = `export default /* @__PURE__ */ (() => (${late ? `{ ${getters} }` : 'whole()'}))();`;
  return [whole, 'const take = (name) => whole()[name];', standard, ...exported].join('\n');
}

function moduleOf(path) {
  return path === 'process' ? 'process' : `process.getBuiltinModule('node:${path}')`;
}

/** What is declared of the commands is plain data: worked out here, so that help and parsing load no endpoint and no command. */
const commandData = {
  name: 'command-data',
  setup(hooks) {
    hooks.onLoad({ filter: /command-data\.ts$/ }, async () => {
      const { commandData: read } = await exportsOf(COMMAND_DATA);
      // Most options are those of many commands: each stands once.
      const places = new Map();
      const placeOf = (option) => {
        const text = JSON.stringify(option);
        if (!places.has(text)) places.set(text, places.size);
        return places.get(text);
      };
      // Text is parsed faster than code, and that of the commands that are meant alone.
      const texts = (await read()).map((command) => [
        command.path[0],
        JSON.stringify({ ...command, options: command.options.map(placeOf) }),
      ]);
      return {
        contents: `const OPTIONS = ${JSON.stringify([...places.keys()])};
          const TEXTS = ${JSON.stringify(texts)};
          const made = [];
          const optionAt = (place) => (made[place] ??= JSON.parse(OPTIONS[place]));
          const read = ({ options, ...command }) => ({ ...command, options: options.map(optionAt) });
          export const commandData = async (first) =>
            TEXTS.flatMap(([word, text]) => (first === undefined || word === first ? [read(JSON.parse(text))] : []));`,
      };
    });
  },
};

/**
 * The JavaScript of the database driver is a dozen small files, found and read one after the other: bundled, only its binary
 * is left to be loaded, from the package's own folder, when the first file is opened.
 */
const driver = {
  name: 'driver',
  setup(hooks) {
    hooks.onLoad({ filter: /better-sqlite3\/lib\/binding\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('__dirname', `path.join(packageFolder('better-sqlite3'), 'lib')`),
    }));
  },
};

/**
 * The HTTP library loads its client of HTTP/2, and with it a sixth of what it takes to load in all, though most services choose
 * the older protocol. Once one has chosen that, its client is loaded.
 */
const http2Later = {
  name: 'http2-later',
  setup(hooks) {
    hooks.onLoad({ filter: /undici\/lib\/dispatcher\/client\.js$/ }, ({ path }) => {
      const [before, after, ...more] = readFileSync(path, 'utf8').split("const connectH2 = require('./client-h2.js')");
      if (after === undefined || more.length > 0) throw new Error(`${path} loads its client of HTTP/2 in another way.`);
      return { contents: `${before}const connectH2 = (...given) => require('./client-h2.js')(...given)${after}` };
    });
  },
};

/**
 * Whatever is loaded later is loaded by a program that runs already, and nearly always for a question. Telling the bundler
 * so (each late module imports what is there before it) puts all that they share into three files, where it would make a
 * file for every set of sharers: thirty small files to find and link at each start.
 */
const fewFiles = {
  name: 'few-files',
  setup(hooks) {
    const late = lateModules();
    hooks.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!late.has(path)) return undefined;
      const imports = loadedWith(path).map((file) => `import ${JSON.stringify(file)};`);
      return { loader: 'ts', contents: [readFileSync(path, 'utf8'), ...imports].join('\n') };
    });
  },
};

/** What is loaded before a late module, or with it. Commands that share nothing with questions get by without them. */
function loadedWith(path) {
  if (path === PROGRAM) return [MAIN];
  if (path === ASK) return [MAIN, PROGRAM, MIRROR_SIDE, ...sharedByGroups()];
  const known = reachedFrom(PROGRAM);
  const asking = reachedFrom(MIRROR_SIDE, reachedFrom(ASK));
  const shares = [...reachedFrom(path)].some((file) => asking.has(file) && !known.has(file));
  return shares ? [MAIN, PROGRAM, ASK] : [MAIN, PROGRAM];
}

/** Files that some file imports when it needs them, and that nothing loads before. */
function lateModules() {
  const files = readdirSync(join(root, 'src'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  const late = new Set(files.flatMap((name) => importsOf(join(root, 'src', name), /import\('(\.[^']+)'\)/g)));
  for (const file of [PROGRAM, ASK]) late.delete(file);
  // It would become a file of its own, one more to find and link at each start.
  for (const file of [...reachedFrom(PROGRAM), ...reachedFrom(ASK)])
    if (late.has(file)) throw new Error(`${file} is loaded at once somewhere, and later elsewhere: import it at once.`);
  for (const file of [PROGRAM, ASK, MIRROR_SIDE]) late.add(file);
  return late;
}

/** What is taught whatever is bundled. */
/** The plotting library of pages goes into the program as text: an installation needs no package for it. */
const plottingLibrary = {
  name: 'plotting-library',
  setup(hooks) {
    hooks.onLoad({ filter: /chart\/plotting-library\.ts$/ }, () => {
      const text = (name) => readFileSync(join(root, 'node_modules', 'uplot', 'dist', name), 'utf8');
      const library = { script: text('uPlot.iife.min.js'), style: text('uPlot.min.css') };
      return { contents: `export const PLOTTING_LIBRARY = ${JSON.stringify(library)};` };
    });
  },
};

/** The renderer of PNG and its font go into the program too, compressed; their file is read by whoever draws one. */
const rasterParts = {
  name: 'raster-parts',
  setup(hooks) {
    hooks.onLoad({ filter: /chart\/raster-parts\.ts$/ }, () => {
      const { renderer, font } = compressedParts();
      const bytes = (part) => `Buffer.from('${part.toString('base64')}', 'base64')`;
      return { contents: `export const rasterParts = () => ({ renderer: ${bytes(renderer)}, font: ${bytes(font)} });` };
    });
  },
};

/** The documents go into the program as text: the single executable has no folder beside it. */
const manual = {
  name: 'manual',
  setup(hooks) {
    hooks.onLoad({ filter: /manual\/documents\.ts$/ }, () => {
      const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
      const texts = names.map((name) => [name.slice(0, -3), readFileSync(join(root, 'docs', name), 'utf8')]);
      return {
        contents: `export const DOCUMENTS = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(texts)))});`,
      };
    });
  },
};

export const commonPlugins = [
  builtins,
  commandData,
  driver,
  http2Later,
  plottingLibrary,
  rasterParts,
  manual,
  pageAssets,
];

/**
 * What the program is bundled with. `own` stand in for those of the same name. Endpoints are loaded by questions, so a group
 * comes after all that those load.
 */
export function pluginsWith(own = []) {
  const names = new Set(own.map(({ name }) => name));
  const others = commonPlugins.filter(({ name }) => !names.has(name));
  return [...others, ...own, endpointsAfter([MAIN, PROGRAM, ASK]), fewFiles];
}
