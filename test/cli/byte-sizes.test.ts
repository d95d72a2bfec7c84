import { expect, test } from 'vitest';
import { readByteSize } from '../../src/cli/commands/serve/serve.ts';

test.each([
  ['0', 0],
  ['134217728', 134_217_728],
  ['128MB', 134_217_728],
  ['64 kb', 65_536],
  ['2GB', 2_147_483_648],
  ['1024GB', 1_099_511_627_776],
])('%s is %d bytes', (text, bytes) => expect(readByteSize({ memory: text }, 'memory')).toBe(bytes));

test.each(['', '-1', '1.5MB', '128MiB', 'MB', '1025GB', '1e6', '99999999999999'])("'%s' is refused", (text) => {
  expect(() => readByteSize({ memory: text }, 'memory')).toThrow(
    expect.objectContaining({
      code: 'bad_number',
      message: `'${text}' is no value for --memory.`,
      hint: 'Give a whole number of bytes from 0 to 1024GB, with B, KB, MB or GB behind it or nothing: 128MB for example.',
    }),
  );
});

test('nothing is read where nothing was typed', () => expect(readByteSize({}, 'memory')).toBeUndefined());
