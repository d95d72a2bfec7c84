import type { Mirror, MirrorReader } from '../../mirror/api/mirror.ts';
import type { AccessTag, StoredSeries } from '../../mirror/api/series.ts';
import { withoutUndone } from '../../mirror/rules/as-of/undone.ts';
import { holesOf, selectStored } from '../answer/pick.ts';
import { visibilityOf } from '../answer/visibility.ts';
import { seriesOfQuestion, unkeptArguments } from '../question.ts';
import { type AskContext, type Question, resolveAlias } from '../source.ts';
import { coverageRulesOf, withWindow } from './coverage-rules.ts';
import { evidenceOf } from './evidence.ts';
import { releaseSince } from './releases-since.ts';

/** What the mirror could say to a question, without saying it. */
export interface Freshness {
  /** When what the answer would rest on was last proven, in milliseconds; undefined when some of it is not proven. */
  readonly provenAt: number | undefined;
  /** When the newest release came out that it may lack, by the calendars that are held; in milliseconds. */
  readonly releasedAt?: number;
}

/**
 * How the mirror stands to a question that the service would be asked under an access; undefined when it holds nothing for
 * it or cannot compute it.
 */
export async function freshnessOf(
  mirror: Mirror,
  subject: Question,
  context: AskContext & { readonly access: AccessTag },
): Promise<Freshness | undefined> {
  const question = resolveAlias(subject);
  const { endpoint, args, extra = {} } = question;
  if (Object.keys(extra).length > 0 || unkeptArguments(endpoint, args).length > 0) return undefined;
  if (!endpoint.mirror && !endpoint.compose) return undefined;
  const visible = visibilityOf(endpoint, args, context.caller, context.now);
  return mirror.snapshot(async (whole) => {
    const reader = withoutUndone(whole);
    const picked = await seriesFor(question, reader);
    if (picked.length === 0) return undefined;
    const vouching = coverageRulesOf(question, picked);
    const series = vouching?.series ?? picked;
    const ask = { question, visible: withWindow(visible, vouching?.window), reader, now: context.now };
    const found = await Promise.all(series.map((stored) => evidenceOf(ask, stored, context.access)));
    const proven = found.map((evidence) => evidence?.provenAt);
    if (!vouching || isMidWalk(question)) return { provenAt: undefined };
    const known = series.flatMap((stored, i) => {
      const moment = proven[i];
      return moment === undefined ? [] : [{ series: stored, provenAt: moment }];
    });
    if (known.length < proven.length) return { provenAt: undefined };
    const releasedAt = await releaseSince(reader, known, context);
    return {
      provenAt: Math.min(...known.map((one) => one.provenAt)),
      ...(releasedAt !== undefined && { releasedAt }),
    };
  });
}

/**
 * A position means something only to whoever handed it out, which may be the service; and of a sequence nobody can prove
 * that it has not gone on.
 */
function isMidWalk({ endpoint, args }: Question): boolean {
  return endpoint.paging.kind === 'sequence' || args.cursor !== undefined || args.checkpoint !== undefined;
}

async function seriesFor({ endpoint, args }: Question, reader: MirrorReader): Promise<readonly StoredSeries[]> {
  if (!endpoint.compose) return reader.find(seriesOfQuestion(endpoint, args));
  const { compose } = endpoint;
  if (compose.needs === 'all' && (await holesOf(reader, compose.reads(args))).length > 0) return [];
  return selectStored(reader, compose, args);
}
