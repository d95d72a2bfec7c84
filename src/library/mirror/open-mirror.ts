import { type CutReply, walkPages } from '../../client/pages.ts';
import { isOffline } from '../../contract/capabilities.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type CutBody, cutBody } from '../../contract/json/body.ts';
import { isJsonObject, readJson } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { type AsOf, AVAILABILITIES } from '../../contract/time/moments.ts';
import { INTERFACE, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import { nodePlatform } from '../../platform/node.ts';
import { createColumns } from '../../source/columns.ts';
import { LABELS } from '../../source/labels.ts';
import { createMirrorSource } from '../../source/mirror.ts';
import type { Reply, Source } from '../../source/source.ts';
import type { MirroredSeries, OpenMirrorOptions, ReadMirror } from '../api/clients.ts';
import type { Answer, MirrorCallOptions } from '../api/methods.ts';
import { classed, UsageError } from '../errors.ts';
import { readGivenMoment, readGivenWord, refuseUnknownOptions } from '../given.ts';
import { type Answerer, makeMethod, methodName } from '../questions.ts';
import { openEngine } from './open-engine.ts';

/**
 * Opens a mirror for reading: a file, or the address of a PostgreSQL server. No service is asked. If parts of an answer
 * are missing, its `mirror` says so.
 *
 * @throws A MirrorError or a NotFoundError where there is no mirror that can be read.
 */
export function openReadMirror(path: string, options: OpenMirrorOptions = {}): Promise<ReadMirror> {
  return classed(async () => {
    refuseUnknownOptions(options, ['hasKey']);
    if (typeof path !== 'string' || path === '')
      throw new UsageError('No mirror is named.', { hint: '`macro mirror path` prints the path of yours.' });
    const platform = nodePlatform();
    const mirror = await openEngine(platform, { path, mode: 'read' });
    const source = createMirrorSource({ mirror, labels: LABELS, columns: createColumns() });
    let isClosed = false;
    const whileOpen = <T>(read: () => Promise<T>): Promise<T> =>
      classed(() => {
        if (isClosed) throw new MacroError('mirror', `The mirror ${mirror.name} is closed.`, { code: 'mirror_closed' });
        return read();
      });
    const open: Source = { ask: (question, context) => whileOpen(() => source.ask(question, context)) };
    const answerer = answererOf(open, () => platform.clock.now(), options);
    const methods = INTERFACE.filter((endpoint) => isOffline(endpoint) && !endpoint.managed).map((endpoint) => [
      methodName(endpoint.id),
      makeMethod(endpoint, answerer),
    ]);
    return {
      ...Object.fromEntries(methods),
      name: mirror.name,
      kind: () => whileOpen(async () => (await mirror.stamp()).nature),
      series: (endpoint) => whileOpen(() => mirror.snapshot((reader) => listSeries(reader, endpoint))),
      close: () => {
        isClosed = true;
        mirror.close();
      },
    } as ReadMirror; // the types are made from the same list
  });
}

function answererOf(
  source: Source,
  now: () => number,
  { hasKey = true }: OpenMirrorOptions,
): Answerer<MirrorCallOptions> {
  const ask = (endpoint: Endpoint, args: Args, asOf: AsOf | undefined): Promise<Reply> =>
    source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: now(), hasKey, ...(asOf && { asOf }) });
  return {
    now,
    options: ['asOf', 'by', 'allowPartial'],
    asOf: momentOf,
    ask: async (endpoint, { args, asOf }) => answerOf(await ask(endpoint, args, asOf)),
    async *pages(endpoint, { args, asOf }) {
      const walked = walkPages(
        async (request) => cutReply(endpoint, await ask(endpoint, request.args, asOf)),
        { endpoint, args },
        undefined,
      );
      for await (const { cut, notes, body, synthetic, etag, partial } of walked)
        yield {
          ...{ body: readJson(body), text: body, mirror: partial, synthetic, etag, notes },
          rows: cut.rows.map(({ value }) => value),
        };
    },
  };
}

function answerOf({ body, partial, synthetic, etag, notes }: Reply): Answer<unknown> {
  return { body: readJson(body), text: body, mirror: partial?.mark, synthetic, etag, notes };
}

/** A reply of the mirror, cut into rows. Its pages pass the same checks as those of a service. */
function cutReply(endpoint: Endpoint, { body, partial, synthetic, etag, notes }: Reply): CutReply {
  const value: unknown = readJson(body);
  const cut: CutBody = cutBody(endpoint.body, body, isJsonObject(value) ? value : {});
  const shared = { body, etag, request: endpoint.path, synthetic, edgeHit: false, notes };
  return { reply: { status: 200, ...shared, ...(partial && { partial: partial.mark }) }, cut };
}

function momentOf({ asOf, by }: MirrorCallOptions = {}): AsOf | undefined {
  const availability = by === undefined ? 'public' : readGivenWord(by, 'by', AVAILABILITIES);
  if (asOf !== undefined) return { at: readGivenMoment(asOf, 'asOf'), by: availability };
  if (by === undefined) return undefined;
  throw new UsageError('The option by says to whom a moment was known, and none is given.', { hint: 'Give asOf too.' });
}

/** The series of a mirror with their covered ranges, by endpoint. @throws MacroError of kind `usage`. */
async function listSeries(reader: MirrorReader, only?: string): Promise<readonly MirroredSeries[]> {
  if (only !== undefined && !Object.hasOwn(MAPPINGS, only))
    throw new MacroError('usage', `No mirror has series of '${only}'.`, {
      hint: `Legal endpoints: ${Object.keys(MAPPINGS).join(', ')}.`,
    });
  const endpoints = only === undefined ? Object.keys(MAPPINGS) : [only];
  const lists: (readonly MirroredSeries[])[] = [];
  for (const endpoint of endpoints) {
    const found = await reader.find({ endpoint, scope: {} });
    lists.push(
      await Promise.all(
        found.map(async (series) => {
          const coveredRanges = await reader.coveredRanges(series, 'keyless');
          const { scope, origin, checkedAt } = series;
          return {
            ...{ endpoint, scope, origin },
            checkedAt: checkedAt === 0 ? undefined : new Date(checkedAt),
            coverage: coveredRanges.map(({ from, to, rows, checkedAt }) => ({
              from,
              to,
              rows,
              confirmedAt: new Date(checkedAt),
            })),
          };
        }),
      ),
    );
  }
  return lists.flat();
}
