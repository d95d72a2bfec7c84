// Checks that the checkout can be released, and names the version with a tag: npm run release -- --dry-run. Publishing is the
// work of .github/workflows/release.yml, which the tag starts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './sources.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, tag: { type: 'string' } } });
const read = (file) => readFileSync(join(root, file), 'utf8');
const { name, version } = JSON.parse(read('package.json'));
const tag = `v${version}`;

/** Bytes of the tarball at most. */
const MAX_TARBALL = 4 * 1024 * 1024;
/** What an installed package cannot do without. */
const NEEDED = [
  'bin/macro.js',
  'dist/main.js',
  'dist/sbom.cdx.json',
  'dist/LICENSES.txt',
  'lib/index.js',
  'lib/index.cjs',
];

const workplace = mkdtempSync(join(tmpdir(), 'macro-release-'));
process.on('exit', () => rmSync(workplace, { recursive: true, force: true }));

const run = (command, ...words) =>
  execFileSync(command, words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const npm = (...words) =>
  execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });

/** Each gives what it found; it throws what is in the way. */
const CHECKS = {
  version() {
    const { packages } = JSON.parse(read('package-lock.json'));
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`${version} is no version. Write MAJOR.MINOR.PATCH.`);
    if (packages[''].version !== version)
      throw new Error(`The lock file says ${packages[''].version}. Run npm install.`);
    if (values.tag !== undefined && values.tag !== tag) throw new Error(`The tag ${values.tag} is not ${tag}.`);
    return version;
  },
  changes() {
    const [, first, when] = /^## (\S+) \((.+)\)$/m.exec(read('CHANGELOG.md')) ?? [];
    if (first !== version) throw new Error(`CHANGELOG.md begins with ${first}, not with ${version}.`);
    if (!/^\d{4}-\d\d-\d\d$/.test(when))
      throw new Error(
        `CHANGELOG.md says "${when}" for ${version}. Write the day of the release: ## ${version} (YYYY-MM-DD)`,
      );
    return when;
  },
  checkout() {
    const changed = run('git', 'status', '--porcelain').trim();
    if (changed !== '') throw new Error(`Some files are not committed:\n${changed}`);
    if (values.tag === undefined && run('git', 'tag', '--list', tag).trim() !== '')
      throw new Error(`The tag ${tag} is there already. Raise the version in package.json.`);
    return run('git', 'rev-parse', '--short', 'HEAD').trim();
  },
  tarball() {
    run(process.execPath, join(root, 'scripts', 'build.mjs'));
    const [packed] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', workplace));
    const files = new Set(packed.files.map(({ path }) => path));
    const missing = NEEDED.filter((path) => !files.has(path));
    if (missing.length > 0) throw new Error(`The tarball lacks ${missing.join(', ')}.`);
    if (packed.size > MAX_TARBALL)
      throw new Error(`The tarball has ${packed.size} bytes; at most ${MAX_TARBALL} are good.`);
    return `${packed.filename}, ${(packed.size / 1e6).toFixed(2)} MB, ${files.size} files`;
  },
  executable() {
    run(process.execPath, join(root, 'scripts', 'executable.mjs'), workplace);
    const file = join(workplace, process.platform === 'win32' ? 'macro.exe' : 'macro');
    const told = execFileSync(file, ['--version'], { env: {}, encoding: 'utf8' }).trim();
    if (told !== `macro ${version}`) throw new Error(`The executable says ${told}.`);
    return `${told}, ${Math.round(statSync(file).size / 1e6)} MB`;
  },
};

let faults = 0;
for (const [what, check] of Object.entries(CHECKS))
  try {
    process.stdout.write(`ok    ${what}: ${check()}\n`);
  } catch (error) {
    faults += 1;
    process.stdout.write(`FAULT ${what}: ${error.message}\n`);
  }
if (faults > 0) {
  process.stdout.write(
    `${name} ${version} cannot be released: ${faults} of ${Object.keys(CHECKS).length} checks failed.\n`,
  );
  process.exitCode = 1;
} else if (values['dry-run']) {
  process.stdout.write(`${name} ${version} can be released: npm run release\n`);
} else {
  run('git', 'tag', '--annotate', tag, '--message', `${name} ${version}`);
  process.stdout.write(`Tagged ${tag}. Publish it: git push origin ${tag}\n`);
}
