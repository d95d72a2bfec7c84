/** What stands around rows that were put together of several answers: who answered, how old they are, what is missing. */
import { MARK_MEMBER } from '../../../contract/json/body.ts';
import type { Shortfall } from '../../../source/coverage/shortfall.ts';
import type { Question, Reply } from '../../../source/source.ts';
import type { Listing } from '../../print/listing.ts';
import { checkedAgo, checkedAt, partialTitle } from '../../print/listing-view.ts';

export interface ViewedPart {
  readonly parsed: { readonly question: Question };
  readonly reply: Reply | undefined;
  readonly imported: boolean;
}

export interface PartsView {
  /** Parts of the title behind the subject. */
  readonly title: readonly string[];
  /** The same for a picture. */
  readonly lasting: readonly string[];
  /** The mark beside the rows. */
  readonly beside: Readonly<Record<string, unknown>>;
  readonly facts: NonNullable<Listing['facts']>;
}

/** The oldest answer speaks for the age of all. */
export function partsView(
  parts: readonly ViewedPart[],
  { sources, shortfall, now }: { sources: readonly unknown[]; shortfall: Shortfall | undefined; now: number },
): PartsView {
  const named = [...new Set(sources.filter((name) => typeof name === 'string' && name !== ''))].map(String);
  const shown = named.slice(0, MAX_SOURCES);
  const facts = parts.flatMap(({ parsed: { question }, reply, imported }) =>
    reply ? [{ reply, now, question, imported }] : [],
  );
  const oldest = facts.toSorted((a, b) => ageRank(a.reply) - ageRank(b.reply))[0];
  const by = shown.length > 0 ? [`${shown.join(', ')}${named.length > shown.length ? ' and others' : ''}`] : [];
  return {
    title: [...by, ...(oldest ? [checkedAgo(oldest)] : []), ...partialTitle(shortfall)],
    lasting: [...by, ...(oldest ? [checkedAt(oldest)] : []), ...partialTitle(shortfall)],
    beside: shortfall ? { [MARK_MEMBER]: shortfall.mark } : {},
    facts: {
      nature: facts.some(({ reply }) => reply.synthetic) ? 'synthetic' : 'real',
      answered_by: oldest?.reply.from ?? 'mirror',
      ...(shortfall && { mirror: JSON.stringify(shortfall.mark) }),
    },
  };
}

const MAX_SOURCES = 2;

/** What the mirror says is older than what the service says. */
function ageRank({ from, asOf }: Reply): number {
  return from === 'live' ? Number.POSITIVE_INFINITY : asOf;
}
