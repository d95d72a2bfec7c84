import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is planted, and who must notice. A fault's place is wherever in `src` its text stands, so that it follows a file that moves. */
export const FAULTS = [
  {
    name: 'a cursor that moves before its event is done',
    from: `    const isDone = await attempt(parts, options, event);
    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now(), event.id));`,
    to: `    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now(), event.id));
    const isDone = await attempt(parts, options, event);`,
    tests: ['test/consume', 'test/cli/consuming.test.ts'],
  },
  {
    name: 'a revision that is overwritten',
    from: '        keep.run(...row.slice(keys), series, ...key);\n',
    to: '',
    tests: ['test/mirror/conformance.test.ts', 'test/mirror/crash.test.ts'],
  },
  {
    name: 'a signature over JSON that was written anew',
    from: '    const digest = signatureDigest({ timestamp, eventId, body }, secret);',
    to: `    const again = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString())));
    const digest = signatureDigest({ timestamp, eventId, body: again }, secret);`,
    tests: ['test/webhooks/verify.test.ts', 'test/torture/deliveries.test.ts'],
  },
  {
    name: 'a warm-up that is computed over a hole',
    from: 'least >= needed',
    to: 'least >= 0',
    tests: ['test/derive/forex', 'test/laws/part-held.test.ts'],
  },
  {
    name: 'a cache that outlives a commit',
    from: `columns.through(\`\${state} \${name}\`, read)`,
    to: 'columns.through(name, read)',
    tests: ['test/source/memory.test.ts', 'test/source/kept.test.ts', 'test/laws/memory.test.ts'],
  },
  {
    name: 'an answer in memory that outlives a commit',
    from: '  if (kept.state !== state) return false;\n',
    to: '',
    tests: ['test/serve/caching.test.ts'],
  },
  {
    name: 'a delivery that is acknowledged before the disk has it',
    from: '      await mirror.flush();\n      return arrived;',
    to: '      return arrived;',
    tests: ['test/torture/power.test.ts'],
  },
  {
    name: 'a position that the disk does not have',
    from: '    await mirror.flush();\n    if (isDone)',
    to: '    if (isDone)',
    tests: ['test/torture/power.test.ts'],
  },
  {
    name: 'a position that the journal does not have',
    from: '    if (found?.event !== event) return;\n',
    to: '',
    tests: ['test/mirror/conformance.test.ts'],
  },
  {
    name: 'a follower that never goes back',
    from: 'if (state !== seen && (await idOf(position)) !== last) {',
    to: 'if (position < 0) {',
    tests: ['test/consume/consume.test.ts'],
  },
  {
    name: 'a change of a program that lost its lease',
    from: '(leases.size > 0 ? write(work, how) : pool.writing(work, how))',
    to: 'pool.writing(work, how)',
    tests: ['test/mirror/postgres/locks.test.ts'],
  },
  {
    name: 'a broken connection without its meaning',
    from: 'translatingServer(name, () => doLater(work(serverEngine(connection, shared))))',
    to: 'doLater(work(serverEngine(connection, shared)))',
    tests: ['test/mirror/postgres/mirror.test.ts'],
  },
  {
    name: 'a lake without a lock',
    from: "lockFile(join(folder, '.lock'))",
    to: 'lockFile(join(folder, `.lock` + Date.now()))',
    tests: ['test/cli/lake.test.ts'],
  },
  {
    name: 'a query without a bound of bytes',
    from: "    else if (bytes > maxBytes) cut = 'bytes';\n",
    to: '',
    tests: ['test/torture/hostile.test.ts', 'test/cli/sql.test.ts'],
  },
  {
    name: 'a workbook without a bound of depth',
    from: '    if (depth > MAX_DEPTH) throw',
    to: '    if (depth > 1e9) throw',
    tests: ['test/imports/hostile-workbooks.test.ts'],
  },
  {
    name: 'a device that is read like a file',
    from: '  if (found.isFile() || found.isDirectory()) return file;',
    to: '  if (!found.isFIFO()) return file;',
    tests: ['test/cli/foreign-files.test.ts'],
  },
  {
    name: 'a mirror that never waits for the disk',
    from: "    db.pragma('synchronous = normal');",
    to: "    db.pragma('synchronous = off');",
    tests: ['test/mirror/open.test.ts'],
  },
  {
    name: "a key's answer that is repeated without a key",
    from: "      const repeat = caller.kind === 'keyless' ? undefined : passed.find(question, context.now);",
    to: '      const repeat = passed.find(question, context.now);',
    tests: ['test/serve/upstream'],
  },
  {
    name: "a key's answer that is shared without a key",
    from: '    return { ...(isKeyless ? await mirror.source.ask(question, context) : done), cached };',
    to: '    return { ...done, cached };',
    tests: ['test/serve/upstream'],
  },
  {
    name: 'one account for all callers without a key',
    from: "{ caller: KEYLESS, name: plainAddress(from.ip), class: 'keyless' }",
    to: "{ caller: KEYLESS, name: 'keyless', class: 'keyless' }",
    tests: ['test/serve/callers.test.ts', 'test/serve/limits.test.ts'],
  },
];

/**
 * The one file of a checkout's `src` that has a fault's text, once.
 * @throws Error where there is none, or more than one place.
 */
export function placeOf({ name, from }, root) {
  const src = join(root, 'src');
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const places = files.flatMap((file) => Array(readFileSync(file, 'utf8').split(from).length - 1).fill(file));
  const [place, ...others] = places;
  if (place !== undefined && others.length === 0) return place;
  throw new Error(`${name}: ${places.length} places in src; plant it anew in scripts/faults-to-plant.mjs`);
}
