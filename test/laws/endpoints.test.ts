import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { PAGING_NAMES } from '../../src/contract/paging.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const unique = (words: readonly string[]) => new Set(words).size === words.length;

describe('every endpoint', () => {
  it('has an id, a path and terminal words of its own', () => {
    expect(unique(ENDPOINTS.map((e) => e.id))).toBe(true);
    expect(unique(ENDPOINTS.map((e) => e.path))).toBe(true);
    // Endpoints may share their words when the number of path words tells them apart.
    const faces = ENDPOINTS.flatMap((e) => (e.cli ? [`${e.cli.words.join(' ')} ${Object.keys(e.at).length}`] : []));
    expect(unique(faces)).toBe(true);
    expect(unique(ENDPOINTS.flatMap((e) => (e.mirror ? [e.mirror.table] : [])))).toBe(true);
  });

  describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
    it('declares each name of its path, and none besides', () => {
      const names = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
      expect(Object.keys(endpoint.at)).toEqual(names);
    });

    it('reads its own example without a note', () => {
      const raw = { path: endpoint.doc.example, query: endpoint.doc.exampleQuery ?? {} };
      const { notes } = readParams(endpoint, raw, { mode: 'strict', now: Date.parse('2026-11-21') });
      expect(notes).toEqual([]);
    });

    it('describes its rows and its envelope in valid JSON Schema', () => {
      expect(() => ajv.compile(endpoint.row)).not.toThrow();
      expect(() => ajv.compile(endpoint.envelope ?? {})).not.toThrow();
    });

    it('maps only arguments and fields that it has', () => {
      const mapping = endpoint.mirror;
      // A stream has no rows of its own: its events are those of changes.
      if (endpoint.body.kind === 'stream') return expect(mapping).toBeUndefined();
      if (!mapping) return expect(endpoint.local ?? endpoint.compose ?? endpoint.sameAs).toBeDefined();
      const args = Object.keys({ ...endpoint.at, ...endpoint.query });
      const { window, effects = {} } = mapping;
      const bounds = window ? [window.from, window.to, ...(window.only === undefined ? [] : [window.only])] : [];
      const named = [...mapping.scope, ...Object.keys(effects), ...bounds];
      expect(named.filter((name) => !args.includes(name))).toEqual([]);
      // What a parameter does to the answer decides whether it may be kept, so nobody guesses it.
      const untold = Object.keys(endpoint.query).filter((name) => !PAGING_NAMES.has(name) && !named.includes(name));
      expect(untold).toEqual([]);
      const fields = [...Object.keys((endpoint.row.properties ?? {}) as object), mapName(endpoint.body)];
      const columns = [...mapping.key, ...mapping.columns];
      const places = columns.flatMap(({ name, from = name, orElse = [] }) => [from, ...orElse.map((one) => one.from)]);
      const isColumn = columns.some(({ name }) => name === mapping.release);
      const used = [
        ...places.map((place) => place.split('.')[0] ?? ''),
        ...(mapping.release && !isColumn ? [mapping.release] : []),
        ...(mapping.vintages ? [mapping.vintages] : []),
      ];
      expect(used.filter((name) => !fields.includes(name))).toEqual([]);
    });

    it('requires its key fields in every row', () => {
      const [baseShape] = (endpoint.row.anyOf ?? []) as readonly { required: readonly string[] }[];
      const required = [...((endpoint.row.required ?? []) as readonly string[]), ...(baseShape?.required ?? [])];
      const needed = (endpoint.mirror?.key ?? []).filter(({ otherwise }) => otherwise === undefined);
      const key = needed.map(({ name, from = name }) => from.split('.')[0] ?? '');
      const given = [...required, mapName(endpoint.body)];
      expect(key.filter((name) => !given.includes(name) && name !== 'timestamp')).toEqual([]);
    });

    it('shows two examples that begin with its own words', () => {
      if (!endpoint.cli) return;
      const { words, examples } = endpoint.cli;
      expect(examples.map((example) => example.split(' ').slice(0, words.length))).toEqual([words, words]);
    });
  });
});

function mapName(body: (typeof ENDPOINTS)[number]['body']): string {
  return body.kind === 'map' ? body.keyName : '';
}
