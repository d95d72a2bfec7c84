import type { Endpoint } from '../../contract/endpoint.ts';
import type { Envelope, FurtherPages } from '../../contract/hooks.ts';
import { toJsonText } from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import { questionText } from '../question.ts';
import type { MirrorQuestion } from './answer.ts';
import type { Captured } from './captured.ts';
import { paginationMember } from './envelope.ts';
import { etagOfPage, type Identity, questionDigest } from './inputs.ts';
import type { MadePage, PageMaker, PagePlace } from './made-page.ts';

const DAY_SECONDS = 86_400;

export interface MakerParts {
  readonly pages: FurtherPages | undefined;
  readonly identity: Identity;
  readonly captured: Captured | undefined;
  /** All members beside the rows, without those of the place. */
  readonly members: (envelope: Envelope) => Envelope;
  /** Texts whose spelling members keep. */
  readonly spellings: readonly string[];
}

/** Undefined where pages depend on more than their rows and their place. */
export function createPageMaker(ask: MirrorQuestion, parts: MakerParts): PageMaker | undefined {
  const { endpoint } = ask.question;
  const { identity, captured } = parts;
  const { body } = endpoint;
  if (!parts.pages || body.kind !== 'list' || endpoint.paging.kind !== 'offset') return undefined;
  if (ask.caller.kind === 'keyless') return undefined;
  let digested: string | undefined;
  const headOf = headMaker(parts);
  const rowsMember = `,${JSON.stringify(body.member)}:[`;
  const isReceived = receivedPage(endpoint, ask, captured);
  const pages = parts.pages;
  const { total, until = Number.POSITIVE_INFINITY } = pages;
  const dayEnd = (Math.floor(ask.now / 1000 / DAY_SECONDS) + 1) * DAY_SECONDS;

  function make({ limit, offset }: PagePlace): MadePage | undefined {
    if (offset >= total || isReceived({ limit, offset })) return undefined;
    const page = pages.page(offset, limit);
    if (!page) return undefined;
    const end = Math.min(offset + limit, total);
    const place = { returned: end - offset, total, includesLatest: page.includesLatest };
    const { pagination } = paginationMember(endpoint, { limit, offset }, place);
    const rows = page.rows.between(offset, end);
    return {
      // Whoever answers anew has the validator already.
      get etag() {
        digested ??= questionDigest(identity);
        return etagOfPage(digested, { limit, offset });
      },
      parts: [`{${headOf(page.envelope)}"pagination":${toJsonText(pagination)}${rowsMember}`, ...rows, ']}'],
    };
  }

  return { make, until: Math.min(until, dayEnd), total, reach: pages.reach ?? total };
}

/** The members that pages share, as text, once for each envelope. */
function headMaker({ members, spellings }: MakerParts) {
  const heads = new WeakMap<Envelope, string>();
  return (envelope: Envelope): string => {
    const known = heads.get(envelope);
    if (known !== undefined) return known;
    const inner = spelledLike(members(envelope), spellings).slice(1, -1);
    const head = inner === '' ? '' : `${inner},`;
    heads.set(envelope, head);
    return head;
  };
}

/** Tells the page that was received just so: it is served as it came. */
function receivedPage(endpoint: Endpoint, { question }: MirrorQuestion, captured: Captured | undefined) {
  if (!captured || captured.match === 'nothing') return () => false;
  const { place } = captured;
  return (at: PagePlace) => questionText(endpoint, { ...question.args, ...at }, 'paging only') === place;
}
