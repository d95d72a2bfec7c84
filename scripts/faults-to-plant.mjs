/** What is planted where, and who must notice. */
export const FAULTS = [
  {
    name: 'a cursor that moves before its event is done',
    file: 'src/events/consume/consume.ts',
    from: `    const isDone = await attempt(parts, options, event);
    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now()));`,
    to: `    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now()));
    const isDone = await attempt(parts, options, event);`,
    tests: ['test/consume', 'test/cli/consuming.test.ts'],
  },
  {
    name: 'a revision that is overwritten',
    file: 'src/mirror/sqlite/rows/table-writers.ts',
    from: '      keep.run(revision, ended, markOf(digest), series, ...of);\n',
    to: '',
    tests: ['test/mirror/conformance.test.ts', 'test/mirror/crash.test.ts'],
  },
  {
    name: 'a signature over JSON that was written anew',
    file: 'src/webhooks/receive/verify.ts',
    from: '    const digest = signatureDigest({ timestamp, eventId, body }, secret);',
    to: `    const again = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString())));
    const digest = signatureDigest({ timestamp, eventId, body: again }, secret);`,
    tests: ['test/webhooks/verify.test.ts', 'test/torture/deliveries.test.ts'],
  },
  {
    name: 'a warm-up that is computed over a hole',
    file: 'src/derive/fx/pairs/indicators.ts',
    from: '    if (least >= needed) continue;',
    to: '    if (least >= 0) continue;',
    tests: ['test/derive/forex', 'test/laws/part-held.test.ts'],
  },
  {
    name: 'a cache that outlives a commit',
    file: 'src/source/memory/mirror-memory.ts',
    from: '    if (number !== undefined && current.number === number) return current;',
    to: '    if (number !== undefined && current.number !== undefined) return current;',
    tests: ['test/source/memory.test.ts', 'test/source/kept.test.ts', 'test/laws/memory.test.ts'],
  },
  {
    name: 'an answer in memory that outlives a commit',
    file: 'src/serve/reply/response-cache.ts',
    from: '  if (kept.version !== serve.mirrorVersion()) return false;\n',
    to: '',
    tests: ['test/serve/caching.test.ts'],
  },
];
