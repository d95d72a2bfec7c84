// What the other endpoints add to a start that asks for one: two processes that differ in one thing, in turn. One loads the
// lists of all endpoints, bundled as they are in the program, and looks at the endpoint that is asked for; the other one
// loads a bundle of that endpoint alone.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commonPlugins } from '../scripts/build-plugins.mjs';
import { bundle } from '../scripts/bundle.mjs';
import { ENDPOINT_GROUPS, endpointsAfter, sharedByGroups } from '../scripts/endpoint-groups.mjs';
import { benchFolder, inTurn } from './support.mjs';

const GOAL_MS = 5;
const START = `process.getBuiltinModule('node:module').enableCompileCache(process.env.BENCH_CACHE);\n`;

/** The processor's time, because such a difference drowns in what else a machine does. */
const TELL = 'const { user, system } = process.cpuUsage();\nconsole.log((user + system) / 1000);\n';

const sources = join(benchFolder, '..', 'src', 'endpoints');
const ENTRIES = {
  all: [
    `import { endpointById } from '${sources}/index.ts';`,
    ...sharedByGroups().map((file) => `import '${file}';`),
    "export const asked = () => endpointById('forex');",
  ],
  one: [`import forex from '${sources}/fx/forex.ts';`, 'export const asked = () => forex;'],
};

async function bundled(folder, name) {
  const entry = join(folder, `entry-${name}.ts`);
  writeFileSync(entry, ENTRIES[name].join('\n'));
  const groups = name === 'all' ? ENDPOINT_GROUPS : {};
  const built = join(folder, name, 'dist');
  await bundle({
    entries: { asked: entry, ...groups },
    folder: built,
    plugins: [...commonPlugins, endpointsAfter([entry])],
  });
  const ask = `const { asked } = await import('${built}/asked.js');\nasked().compose;\n${TELL}`;
  writeFileSync(join(folder, `${name}.mjs`), START + ask);
}

export default {
  name: `start: what the endpoints that are not asked add, vs ${GOAL_MS} ms`,
  goal: 1,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'macro-bench-'));
    try {
      for (const name of Object.keys(ENTRIES)) await bundled(folder, name);
      const { NODE_EXTRA_CA_CERTS: _, ...given } = process.env;
      const env = { ...given, BENCH_CACHE: join(folder, 'cache') };
      const start = (file) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, file)], { env, encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
        return Number(stdout);
      };
      const { ours: all, theirs: one } = await inTurn({
        ours: () => start('all.mjs'),
        theirs: () => start('one.mjs'),
        warmUps: 3,
      });
      return { ratio: (all - one) / GOAL_MS, detail: `${(all - one).toFixed(1)} ms over ${one.toFixed(1)} ms` };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
