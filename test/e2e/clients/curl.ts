import { spawnSync } from 'node:child_process';

export const hasCurl = spawnSync('curl', ['--version']).status === 0;

export interface Curled {
  /** Exit code of curl. */
  readonly exit: number | null;
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs the plain `curl` of the machine, which shows the headers of the answer before its body (`-i`, or `-I` alone). */
export function curl(...words: readonly string[]): Curled {
  const shown = words.includes('-I') ? [] : ['-i'];
  const { status: exit, stdout } = spawnSync('curl', ['-s', '-S', ...shown, ...words], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  const end = stdout.indexOf('\r\n\r\n');
  const [first = '', ...lines] = stdout.slice(0, end).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return {
    exit,
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: stdout.slice(end + 4),
  };
}
