import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';

beforeAll(ensureBuilt);

/** Stand-ins that keep the table in a file; the tester's own programs are not on the path. */
function machine({ hasDaemon = true } = {}) {
  const folder = freshFolder();
  const [bin, table] = [join(folder, 'bin'), join(folder, 'table')];
  mkdirSync(bin);
  const crontab = `#!/bin/sh
case "$1" in
  -l) [ -e '${table}' ] || { echo 'no crontab for me' >&2; exit 1; }; while IFS= read -r line; do printf '%s\\n' "$line"; done < '${table}' ;;
  -) while IFS= read -r line; do printf '%s\\n' "$line"; done > '${table}' ;;
  *) exit 2 ;;
esac
`;
  writeFileSync(join(bin, 'crontab'), crontab);
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho "Failed to connect to bus" >&2\nexit 1\n');
  writeFileSync(join(bin, 'pgrep'), `#!/bin/sh\nexit ${hasDaemon ? 0 : 1}\n`);
  for (const name of ['crontab', 'systemctl', 'pgrep']) chmodSync(join(bin, name), 0o755);
  const env = { PATH: bin, MACRO_HOME: join(folder, 'home'), MACRO_BASE_URL: 'http://127.0.0.1:9' };
  return { table, env, run: (...words: string[]) => runBuilt(words, env) };
}

describe('macro schedule, the built program', () => {
  it.skipIf(process.platform !== 'linux')(
    'puts a line in that runs the very program without a terminal, and takes it out',
    () => {
      const { run, table } = machine();
      writeFileSync(table, '5 4 * * * /usr/bin/backup\n');
      run('track', 'add', 'cot', 'usd');
      expect(run('schedule', 'install', '--quiet', '--format', 'csv', '--no-header')).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^cron,\d{4}-.*Z,\n$/),
        stderr: '',
      });
      const line = readFileSync(table, 'utf8')
        .split('\n')
        .find((one) => one.startsWith('@reboot '));
      expect(line).toMatch(/bin\/macro\.js sync --quiet >\/dev\/null$/);
      run('schedule', 'remove', '--quiet');
      expect([existsSync(table), readFileSync(table, 'utf8')]).toEqual([true, '5 4 * * * /usr/bin/backup\n']);
    },
  );

  it.skipIf(process.platform !== 'linux')('is exit 10 where no daemon reads the table', () => {
    const { run } = machine({ hasDaemon: false });
    run('track', 'add', 'cot', 'usd');
    const { status, stderr } = run('schedule', 'install', '--quiet');
    expect([status, stderr]).toEqual([10, expect.stringContaining('cron has the entry, but does not run')]);
    expect(run('doctor', '--offline', '--quiet').status).toBe(10);
  });
});
