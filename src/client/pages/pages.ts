import type { Endpoint } from '../../contract/endpoint.ts';
import type { CutBody } from '../../contract/json/body.ts';
import type { JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import type { ClientRequest, LivePage, LiveReply } from '../client.ts';
import { judgePositions } from './cursor-pages.ts';
import { judgeOffsets } from './offset-pages.ts';
import { protocolViolation, snapshotChanged } from './protocol-violation.ts';
import { createRepeatGuard } from './repeats.ts';
import { type Judge, paginationIn } from './step.ts';

/** A reply with its body cut; a 304 has an empty one. */
export interface CutReply {
  readonly reply: LiveReply;
  readonly cut: CutBody;
}

/**
 * Walk: ask for a page; compare it with the pages before it; hand it on; ask for the next one with the position that it
 * named, and with the `dataset_version` of the first page where the endpoint has one, so that the service itself refuses
 * a history that changed in between. A validator belongs to the first page only. This is no generator: the frame of one
 * would hold the page that it handed on, and a sync has thousands of walks open.
 */
export function walkPages(
  ask: (request: ClientRequest) => Promise<CutReply>,
  request: ClientRequest,
  resume: { readonly offset: number; readonly total: number | undefined } | undefined,
): AsyncIterable<LivePage> {
  const { endpoint } = request;
  const judge = judgeOf(endpoint, resume?.total);
  const checkRepeats = createRepeatGuard(endpoint);
  const pin = createPin(endpoint);
  let coming: ClientRequest | undefined =
    resume && endpoint.paging.kind === 'offset' ? at(request, { offset: resume.offset }) : request;

  async function next(): Promise<IteratorResult<LivePage, undefined>> {
    const request = coming;
    coming = undefined;
    if (!request) return { done: true, value: undefined };
    const { reply, cut } = await ask(request);
    if (reply.status === 304)
      return { value: { ...reply, cut, pagination: undefined, offset: 0, next: undefined, total: undefined } };
    checkRepeats(cut);
    const pinned = pin(cut.envelope);
    const { next: further, ...place } = judge(cut, request.args);
    const { ifNoneMatch: _, ...rest } = request;
    coming = further && at(rest, { ...further.args, ...pinned });
    return { value: { ...reply, cut, ...place, next: further?.text } };
  }

  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function at(request: ClientRequest, args: Args): ClientRequest {
  return { ...request, args: { ...request.args, ...args } };
}

function judgeOf(endpoint: Endpoint, total: number | undefined): Judge {
  const { kind } = endpoint.paging;
  if (kind === 'offset') return judgeOffsets(endpoint, total);
  if (kind !== 'none') return judgePositions(endpoint, kind);
  return (cut) => {
    const pagination = paginationIn(cut.envelope);
    if (pagination?.has_more)
      throw protocolViolation(endpoint, 'an answer that has no pages says that there are more rows');
    return { pagination, offset: 0, total: undefined, next: undefined };
  };
}

/**
 * Remembers the version of the first page; every later page must carry the same one, where it carries any. A version of
 * another form than the service accepts is compared and never sent.
 */
function createPin(endpoint: Endpoint): (envelope: JsonObject) => Args {
  let version: string | undefined;
  return ({ dataset_version: pageVersion }) => {
    if (endpoint.versioned && typeof pageVersion === 'string') {
      if (version !== undefined && pageVersion !== version)
        throw snapshotChanged(endpoint, 'the dataset version is another one');
      version = pageVersion;
    }
    return version !== undefined && /^[0-9a-f]{64}$/.test(version) ? { dataset_version: version } : {};
  };
}
