import { readFileSync } from 'node:fs';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { PageCommit } from '../../../src/mirror/api/page-commit.ts';
import { openServerMirror as openOnServer } from '../../../src/mirror/postgres/open.ts';
import { isServerAddress } from '../../../src/mirror/rules/engine.ts';
import { openMirror } from '../../../src/mirror/sqlite/open.ts';
import { nodeFiles } from '../../../src/platform/node-files.ts';
import { isAlive } from '../../support/alive.ts';

/** A mirror for a child process, with a clock that stands still. */
export function openHere(path: string): Promise<Mirror> {
  const random = { number: Math.random, bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
  const clock = {
    now: () => 1_795_219_200_000,
    sleep: async () => {},
    alarm: async () => {},
    turn: () => 0,
    turnEnd: async () => undefined,
  };
  const how = {
    mappings: MAPPINGS,
    platform: {
      clock,
      random,
      files: nodeFiles,
      env: process.env,
      pid: process.pid,
      isRunning: isAlive,
      host: 'desk-a',
    },
    mode: 'write',
  } as const;
  return isServerAddress(path) ? openOnServer({ ...how, address: path }) : openMirror({ ...how, path });
}

/** Commits that the parent wrote down. */
export function commitsIn(path: string): readonly PageCommit[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}
