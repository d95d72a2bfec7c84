// Bundles src/main.ts into dist/ as ES modules with shared chunks, so that a command loads only what it needs.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// An `import` of a built-in module makes Node read every member of it, lazy ones included, which costs some milliseconds
// a module at each start. The bundle takes the members that it uses out of the module instead, and loads some modules on
// first use only.
const LATE = ['child_process', 'crypto'];
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
    hooks.onLoad({ filter: /.*/, namespace: 'builtin-imported' }, async ({ path }) => {
      const found = await import(`node:${path}`);
      const members = Object.keys(found).filter((name) => !['default', 'module.exports'].includes(name));
      const late = LATE.includes(path);
      const member = (name) =>
        late && typeof found[name] === 'function'
          ? `(...given) => whole().${name}(...given)`
          : `/* @__PURE__ */ take('${name}')`;
      const own = late
        ? `{ ${members.map((name) => `get ${name}() { return whole().${name}; }`).join(', ')} }`
        : 'whole()';
      return {
        contents: [
          `const whole = () => ${moduleOf(path)};`,
          'const take = (name) => whole()[name];',
          `export default /* @__PURE__ */ (() => (${own}))();`,
          ...members.map((name) => `export const ${name} = ${member(name)};`),
        ].join('\n'),
      };
    });
  },
};

// Whatever is loaded later is loaded by a program that runs already. Telling the bundler so (each late module imports the
// program) puts all that they share with it into one file, where it would make a file for every set of sharers: thirty
// small files to find and link at each start.
const PROGRAM = join(root, 'src', 'cli', 'program.ts');
const lateModules = new Set(
  readdirSync(join(root, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, 'src', name))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/import\('(\.[^']+)'\)/g)].map(([, path]) => join(dirname(file), path)),
    ),
);
for (const file of reachedFrom(PROGRAM)) lateModules.delete(file);
const fewFiles = {
  name: 'few-files',
  setup(hooks) {
    hooks.onLoad({ filter: /\.ts$/ }, ({ path }) =>
      lateModules.has(path)
        ? { loader: 'ts', contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(PROGRAM)};` }
        : undefined,
    );
  },
};

/** Files that a file imports at once, and theirs. */
function reachedFrom(file, reached = new Set()) {
  if (reached.has(file)) return reached;
  reached.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b(?! type\b)[^;]*?'(\.[^']+)'/gm);
  for (const [, path] of imports) reachedFrom(join(dirname(file), path), reached);
  return reached;
}

function moduleOf(path) {
  return path === 'process' ? 'process' : `process.getBuiltinModule('node:${path}')`;
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  splitting: true,
  minifySyntax: true,
  sourcemap: false,
  legalComments: 'none',
  // The addon is native. The rest is bundled: unbundled, their many small files dominate the start.
  external: ['better-sqlite3'],
  define: { 'globalThis.MACRO_VERSION': JSON.stringify(version) },
  plugins: [builtins, fewFiles],
  banner: {
    // Bundled CommonJS packages may ask for a module by a name that is known at run time only. Made when it is called:
    // making it costs more than the rest of a short command.
    js: "const require = (id) => process.getBuiltinModule('node:module').createRequire(import.meta.url)(id);",
  },
});
