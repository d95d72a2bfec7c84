import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');

/** What a mirror is to everybody else: its border, its rules, what is noted beside the rows. Never an engine. */
const MIRROR = ['mirror/api', 'mirror/rules'] as const;

/** What both engines stand on; neither stands on the other. */
const ENGINE = [...MIRROR, 'mirror/statements', 'contract', 'errors', 'platform'] as const;

/** Which folders of ours a folder may import from. The folders of the mirror are rooms of their own. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  platform: ['errors'],
  contract: ['errors'],
  endpoints: ['contract', 'derive', 'errors'],
  derive: ['contract', 'errors'],
  coverage: ['contract', 'errors'],
  client: ['contract', 'errors', 'platform'],
  'mirror/api': ['contract'],
  'mirror/rules': ['mirror/api', 'contract', 'errors', 'platform'],
  'mirror/statements': [...MIRROR, 'contract', 'errors'],
  'mirror/sqlite': ENGINE,
  'mirror/postgres': ENGINE,
  'mirror/sql': ['mirror/sqlite', 'contract', 'errors', 'platform'],
  source: ['contract', 'endpoints', 'client', ...MIRROR, 'derive', 'errors', 'platform'],
  sync: ['contract', 'endpoints', 'client', ...MIRROR, 'source', 'errors', 'platform'],
  imports: ['contract', 'client', ...MIRROR, 'errors', 'platform'],
  openapi: ['contract', 'endpoints'],
  mcp: ['contract', 'endpoints', 'errors'],
  events: ['contract', 'client', ...MIRROR, 'errors', 'platform'],
  webhooks: ['contract', ...MIRROR, 'errors', 'platform'],
  serve: ['contract', 'endpoints', 'source', ...MIRROR, 'webhooks', 'openapi', 'errors', 'platform'],
  library: [
    ...['contract', 'endpoints', 'client', 'source', ...MIRROR, 'mirror/sqlite', 'mirror/postgres'],
    ...['serve', 'sandbox', 'webhooks', 'errors', 'platform'],
  ],
  pages: ['serve'],
  sandbox: ['contract', 'endpoints', 'derive', ...MIRROR, 'mirror/sqlite', 'errors', 'platform'],
};

/** Coverage rests on the contract alone, and every other room may ask it. */
const allowedOf = (room: string): readonly string[] => [
  ...(ALLOWED[room] ?? []),
  ...(['errors', 'platform', 'contract'].includes(room) ? [] : ['coverage']),
];

/** The adapters: one folder knows each library. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['mirror/sqlite', 'client'],
  pg: ['mirror/postgres'],
  undici: ['platform'],
  fastify: ['serve'],
  'prom-client': ['serve'],
  '@modelcontextprotocol/server': ['mcp'],
  commander: ['cli'],
  '@clack/prompts': ['cli'],
  'cli-table3': ['cli'],
  picocolors: ['cli'],
  conf: ['cli'],
  fflate: ['imports', 'cli'],
  'csv-parse': ['imports'],
  saxes: ['imports'],
  hyparquet: ['cli'],
  'hyparquet-writer': ['cli'],
  '@noble/hashes': ['source'],
  'lru-cache': ['source'],
  'eventsource-parser': ['client', 'pages'],
  preact: ['pages'],
  uplot: ['pages'],
  '@resvg/resvg-wasm': ['cli'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

function sources(folder = src): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.tsx?$/.test(path) ? [path] : [];
  });
}

/** The room of a file or folder: its first folder, in the mirror the first two. */
const folderOf = (path: string) => /^(?:mirror\/)?[^/]+/.exec(relative(src, path))?.[0].replace(/\.tsx?$/, '') ?? '';

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, 'utf8');
  const statements = /^(?:import|export|\}) [^;]*?from '([^']+)';$|^import '([^']+)';$|\bimport\('([^']+)'\)/gm;
  const found = [...text.matchAll(statements)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return found.map((to) => ({ file: relative(root, file), from: folderOf(file), to }));
}

const files = sources();
const all = files.flatMap(importsOf);

describe('the folders', () => {
  it('import only what the architecture lets them', () => {
    const inner = all.filter(({ to }) => to.startsWith('.'));
    const broken = inner.filter(({ file, from, to }) => {
      const target = folderOf(join(root, file, '..', to));
      return target !== from && from in ALLOWED && !allowedOf(from).includes(target);
    });
    expect(broken).toEqual([]);
    expect(inner.length).toBeGreaterThan(100);
  });

  it('are all in the table, but for the program itself', () => {
    const rooms = new Set(files.map(folderOf));
    expect([...rooms].filter((room) => !(room in ALLOWED)).sort()).toEqual(['cli', 'main']);
    expect(Object.keys(ALLOWED).filter((room) => !rooms.has(room))).toEqual([]);
  });

  it('find types alone at the border of the mirror', () => {
    const border = files.filter((file) => folderOf(file) === 'mirror/api');
    const loading = border.filter((file) => /^import (?!type )/m.test(readFileSync(file, 'utf8')));
    expect(loading.map((file) => relative(root, file))).toEqual([]);
    expect(border.length).toBeGreaterThan(5);
  });

  it('keep each library behind one folder', () => {
    const outer = all.filter(({ to }) => !to.startsWith('.') && !to.startsWith('node:'));
    const broken = outer.filter(
      ({ from, to }) => !LIBRARIES[to.replace(/^(@[^/]+\/[^/]+|[^/@]+)\/.*$/, '$1')]?.includes(from),
    );
    expect(broken).toEqual([]);
  });

  it('touch files, processes and timers only at the rim', () => {
    const rim = new Set(['node:fs', 'node:child_process', 'node:process', 'node:os', 'node:timers']);
    const allowed = new Set(['platform', 'mirror/sqlite', 'mirror/postgres', 'mirror/sql', 'mirror/rules']);
    const broken = all.filter(({ from, to }) => rim.has(to.replace(/\/promises$/, '')) && !allowed.has(from));
    expect(broken).toEqual([]);
  });

  it('reach the file of the quota ledger from the terminal only, when it is needed', () => {
    const found = all.filter(({ to }) => to.endsWith('/sqlite-ledger.ts')).map(({ from, to }) => `${from}: ${to}`);
    expect([...new Set(found)]).toEqual(['cli: ../../client/quota/sqlite-ledger.ts']);
    expect(files.some((file) => /^import (?!type).*sqlite-ledger\.ts';$/m.test(readFileSync(file, 'utf8')))).toBe(
      false,
    );
  });

  it('read the clock and draw random numbers only at the rim', () => {
    const broken = files
      .filter((file) => folderOf(file) !== 'platform')
      .filter((file) => /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file));
    expect(broken).toEqual([]);
  });
});
