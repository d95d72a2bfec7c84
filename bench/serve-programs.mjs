// The servers of the rows about `serve`, each in a process of its own on loopback: the built program and bare node:http.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram, environment, program } from './start-support.mjs';
import { benchFolder } from './support.mjs';

/** Tells what the process takes whenever it is asked: memory in bytes, the processor's time in microseconds. */
const TOLD = `data:text/javascript,process.on('message',({takes})=>takes&&process.send({rss:process.memoryUsage.rss(),cpu:process.cpuUsage()}))`;

let filled;

/** A home in which the built program has generated the whole data set; made once, removed when the bench ends. */
export function sandboxHome() {
  filled ??= fillHome();
  return filled;
}

async function fillHome() {
  buildProgram();
  const home = mkdtempSync(join(tmpdir(), 'macro-bench-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  // The first one generates: what is measured later begins with the file.
  await stop(await startMacro(home, ['--sandbox']));
  return home;
}

/** Calls `work` with `macro serve`, and further words, over the data set of the sandbox. */
export async function withSandbox(work, words = []) {
  const ours = await startMacro(await sandboxHome(), ['--sandbox', ...words]);
  try {
    return await work(ours);
  } finally {
    await stop(ours);
  }
}

/**
 * A server that takes requests. `takes` tells its resident megabytes and the milliseconds of the processor's time that it has
 * taken, which other programs on the machine change little.
 */
function serverOf(child, port) {
  const takes = () =>
    new Promise((told) => {
      child.once('message', ({ rss, cpu }) =>
        told({ megabytes: Math.round(rss / 1_048_576), ms: (cpu.user + cpu.system) / 1_000 }),
      );
      child.send({ takes: true });
    });
  return { child, port, takes };
}

/** `macro serve ...` of the built program. */
export function startMacro(home, words) {
  return startProgram(['serve', ...words], environment(home));
}

/** A server of the built program, by the words that start it. */
export function startProgram(words, env) {
  return startScript(program, [...words, '--port', '0'], { env, says: /http:\/\/127\.0\.0\.1:(\d+)/ });
}

/** A server that prints where it listens: `says` finds the port in that. */
export function startScript(script, words, { env, says }) {
  const options = { env, execArgv: ['--import', TOLD], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] };
  const child = fork(script, words, options);
  return new Promise((resolve, reject) => {
    let said = '';
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk) => {
        if (said.length < 10_000) said += chunk;
        const port = says.exec(said)?.[1];
        if (port) resolve(serverOf(child, Number(port)));
      });
    child.once('exit', (code) => reject(new Error(`${script} ${words[0]} ended with ${code}: ${said}`)));
  });
}

/** Bare node:http with these answers, by path. */
export function startBare(answers) {
  return startBeside('serve-bare.mjs', { answers });
}

/** A server of the bench itself, which is sent what it needs and tells its port. */
export function startBeside(file, needs) {
  const child = fork(join(benchFolder, file), {
    execArgv: ['--import', TOLD],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }) => resolve(serverOf(child, port)));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.send(needs);
  });
}

export function stop({ child }) {
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill();
  });
}
