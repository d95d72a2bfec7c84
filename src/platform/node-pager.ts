import { spawn } from 'node:child_process';
import process from 'node:process';
import type { ShowPaged } from './platform.ts';

/** What shells answer for a program that they do not find, or may not start. */
const NOT_STARTED = [126, 127];

/** Shows a text in a pager of this terminal and waits until the person leaves it. False when there is no such pager. */
export const nodePage: ShowPaged = (command, text) =>
  new Promise((resolve) => {
    // Ctrl-C belongs to the pager while it is open.
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'ignore'] });
    const finish = (isShown: boolean) => {
      process.off('SIGINT', ignore);
      resolve(isShown);
    };
    // The person may leave before all of the text is read.
    child.stdin.on('error', () => undefined).end(text);
    child.on('error', () => finish(false));
    child.on('close', (code) => finish(code === null || !NOT_STARTED.includes(code)));
  });
