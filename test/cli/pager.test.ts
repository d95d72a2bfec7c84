import { describe, expect, it } from 'vitest';
import { type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** Runs a command of many lines in a terminal of ten; says which pagers were asked and what was printed without one. */
async function paged(line: string, more: TestPlatformOptions = {}) {
  const shown: string[] = [];
  const page = async (command: string, text: string) => {
    shown.push(`${command}: ${text.split('\n').length > 10 ? 'long' : 'short'}`);
    return true;
  };
  const at = testPlatform({ terminal: true, rows: 10, page, ...more });
  const { out } = await macro(line, at);
  return { shown, isPrinted: out !== '' };
}

const LONG = 'search rate --limit 30';

describe('a pager', () => {
  it.each([
    [{}, 'less -FRX: long'],
    [{ PAGER: 'more' }, 'more: long'],
    [{ PAGER: 'more', MACRO_PAGER: 'less -S' }, 'less -S: long'],
  ])('with %j shows what is longer than the screen', async (env, told) => {
    expect(await paged(LONG, { env })).toEqual({ shown: [told], isPrinted: false });
  });

  it.each([
    ['--no-pager', `${LONG} --no-pager`, {}],
    ['an empty MACRO_PAGER', LONG, { env: { MACRO_PAGER: '' } }],
    ['cat', LONG, { env: { PAGER: 'cat' } }],
    ['a dumb terminal', LONG, { env: { TERM: 'dumb' } }],
    ['a screen that is long enough', LONG, { rows: 200 }],
    ['a pipe', LONG, { terminal: false }],
  ])('is not opened with %s', async (_, line, more) => {
    expect(await paged(line, more)).toEqual({ shown: [], isPrinted: true });
  });

  it('that cannot be started takes nothing away', async () => {
    const { isPrinted } = await paged(LONG, { page: async () => false });
    expect(isPrinted).toBe(true);
  });
});
