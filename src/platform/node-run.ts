import { spawn } from 'node:child_process';
import type { Run } from './platform.ts';

/** What shells answer for a program that is not there. */
const NOT_FOUND = 127;

/** Runs another program and gives all that it said; for programs that answer at once. */
export const nodeRun: Run = (program, args, input = '') =>
  new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: ['pipe', 'pipe', 'pipe'], timeout: 30_000 });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    child.on('error', (error) => resolve({ code: NOT_FOUND, stdout: '', stderr: error.message }));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? 1, ...said, ...(signal && { stderr: `ended by ${signal}` }) }),
    );
    // A program that does not read its input is not our concern.
    child.stdin.on('error', () => undefined).end(input);
  });
