// One whole answer from the mirror by the single executable, beside another program of its kind that only tells its version.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildExecutable, environment, withRates } from './start-support.mjs';
import { alternate } from './support.mjs';

const WORDS = ['fx', 'eur', 'usd', '--indicators', 'all', '--offline'];

export default {
  name: 'executable: fx eur usd --indicators all --offline vs gh --version',
  goal: 3,
  run: () =>
    withRates(async (home) => {
      if (spawnSync('gh', ['--version']).error) throw new Error('gh is not here: apt-get install gh');
      const executable = join(buildExecutable(home), 'macro');
      const env = environment(home);
      const quiet = { env, stdio: ['ignore', 'pipe', 'ignore'] };
      const compared = await alternate({
        ours: () => execFileSync(executable, WORDS, quiet),
        theirs: () => execFileSync('gh', ['--version'], quiet),
        rounds: 21,
        warmUps: 3,
      });
      return { ...compared, detail: `${compared.ours.toFixed(1)} ms against ${compared.theirs.toFixed(1)} ms` };
    }),
};
