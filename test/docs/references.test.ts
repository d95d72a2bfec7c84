import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentPaths, readDocument } from '../../scripts/documents.mjs';
import { IMPORT_FORMATS } from '../../src/imports/formats.ts';

const root = join(import.meta.dirname, '../..');
const documents = [...documentPaths(), 'test/fixtures/official/README.md'];

/** Files of ours that may point to a document. */
function codePaths(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    // Packages that a folder of its own installs, and copies of the tree that `npm run mutate` works in.
    if (/^(node_modules|\..*)$/.test(entry.name)) return [];
    if (entry.isDirectory()) return codePaths(path);
    return /\.(ts|mjs|js)$/.test(path) ? [path] : [];
  });
}

/** The anchors that a reader of Markdown gives to headings: words in lower case, joined by dashes. */
function anchorsOf(text: string): ReadonlySet<string> {
  const outside = text.replace(/^```[\s\S]*?^```$/gm, '');
  const headings = [...outside.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  const anchors = new Set<string>();
  for (const heading of headings) {
    const plain = heading.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '');
    const anchor = plain.trim().toLowerCase().replaceAll(' ', '-');
    let name = anchor;
    for (let i = 1; anchors.has(name); i++) name = `${anchor}-${i}`;
    anchors.add(name);
  }
  return anchors;
}

/** Why a link from a file leads nowhere; undefined for one that leads somewhere. */
function broken(from: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : relative(root, join(root, dirname(from), path));
  if (!existsSync(join(root, target))) return `${from}: ${link} (no file)`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return anchorsOf(readDocument(target)).has(anchor) ? undefined : `${from}: ${link} (no heading)`;
}

describe('a reference', () => {
  const code = ['src', 'test', 'scripts', 'bench', 'bin'].flatMap(codePaths);

  it('from code to a document leads to a heading of it', () => {
    const found = code.flatMap((from) =>
      [...readFileSync(join(root, from), 'utf8').matchAll(/docs\/[a-z/-]+\.md#[a-z0-9-]+/g)].map(([link]) => ({
        from,
        link,
      })),
    );
    expect(found.length).toBeGreaterThan(150);
    expect(found.flatMap(({ from, link }) => broken('README.md', link)?.replace('README.md', from) ?? [])).toEqual([]);
  });

  it('in code names no document that is not here', () => {
    const strangers = code.filter((from) => /wire facts|wire-facts/i.test(withoutThis(from)));
    expect(strangers).toEqual([]);
  });

  it('from a document to another one leads to a heading of it', () => {
    const links = documents.flatMap((from) =>
      [...readDocument(from).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ from, link })),
    );
    expect(links.length).toBeGreaterThan(40);
    // Pages of publishers come from the formats: the terms of their data stand there.
    const pages = new Set(IMPORT_FORMATS.flatMap(({ download }) => [download?.page, download?.termsPage]));
    const inner = links.filter(({ link }) => !pages.has(link));
    expect(inner.filter(({ link }) => /^[a-z]+:/.test(link))).toEqual([]);
    expect(inner.flatMap(({ from, link }) => broken(from, link) ?? [])).toEqual([]);
  });

  it('from a document to code leads to a file or a folder', () => {
    const paths = documents.flatMap((from) =>
      [...readDocument(from).matchAll(/`((?:src|test|scripts|bench|docs|bin|completions)\/[^`\s]*)`/g)].map(
        ([, path = '']) => ({ from, path }),
      ),
    );
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('the anchor of a heading', () => {
  it('is made as readers of Markdown make it', () => {
    const text = '# One & two\n\n```sh\n# no heading\n```\n\n## `macro` serve: why?\n\n## One & two\n';
    expect([...anchorsOf(text)]).toEqual(['one--two', 'macro-serve-why', 'one--two-1']);
  });
});

/** This file names what it looks for. */
function withoutThis(path: string): string {
  return path.endsWith('references.test.ts') ? '' : readFileSync(join(root, path), 'utf8');
}
