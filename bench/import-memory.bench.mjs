// The most memory that a process holds which does one `import ecb` of the official history and nothing else. When garbage
// is collected is a matter of luck, tens of megabytes of it, so the worst of several processes counts.
import { spawnSync } from 'node:child_process';
import { FILE, withImport } from './import-support.mjs';

const GOAL_MEGABYTES = 250;
const PROCESSES = 5;

function megabytesOfOneImport(bundle, path) {
  const code = `
    const { importInto } = await import(${JSON.stringify(bundle)});
    await importInto(${JSON.stringify(path)}, ${JSON.stringify(FILE)});
    process.stdout.write(String(process.resourceUsage().maxRSS / 1024));`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`the import failed: ${child.stderr}`);
  return Number(child.stdout);
}

export default {
  name: `import of the official euro rates, memory vs ${GOAL_MEGABYTES} MB`,
  goal: 1,
  run: () =>
    withImport(async (bundle, fresh) => {
      const held = Array.from({ length: PROCESSES }, () => megabytesOfOneImport(bundle, fresh())).sort((a, b) => a - b);
      const ratio = held[PROCESSES - 1] / GOAL_MEGABYTES;
      return { ratio, detail: `${held.map((one) => one.toFixed(0)).join(', ')} MB in ${PROCESSES} processes` };
    }),
};
