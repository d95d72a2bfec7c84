import type { FurtherPages } from '../../contract/hooks.ts';
import type { Coverage } from '../../contract/time/coverage.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { type MirrorAnswer, type MirrorQuestion, versionIdentity } from './answer.ts';
import { type Identity, questionParts } from './inputs.ts';
import type { BodyPieces } from './made-page.ts';
import { createPageMaker, type MakerParts } from './page-maker.ts';

/** A series that an answer was made of, and what of it is covered. */
export interface BasisSeries {
  readonly series: StoredSeries;
  readonly coverage: Coverage;
}

/** Bytes of what a maker holds, for each byte of the rows that it can show; whoever serves it counts a little more. */
const BYTES_PER_BYTE = 1.25;

/**
 * The name of a maker: the question without its place, the generations behind it, what is covered of them, and which envelopes
 * were stored. A commit to another series changes none of these.
 */
export function nameOfMaker({ makers }: MirrorQuestion, identity: Identity, basis: readonly BasisSeries[]): string {
  if (!makers) return '';
  const states = basis.map(({ series, coverage }) => [
    ...[series.id, series.generation, series.checkedAt, series.envelope?.commit, series.envelope?.inputs],
    coverage,
  ]);
  return JSON.stringify([questionParts(identity), states]);
}

/**
 * The identity of a question, for the name of its maker. Questions of the past that see the same rows have one in common:
 * `since` (milliseconds) is when these last changed.
 */
export function identityOfMaker(
  ask: MirrorQuestion,
  state: readonly (string | number)[],
  since: number | undefined,
): Identity {
  const identity = versionIdentity(ask, state);
  if (!ask.asOf) return identity;
  const { as_of: argument, ...args } = identity.args;
  const by = `${argument === undefined ? 'put' : 'asked'} of the past ${ask.asOf.by}`;
  return { ...identity, args, state: [...state, by, String(since)] };
}

/** What pages of a moment of the past are made of, besides their rows. */
export interface MomentParts extends Omit<MakerParts, 'pages'> {
  readonly version: string | undefined;
}

/** The asked page, where a maker is known that makes it. */
export function makeKnown(ask: MirrorQuestion, name: string, parts?: MomentParts): Made | undefined {
  const { limit, offset } = ask.visible.args;
  if (!ask.makers || typeof limit !== 'number' || typeof offset !== 'number') return undefined;
  const pages = ask.asOf ? makerOfThen(ask, name, parts) : ask.makers.pages.get(name);
  const page = pages && Math.floor(ask.now / 1000) < pages.until ? pages.make({ limit, offset }) : undefined;
  if (!pages || !page) return undefined;
  return { body: undefined, pieces: page.parts, pages: ask.asOf ? undefined : pages };
}

/** Pages of the question's moment, with the rows that were kept for another one and nothing else of it. */
function makerOfThen(ask: MirrorQuestion, name: string, parts: MomentParts | undefined) {
  const { as_of: moment } = ask.visible.args;
  const pages =
    parts &&
    ask.makers?.pastPages.get(name)?.at?.({
      as_of: typeof moment === 'number' ? moment : undefined,
      now: Math.floor(ask.clock / 1000),
      datasetVersion: parts.version,
    });
  return pages && createPageMaker(ask, { ...parts, pages });
}

interface Made extends Pick<MirrorAnswer, 'body' | 'pages'> {
  readonly pieces: BodyPieces;
}

/** Keeps a maker for questions that come after a commit to another series. */
export function keepMaker(
  ask: MirrorQuestion,
  name: string,
  { body, pages, further }: Pick<MirrorAnswer, 'body' | 'pages'> & { readonly further: FurtherPages | undefined },
): void {
  const { makers, visible, asOf } = ask;
  if (!makers || !further || body === undefined) return;
  const { total, reach = total, heldBytes = 0 } = further;
  const rows = Math.max(1, Math.min(Number(visible.args.limit), total));
  const bytes = (body.length / rows) * reach * BYTES_PER_BYTE + heldBytes;
  if (asOf && further.at) makers.pastPages.put(name, further, bytes);
  if (!asOf && pages) makers.pages.put(name, pages, bytes);
}
