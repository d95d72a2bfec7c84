// Asks `macro serve --sandbox` what its own document describes, with legal and illegal values, and imports hostile files:
// npm run fuzz -- --requests 20000 --files 100 --seed 7.
// No answer is a 5xx, and every one has a status and a body that the document has for it. It stands in for Schemathesis, a Python
// program that does the same and that npm cannot install.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fuzzFiles } from './fuzz-files.mjs';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'macro.js');
const PEERS = 8;
const MOST_SHOWN = 20;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    files: { type: 'string', default: '70' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
  },
});
const random = seeded(Number(values.seed));
const below = (bound) => Math.floor(random() * bound);
const one = (list) => list[below(list.length)];

/** Values that no parameter takes, or only some. */
const NASTY = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1',
    '5',
    '100',
    '101',
    '1e9',
    '99999999999999999999',
    'NaN',
    'null',
    'true',
    'all',
    'USD',
    'eur',
  ],
  ...['2026-02-30', '2026-11-01', '9999-12-31', '0000-01-01', '2026-11-01T00:00:00Z', '2026-01-01T00:00:00+99:99'],
  ...[
    "' or 1=1 --",
    '\u0000',
    '\u202e',
    '%',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    'a,b,,a',
    'x'.repeat(3_000),
  ],
];

const home = mkdtempSync(join(tmpdir(), 'macro-fuzz-'));
const server = spawn(process.execPath, [program, 'serve', '--sandbox', '--port', '0', '--no-quota'], {
  env: { ...process.env, MACRO_HOME: home },
  stdio: ['ignore', 'ignore', 'pipe'],
});
const ended = new Promise((resolve) => server.once('exit', resolve));
const counts = new Map();
const violations = [];
try {
  const origin = await originOf(server);
  const document = await (await fetch(`${origin}/v1/openapi.json`)).json();
  const operations = operationsIn(document);
  const validatorOf = validators(document);
  let left = Number(values.requests);
  const peer = async () => {
    while (left > 0 && violations.length < MOST_SHOWN) {
      left -= 1;
      await askOnce(origin, one(operations), validatorOf);
    }
  };
  await Promise.all(Array.from({ length: PEERS }, peer));
} finally {
  server.kill('SIGTERM');
  await ended;
  rmSync(home, { recursive: true, force: true });
}
const tell = (line) => process.stdout.write(`${line}\n`);
violations.push(...(await fuzzFiles({ files: Number(values.files), random, tell })));
for (const violation of violations) process.stdout.write(`${violation}\n`);
const told = [...counts].sort().map(([status, count]) => `${count} times ${status}`);
const asked = [...counts.values()].reduce((sum, count) => sum + count, 0);
process.stdout.write(`seed ${values.seed}, ${asked} requests (${told.join(', ')}): ${violations.length} violations\n`);
process.exitCode = violations.length === 0 ? 0 : 1;

function originOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
      const origin = /(http:\/\/[^/\s]+)\/v1/.exec(said)?.[1];
      if (origin) resolve(origin);
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
}

/** Every operation of the document but streams, which do not end. */
function operationsIn(document) {
  const resolve = (part) =>
    part?.$ref
      ? part.$ref
          .slice(2)
          .split('/')
          .reduce((at, name) => at[name], document)
      : part;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!['get', 'post'].includes(method)) return [];
      const contents = Object.values(operation.responses).flatMap((one) => Object.keys(resolve(one).content ?? {}));
      if (contents.includes('text/event-stream')) return [];
      const shared = methods.parameters ?? [];
      const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve);
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          pointerOf(path, method, status, response),
        ]),
      );
      const body = resolve(operation.requestBody)?.content?.['application/json'];
      return [{ path, method, parameters, responses, body: body && { ...body, schema: resolve(body.schema) } }];
    }),
  );
}

/** Where the schema of a response stands in the document. */
function pointerOf(path, method, status, response) {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
  return response.$ref ?? `#/paths/${escaped}/${method}/responses/${status}`;
}

function validators(document) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'https://svc.example/document');
  const known = new Map();
  return (pointer) => {
    const at = pointer
      .slice(2)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const response = at.reduce((part, name) => part?.[name], document);
    if (!response?.content?.['application/json']?.schema) return undefined;
    if (!known.has(pointer)) {
      const target = `${pointer}/content/application~1json/schema`.replaceAll('{', '%7B').replaceAll('}', '%7D');
      known.set(pointer, ajv.compile({ $ref: `https://svc.example/document${target}` }));
    }
    return known.get(pointer);
  };
}

function valueFor({ schema = {}, example, examples }) {
  const kind = below(10);
  if (kind < 2) return one(NASTY);
  const listed = [schema.enum, schema.items?.enum, schema.examples, schema.items?.examples].flatMap(
    (list) => list ?? [],
  );
  const known = [
    ...listed,
    example,
    schema.example,
    schema.default,
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
  const usable = known.filter((value) => value !== undefined && value !== null);
  if (usable.length > 0 && kind < 8) return String([one(usable)].flat().join(','));
  if (schema.type === 'integer') return String((schema.minimum ?? 0) + below((schema.maximum ?? 100) + 2));
  if (schema.format === 'date') return `20${10 + below(17)}-${String(1 + below(12)).padStart(2, '0')}-15`;
  return usable.length > 0
    ? String([one(usable)].flat().join(','))
    : one(['usd', 'eur', 'inflation', 'gold', '2026-10-01', '3']);
}

async function askOnce(origin, operation, validatorOf) {
  const { path, method, parameters, responses, body } = operation;
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of parameters) {
    if (parameter.in === 'path')
      filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(valueFor(parameter) || 'x'));
    if (parameter.in === 'query' && (parameter.required || below(3) === 0))
      query.append(parameter.name, valueFor(parameter));
  }
  if (below(20) === 0) query.append('odd', one(NASTY));
  const url = `${origin}${filled}${query.size > 0 ? `?${query}` : ''}`;
  const headers = {
    ...(below(4) > 0 && { 'X-API-Key': 'fuzz' }),
    ...(method === 'post' && { 'content-type': 'application/json' }),
  };
  const sent = method === 'post' ? postedBody(body) : undefined;
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    headers,
    ...(sent !== undefined && { body: sent }),
    redirect: 'manual',
  });
  const text = await answer.text();
  counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
  const problem = problemOf(answer, text, responses, validatorOf);
  if (problem)
    violations.push(
      `${method.toUpperCase()} ${url.slice(0, 300)} ${sent?.slice(0, 100) ?? ''} -> ${answer.status}: ${problem}`,
    );
}

function postedBody(body) {
  const example = body?.example ?? body?.schema?.example ?? Object.values(body?.examples ?? {})[0]?.value;
  return (
    one([
      example && JSON.stringify(example),
      '{}',
      '[]',
      'null',
      '{',
      '',
      '{"a":1}',
      JSON.stringify({ ...example, x: one(NASTY) }),
    ]) ?? '{}'
  );
}

function problemOf(answer, text, responses, validatorOf) {
  const { status } = answer;
  if (status >= 500) return text.slice(0, 300);
  const pointer = responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default;
  if (pointer === undefined) return `a status that the document has not: ${text.slice(0, 200)}`;
  const validate = validatorOf(pointer);
  if (!validate || !answer.headers.get('content-type')?.includes('json')) return undefined;
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `no JSON: ${error.message}`;
  }
  return validate(value)
    ? undefined
    : `${validate.errors?.[0]?.instancePath} ${validate.errors?.[0]?.message}: ${text.slice(0, 200)}`;
}

function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
