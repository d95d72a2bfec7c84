// Answers one after the other on a warm server, for the rows whose goal is a number of milliseconds.

const ROUNDS = 20;
/** Milliseconds that an answer that is computed may take. */
const MOST = 30;

/**
 * The slowest of some questions, by the processor's time that the server takes. Each is a function of a number: no two askings
 * of it are the same question, so that none is answered from the memory of answers.
 */
export async function slowest(ours, questions) {
  const times = [];
  for (const [name, question] of Object.entries(questions)) times.push({ name, ms: await meanTime(ours, question) });
  times.sort((a, b) => b.ms - a.ms);
  const [worst] = times;
  return { ratio: worst.ms / MOST, detail: times.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', ') };
}

/** Milliseconds of an answer, once the program is warm. Each `time` asks questions of its own. */
export async function meanTime({ port, takes }, question, time = 0) {
  const first = time * 2 * ROUNDS;
  for (let i = 0; i < ROUNDS; i += 1) await ask(port, question(first + i));
  const before = await takes();
  for (let i = 0; i < ROUNDS; i += 1) await ask(port, question(first + ROUNDS + i));
  const after = await takes();
  return (after.ms - before.ms) / ROUNDS;
}

/** A question is a path, or a path and a body to post. */
async function ask(port, [path, body]) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'X-API-Key': 'bench', 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
}

/** The day that lies `days` before today. */
export function daysBack(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
