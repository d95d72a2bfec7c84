import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { startSandbox } from '../support/serving.ts';
import { hasTmux, terminalServer } from '../support/tmux.ts';

const server = terminalServer();
const folder = freshFolder();
const PAIRS = ['eur usd', 'usd jpy', 'gbp usd', 'aud usd', 'usd cad', 'usd chf', 'nzd usd'];

/** A bar as it is drawn: the line is cleared, and written anew. */
const CLEAR = '\r\u001b[2K';

beforeAll(async () => {
  if (hasTmux) await ensureBuilt();
});

/** Everything that a command of ours sent to a terminal, byte by byte, and the screen when it had ended. */
async function recorded(line: string, env: Readonly<Record<string, string>>) {
  const terminal = await server.open('cat', { columns: 120, rows: 30 }, {});
  onTestFinished(() => terminal.close());
  const file = join(folder, `${line.split(' ')[0]}.raw`);
  const assigned = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  await terminal.run(
    `env ${assigned.join(' ')} '${process.execPath}' '${PROGRAM}' ${line}; echo ended $?; tmux wait-for -S ended; cat`,
    file,
  );
  await terminal.signalled('ended');
  await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/ended \d+/);
  const bytes = readFileSync(file, 'utf8');
  const frames = bytes
    .split(CLEAR)
    .slice(1)
    .flatMap((text) => text.split(/[\r\n]/, 1));
  return { bytes, frames, screen: await terminal.screen() };
}

const shareIn = (frame: string) => Number(/(\d+) %/.exec(frame)?.[1] ?? Number.NaN);
const rowsIn = (frame: string) => Number((/([\d,]+) rows/.exec(frame)?.[1] ?? '0').replaceAll(',', ''));
const isRising = (numbers: readonly number[]) => numbers.every((n, i) => i === 0 || n >= (numbers[i - 1] ?? 0));

describe.skipIf(!hasTmux)('a bar in a real terminal (where tmux is installed)', () => {
  it('of a sync of 50 series, of an import and of an export never runs backwards, and is gone in the end', async () => {
    const service = await startSandbox(join(folder, 'service'));
    onTestFinished(() => service.stop());
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      MACRO_HOME: join(folder, 'home'),
      MACRO_BASE_URL: service.origin,
      MACRO_MIRROR: join(folder, 'mirror.db'),
      MACRO_API_KEY: 'a-key',
      MACRO_PAGER: 'cat',
    };
    const official = join(import.meta.dirname, '../fixtures/official');
    const lines = [
      `sync ${PAIRS.map((pair) => `fx ${pair}`).join(', ')}, announcements usd`,
      `import '${official}/ecb-eurofxref-2026-04-13.csv' '${official}/fred-unrate-2026.csv' --mirror '${folder}/imported.db'`,
      `mirror export fx -o '${folder}/rates.csv'`,
    ];
    for (const line of lines) {
      const { frames, screen, bytes } = await recorded(line, env);
      const bars = frames.filter((frame) => frame.includes('%'));
      expect([line, bars.length > 0, /ended \d+/.exec(bytes)?.[0]]).toEqual([line, true, 'ended 0']);
      expect([line, isRising(bars.map(shareIn)), isRising(bars.map(rowsIn))]).toEqual([line, true, true]);
      // Whatever comes behind the last frame begins with clearing its line.
      const last = bars.at(-1) ?? '';
      expect([line, bytes.slice(bytes.lastIndexOf(last) + last.length).startsWith(CLEAR)]).toEqual([line, true]);
      expect([line, /\[[#-]{20}\]/.test(screen)]).toEqual([line, false]);
      if (line.startsWith('sync'))
        expect([bars.length > 20, (shareIn(bars.at(-1) ?? '') ?? 0) > 90]).toEqual([true, true]);
    }
  });
});
