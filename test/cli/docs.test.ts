import { describe, expect, it } from 'vitest';
import { fillTables, GENERATED_TABLES } from '../../scripts/generated.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';

const [head = '', , ...lines] = (GENERATED_TABLES.endpoints?.() ?? '').split('\n');
const cells = (line: string) => line.slice(2, -2).split(' | ');
const rows = lines.filter((line) => line.startsWith('|')).map(cells);
const notes = lines.filter((line) => /^\d+\. ./.test(line));

describe('the table of endpoints', () => {
  it('has the columns that the interface is judged by', () => {
    expect(cells(head)).toEqual([
      'path',
      'answer',
      'access',
      'command',
      'live',
      'mirrored',
      'offline',
      'served',
      'provisional',
    ]);
  });

  it('has a row for every endpoint, and one for the document', () => {
    expect(rows.map(([path]) => path)).toEqual([...INTERFACE.map(({ path }) => `\`${path}\``), '`/v1/openapi.json`']);
  });

  it('has no empty cell, and a reason for every no', () => {
    expect(rows.filter((row) => row.length !== 9 || row.includes(''))).toEqual([]);
    const asked = rows.flat().flatMap((cell) => /^no \((\d+)\)$/.exec(cell)?.[1] ?? []);
    expect(notes.map((note) => note.split('.')[0])).toEqual([...new Set(asked)]);
    expect(rows.flat().filter((cell) => cell === 'no')).toEqual([]);
    expect(new Set(notes.map((note) => note.replace(/^\d+/, ''))).size).toBe(notes.length);
  });

  it('shows how an endpoint is offered', () => {
    expect(rows.find(([path]) => path === '`/v1/ping`')).toEqual([
      '`/v1/ping`',
      'Liveness probe',
      'nobody needs a key',
      '`macro ping`',
      'yes',
      'no (1)',
      'no (1)',
      'yes',
      '*as specified*',
    ]);
    expect(notes[0]).toBe('1. speaks of the running server');
  });
});

describe('a marked stretch', () => {
  it('is replaced, and the rest is left alone', () => {
    const filled = fillTables('before\n<!-- generated:exit-codes -->\nold\n<!-- /generated -->\nafter\n');
    expect(filled).toMatch(
      /^before\n<!-- generated:exit-codes -->\n\| code \| kind \| meaning \|\n[\s\S]*\|\n<!-- \/generated -->\nafter\n$/,
    );
    expect(filled).not.toContain('old');
  });

  it('of an unknown table is an error', () => {
    expect(() => fillTables('<!-- generated:moons -->\n<!-- /generated -->')).toThrow('No table is named moons');
  });
});
