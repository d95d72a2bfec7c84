/** Runs a shell command apart, and takes the first Ctrl-C as a wish, as the program does. Arguments: the command. */

import process from 'node:process';
import { nodeRun, nodeSignals } from '../../../src/platform/node.ts';

const release = nodeSignals.onInterrupt(() => {
  release();
  process.stdout.write('heard\n');
});
await nodeRun('/bin/sh', ['-c', process.argv[2] ?? ''], { longest: 60_000, apart: true });
process.stdout.write('ended\n');
