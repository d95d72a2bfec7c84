import { needsKey } from '../contract/access.ts';
import type { CutBody } from '../contract/json/body.ts';
import { asJsonText } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import type { Client, ClientRequest, LiveReply } from './client.ts';
import { readAnswer, readMark } from './http/answer.ts';
import { requestOf, type WireRequest } from './http/request.ts';
import type { TimeBudget } from './http/retry.ts';
import { type ClientOptions, createWire, type Wire } from './http/wire.ts';
import { type CutReply, walkPages } from './pages.ts';
import { isEdgeHit } from './quota/rate-headers.ts';

export type { ClientOptions } from './http/wire.ts';

const EMPTY_CUT: CutBody = { envelope: {}, envelopeText: asJsonText('{}'), rows: [], isPartial: false };

export function createClient(options: ClientOptions): Client {
  return createClientOver(createWire(options));
}

/** A client over an open line; a missing key is refused before any request. @throws MacroError of kind `usage`. */
export function createClientOver(wire: Wire): Client {
  const { headerPrefix, secret } = wire;

  async function attempt(request: ClientRequest, made: WireRequest, time: TimeBudget): Promise<CutReply> {
    const { ifNoneMatch, signal, onSpent } = request;
    const { method, target } = made;
    const raw = await wire.exchange({ ...made, ifNoneMatch, signal, onSpent, time });
    const { status, headers } = raw;
    const isUnchanged = status === 304 && ifNoneMatch !== undefined;
    if (status !== 200 && !isUnchanged) throw wire.refusal(raw, target);
    const cut = status === 200 ? readAnswer(request.endpoint, request.args, raw) : EMPTY_CUT;
    const isPartial = cut.isPartial || headers.get(`${headerPrefix}-Mirror`)?.trim() === 'partial';
    const reply: LiveReply = {
      status: isUnchanged ? 304 : 200,
      body: asJsonText(isUnchanged ? '' : raw.text),
      etag: headers.get('etag') ?? (isUnchanged ? ifNoneMatch : undefined),
      request: `${method} ${target}`,
      synthetic: headers.get(`${headerPrefix}-Synthetic`)?.trim() === '1',
      ...(isPartial && { partial: readMark(cut.mark) }),
      edgeHit: isEdgeHit(headers, headerPrefix),
      notes: wire.newNotes(target, headers),
    };
    return { reply, cut };
  }

  async function askCut(request: ClientRequest): Promise<CutReply> {
    const { endpoint, args, extra, signal } = request;
    // Where the service has more to tell than that a key is needed, it is asked.
    if (!wire.hasKey && needsKey(endpoint.access, args) && !endpoint.refusal)
      throw wire.keyMissing(endpoint, args.currency);
    const made = requestOf(endpoint, args, extra);
    if (secret !== undefined && carries(request, secret)) throw keyInUrl();
    // A posted question is a read as well: asked twice it changes nothing, so it is tried again like any other.
    return wire.retrying((time) => attempt(request, made, time), signal);
  }

  return {
    service: wire.service,
    access: wire.access,
    ask: async (request) => (await askCut(request)).reply,
    pages: (request, resume) => walkPages(askCut, request, resume),
  };
}

function carries({ args, extra }: ClientRequest, secret: string): boolean {
  const values = [...Object.values(args).flat(), ...Object.values(extra ?? {})];
  return values.includes(secret);
}

/** The refusal of a request whose address would hold the key. */
export function keyInUrl(): MacroError {
  return new MacroError('usage', 'An argument is the API key itself; a key never stands in a URL.', {
    hint: 'Leave it out: the key is sent in a header by itself.',
  });
}
