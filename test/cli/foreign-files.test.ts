import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const HINT = 'Remove it, or put the file there that it should be.\n';

/** What a cloned folder can have in place of a file. */
const INSTEAD: Readonly<Record<string, readonly [make: (path: string) => void, why: string]>> = {
  'a link to a device': [(path) => symlinkSync('/dev/zero', path), 'it is a device or a socket, not a plain file'],
  'a pipe that nobody writes to': [(path) => execFileSync('mkfifo', [path]), 'it is a named pipe, not a plain file'],
};

describe.skipIf(process.platform === 'win32').each(Object.entries(INSTEAD))('%s', (_, [make, why]) => {
  const refusalOf = (path: string) => ({ code: 2, out: '', err: `macro: Cannot read ${path}: ${why}.\n${HINT}` });

  it.each(['status', 'fx eur usd --offline', 'config explain'])(
    'as .macrorc.json is refused: macro %s',
    async (line) => {
      const at = testPlatform();
      make(join(at.folder, '.macrorc.json'));
      expect(await macro(line, at)).toEqual(refusalOf(join(at.folder, '.macrorc.json')));
    },
  );

  it('as a file that is imported', async () => {
    const at = testPlatform();
    make(join(at.folder, 'a.csv'));
    expect(await macro('import a.csv', at)).toEqual(refusalOf(join(at.folder, 'a.csv')));
  });

  it('as a file in a folder that is watched is left alone', async () => {
    const at = testPlatform();
    mkdirSync(join(at.folder, 'drop'));
    make(join(at.folder, 'drop', 'a.csv'));
    expect((await macro('import --watch drop --once', at)).code).toBe(0);
  });

  it('as keys of callers, headers of a delivery, or a backup', async () => {
    const at = testPlatform();
    const path = join(at.folder, 'given');
    make(path);
    expect(await macro('serve --keys given', at)).toEqual(refusalOf(path));
    expect(await macro('webhooks verify --headers given --body given', at)).toEqual(refusalOf(path));
    const { code, err } = await macro('mirror restore given --yes', at);
    expect([code, err.includes(why.split(',')[0]?.replace(' or a socket', '').replace('it is', 'is') ?? '')]).toEqual([
      8,
      true,
    ]);
  });
});

it('a .macrorc.json of more than 64 KB is refused, and one of less is read', async () => {
  const at = testPlatform();
  const path = join(at.folder, '.macrorc.json');
  writeFileSync(path, `{"format":"json"${' '.repeat(65_536)}}`);
  expect((await macro('status', at)).err).toBe(`macro: Cannot read ${path}: it is larger than 65536 bytes.\n${HINT}`);
  writeFileSync(path, `{"format":"xyz"${' '.repeat(60_000)}}`);
  expect((await macro('status', at)).err).toContain("'xyz'");
});
