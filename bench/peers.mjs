// Programs of others that rows of the bench measure against. They stand in a folder of their own, installed when first wanted.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { benchFolder } from './support.mjs';

const folder = join(benchFolder, 'peers');

/** What a package of the folder exports. */
export function peer(name) {
  return requireOf(name)(name);
}

/** The path of a file of a package, which its own exports need not name. */
export function peerFile(name, file) {
  requireOf(name);
  return join(folder, 'node_modules', name, file);
}

function requireOf(name) {
  if (!existsSync(join(folder, 'node_modules', name)))
    execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return createRequire(join(folder, 'package.json'));
}
