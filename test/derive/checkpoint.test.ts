import { describe, expect, it } from 'vitest';
import type { LoadedSeries } from '../../src/contract/hooks.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../src/contract/time/coverage.ts';
import { cutPage, openCheckpoint, seenFrom } from '../../src/derive/calendar/checkpoint.ts';
import { MacroError } from '../../src/errors.ts';

const NOW = Date.parse('2026-11-21T05:46:13Z') / 1000;
const DAY = 86_400;

/** Rows by the commits that brought them. */
function series(...commits: readonly number[]): readonly LoadedSeries[] {
  const rows = commits.map((commit, i) => ({ columns: {}, text: asJsonText(String(i)), commit }));
  return [
    { ref: { endpoint: 'e', scope: {}, origin: 'o' }, envelope: {}, rows, coverage: FULL_COVERAGE, proven: true },
  ];
}

interface Asked {
  readonly limit?: number;
  readonly checkpoint?: string;
  readonly cursor?: string;
  readonly currency?: string;
  readonly at?: number;
}

function page(loaded: readonly LoadedSeries[], { at = NOW, ...asked }: Asked = {}) {
  const args = { limit: 2, currency: 'EUR', ...asked };
  const checkpoint = openCheckpoint(args, { loaded, now: at });
  const rows = seenFrom(checkpoint, loaded).flatMap((one) => one.rows.map(({ text }) => text));
  const { rows: shown, envelope } = cutPage(checkpoint, args, rows);
  const pagination = envelope.pagination as { next_cursor?: string; has_more: boolean };
  return { shown, checkpoint: String(envelope.checkpoint), pagination };
}

const told = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof MacroError ? [error.status, error.code] : error;
  }
};

describe('a walk by checkpoint', () => {
  it('sees every row once, and carries one checkpoint', () => {
    const loaded = series(3, 3, 4, 5, 5);
    const first = page(loaded);
    const second = page(loaded, { checkpoint: first.checkpoint, cursor: first.pagination.next_cursor ?? '' });
    const third = page(loaded, { checkpoint: first.checkpoint, cursor: second.pagination.next_cursor ?? '' });
    expect([first, second, third].map(({ shown }) => shown)).toEqual([['0', '1'], ['2', '3'], ['4']]);
    expect(new Set([first, second, third].map(({ checkpoint }) => checkpoint)).size).toBe(1);
    expect(first.pagination).toEqual({ limit: 2, returned_count: 2, has_more: true, next_cursor: expect.any(String) });
    expect(third.pagination).toEqual({ limit: 2, returned_count: 1, has_more: false });
    expect(first.checkpoint).toMatch(/^mcp1\.[A-Za-z0-9_-]+$/);
  });

  it('may change the size of its pages on the way', () => {
    const first = page(series(1, 1, 1));
    const rest = page(series(1, 1, 1), {
      limit: 9,
      checkpoint: first.checkpoint,
      cursor: first.pagination.next_cursor ?? '',
    });
    expect(rest.shown).toEqual(['2']);
  });

  it('does not see rows that came after its first page', () => {
    const first = page(series(1, 1, 1));
    const next = { checkpoint: first.checkpoint, cursor: first.pagination.next_cursor ?? '' };
    expect(page(series(1, 1, 1, 2, 2), next).shown).toEqual(['2']);
    expect(page(series(1, 1, 1, 2, 2)).pagination.has_more).toBe(true);
  });

  it('ends with 409 when its state can no longer be had', () => {
    const first = page(series(1, 1, 1));
    const next = { checkpoint: first.checkpoint, cursor: first.pagination.next_cursor ?? '' };
    expect(told(() => page(series(1, 1, 2), next))).toEqual([409, 'checkpoint_expired']);
  });

  it('ends with 409 when it takes longer than a day', () => {
    const first = page(series(1, 1, 1));
    const next = { checkpoint: first.checkpoint, cursor: first.pagination.next_cursor ?? '' };
    expect(page(series(1, 1, 1), { ...next, at: NOW + DAY }).shown).toEqual(['2']);
    expect(told(() => page(series(1, 1, 1), { ...next, at: NOW + DAY + 1 }))).toEqual([409, 'checkpoint_expired']);
  });

  it.each([
    ['a cursor without a checkpoint', { cursor: 'cc1.Mg' }],
    ['the checkpoint of another question', { currency: 'USD' }],
    ['a checkpoint of another service', { checkpoint: 'cp1.8f2c' }],
    ['a checkpoint that is none', { checkpoint: 'nonsense' }],
    ['an empty checkpoint', { checkpoint: 'cp1.' }],
    ['a cursor of another service', { cursor: 'abc' }],
    ['a cursor behind the end', { cursor: `cc1.${Buffer.from('4').toString('base64url')}` }],
    ['a cursor with a tail', { cursor: 'cc1.Mg!!' }],
  ])('refuses %s', (_, wrong) => {
    const { checkpoint } = page(series(1, 1, 1));
    const asked =
      'cursor' in wrong && Object.keys(wrong).length === 1 && wrong.cursor === 'cc1.Mg'
        ? wrong
        : { checkpoint, ...wrong };
    expect(told(() => page(series(1, 1, 1), asked))).toEqual([400, 'invalid_cursor']);
  });

  it('over nothing is one empty page', () => {
    const { shown, pagination } = page([]);
    expect([shown, pagination]).toEqual([[], { limit: 2, returned_count: 0, has_more: false }]);
  });
});
