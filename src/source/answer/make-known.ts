import { asJsonText } from '../../contract/json/json.ts';
import type { Coverage } from '../../contract/time/coverage.ts';
import type { StoredSeries } from '../../mirror/api/mirror.ts';
import type { MirrorAnswer, MirrorQuestion } from './answer.ts';
import { type Identity, questionDigest } from './inputs.ts';

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
  return JSON.stringify([questionDigest(identity), states]);
}

/** The asked page, where a maker is known that makes it. */
export function makeKnown({ makers, visible, now }: MirrorQuestion, name: string): Made | undefined {
  const { limit, offset } = visible.args;
  if (!makers || typeof limit !== 'number' || typeof offset !== 'number') return undefined;
  const pages = makers.pages.get(name);
  const page = pages && Math.floor(now / 1000) < pages.until ? pages.make({ limit, offset }) : undefined;
  if (!pages || !page) return undefined;
  const texts = page.parts.map((part) => (typeof part === 'string' ? part : decoder.decode(part)));
  return { body: asJsonText(texts.join('')), pages };
}

type Made = Required<Pick<MirrorAnswer, 'pages'>> & { readonly body: NonNullable<MirrorAnswer['body']> };

const decoder = new TextDecoder();

/** Keeps a maker for questions that come after a commit to another series. */
export function keepMaker(
  ask: MirrorQuestion,
  name: string,
  { body, pages }: Pick<MirrorAnswer, 'body' | 'pages'>,
): void {
  const { makers, visible } = ask;
  if (!makers || !pages || body === undefined) return;
  const rows = Math.max(1, Math.min(Number(visible.args.limit), pages.total));
  makers.pages.put(name, pages, (body.length / rows) * pages.reach * BYTES_PER_BYTE);
}
