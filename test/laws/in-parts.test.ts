import { describe, expect, it } from 'vitest';
import { emptyWindowNotes, leftOutNotes } from '../../src/cli/commands/endpoint/ask.ts';
import { listAnswer } from '../../src/cli/print/answer.ts';
import { FORMATS, type RenderOptions, renderListing } from '../../src/cli/print/format.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import type { AsOf } from '../../src/contract/time/moments.ts';
import { addDays } from '../../src/contract/time/time.ts';
import forex from '../../src/endpoints/fx/forex.ts';
import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { AskContext, Question, Reply } from '../../src/source/source.ts';
import { collect, sourcePages } from '../../src/source/stored/collect-pages.ts';
import { askWhole } from '../../src/source/stored/whole-answer.ts';
import { cutMirror } from '../support/cut-mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { PROVES } from '../support/properties.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const TODAY = '2026-11-21';
const PLAIN = { fields: undefined, sort: undefined, reverse: false, header: true, color: false } as const;
const OUTPUTS: readonly Pick<RenderOptions, 'format' | 'fields' | 'sort' | 'reverse' | 'header'>[] = [
  ...FORMATS.map((format) => ({ ...PLAIN, format })),
  { ...PLAIN, format: 'csv', sort: 'date', header: false },
  { ...PLAIN, format: 'ndjson', reverse: true },
  { ...PLAIN, format: 'ndjson', fields: ['val', 'source.source_pair', 'rsi_14', 'date'] },
];

/** Windows and options of a question, those that an endpoint does not have left out. */
const VARIANTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { start_date: '2026-08-01' },
  { start_date: '2026-08-01', end_date: '2026-10-01' },
  { start_date: '2020-01-01', indicators: 'all' },
  { start_date: '2090-01-01', end_date: '2090-02-01' },
];

const MOMENTS: readonly (AsOf | undefined)[] = [
  undefined,
  { at: Date.parse('2026-09-15T12:00:00Z'), by: 'public' },
  { at: Date.parse('2026-11-20T12:00:00Z'), by: 'mirrored' },
];

const PAGED = EACH.filter(([, { paging, body, local }]) => paging.kind === 'offset' && body.kind === 'list' && !local);

/** How the answers of a comparison are written out: in one of the forms in turn, in each with `npm run prove`. */
const outputsAt = (turn: number) =>
  PROVES ? OUTPUTS : OUTPUTS.slice(turn % OUTPUTS.length, (turn % OUTPUTS.length) + 1);

/** Everything that a person is told of an answer, or why there is none. */
async function told(question: Question, now: number, outputs: typeof OUTPUTS, ask: () => Promise<Reply>) {
  try {
    const reply = await ask();
    const { status, from, asOf, past, synthetic, partial, notes } = reply;
    const about = [...leftOutNotes(question, reply), ...emptyWindowNotes(question, reply, now)];
    const { facts, view } = listAnswer(question, reply, { now });
    const texts: string[] = [];
    for (const output of outputs) {
      const options = { ...PLAIN, ...output, toTerminal: output.format === 'table', width: 80 };
      texts.push(await renderListing(listAnswer(question, reply, { now }), options).catch(messageOf));
    }
    return { status, from, asOf, past, synthetic, partial, notes, about, facts, view, texts, body: reply.body };
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof MacroError) return `${error.code} ${error.message} ${error.hint}`;
  throw error;
}

/** Compares both ways for each variant of a question; tells how many of the answers had rows that came in parts. */
async function compare(
  endpoint: Endpoint,
  mirror: Mirror,
  {
    now,
    path: other,
    moments,
  }: { readonly now: number; readonly path?: RawArgs['path']; readonly moments: typeof MOMENTS },
): Promise<number> {
  const { path: example, query = {} } = exampleOf(endpoint);
  const path = other ?? example;
  let inParts = 0;
  let turn = 0;
  for (const [at, variant] of VARIANTS.entries())
    for (const asOf of PROVES ? moments : moments.filter((_, i) => i === 0 || i % 2 === at % 2))
      for (const limit of ['all', 5] as const) {
        const own = Object.fromEntries(Object.entries(variant).filter(([name]) => endpoint.query[name] !== undefined));
        const { args } = readParams(endpoint, { path, query: { ...query, ...own } }, { mode: 'liberal', now });
        const question = { endpoint, args };
        const context: AskContext = { caller: { kind: 'owner' }, now, ...(asOf && { asOf }) };
        const sourceOf = () => createMirrorSource({ mirror, labels: LABELS });
        const whole = { ...question, args: { ...args, limit: limit === 'all' ? 1_000_000_000 : limit } };
        const plain = () => collect(sourcePages(sourceOf(), whole, context), whole, limit);
        const parted = async () => {
          const reply = await askWhole(sourceOf(), question, context, limit);
          if (reply.parts && reply.parts.rows.length > 0) inParts += 1;
          return reply;
        };
        const outputs = outputsAt(turn);
        turn += 1;
        expect(await told(question, now, outputs, parted)).toEqual(await told(question, now, outputs, plain));
      }
  return inParts;
}

describe.each(PAGED)('%s', (_, endpoint) => {
  it('says the same in parts as in one text', async () => {
    const { platform, clock } = testPlatform();
    const mirror = await sandboxMirror(platform);
    expect(await compare(endpoint, mirror, { now: clock.now(), moments: MOMENTS })).toBeGreaterThan(0);
  });

  it('says the same where the mirror does not hold all of it', async () => {
    const { platform, clock } = testPlatform();
    const range = { from: addDays(TODAY, -90), to: addDays(TODAY, -60) };
    const cuts = EACH.map(([id]) => ({ series: { endpoint: id, scope: {} }, range }));
    const mirror = cutMirror(await sandboxMirror(platform), cuts);
    await compare(endpoint, mirror, { now: clock.now(), moments: [undefined] });
  });
});

it.each([
  ['USD', 'EUR'],
  ['GBP', 'JPY'],
])('says the same of %s/%s, which follows from other pairs', async (base, quote) => {
  const { platform, clock } = testPlatform();
  const mirror = await sandboxMirror(platform);
  const path = { base, quote };
  const now = clock.now();
  expect(await compare(forex, mirror, { now, path, moments: MOMENTS })).toBeGreaterThan(0);
});
