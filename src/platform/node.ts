import { homedir } from 'node:os';
import process from 'node:process';
import { nodeKeychain } from './keychain/node-keychain.ts';
import { nodeClock, nodeRandom } from './node-clock.ts';
import { createNodeFetch } from './node-fetch.ts';
import { nodeFiles } from './node-files.ts';
import { nodeIo } from './node-io.ts';

import { nodePage } from './node-pager.ts';
import { nodePost } from './node-post.ts';
import { createNodeResolve } from './node-resolve.ts';
import { nodeRun } from './node-run.ts';
import { nodeSignals } from './node-signals.ts';
import type { Platform } from './platform.ts';

/** The real world, as Node shows it. */
export function nodePlatform(): Platform {
  return {
    clock: nodeClock,
    random: nodeRandom,
    fetch: createNodeFetch(process.env),
    resolve: createNodeResolve(),
    post: nodePost,
    files: nodeFiles,
    io: nodeIo(),
    env: process.env,
    signals: nodeSignals,
    keychain: nodeKeychain(process.env),
    run: nodeRun,
    page: nodePage,
    // The single executable has its own path in both places.
    program: [...new Set([process.execPath, ...process.argv.slice(1, 2)])],
    pid: process.pid,
    cwd: process.cwd(),
    home: homedir(),
    runtime: `Node ${process.versions.node}`,
    os: systemOf(process.platform),
  };
}

function systemOf(name: string): Platform['os'] {
  if (name === 'darwin') return 'macos';
  return name === 'win32' ? 'windows' : 'linux';
}
