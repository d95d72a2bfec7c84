import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { stopServers } from './postgres.ts';

let folder: string | undefined;

/** Makes the folder of what the run makes once. */
export function setup(project: TestProject): void {
  folder ??= mkdtempSync(join(tmpdir(), 'macro-tests-'));
  project.provide('madeOnce', folder);
}

/** Ends the PostgreSQL server of the run, if a test has started one, and removes that folder. */
export async function teardown(): Promise<void> {
  await stopServers(process.pid);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
