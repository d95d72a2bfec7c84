import type { Endpoint, Write, WriteVerb } from '../../contract/endpoint.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { checkBody } from '../../contract/params/post.ts';
import { hinted, MacroError } from '../../errors.ts';
import type { RawReply } from './reply.ts';
import { targetOf } from './request.ts';
import type { TimeBudget } from './retry.ts';
import type { Wire, WireCall } from './wire.ts';

/** Something to be changed at the service. */
interface WriteRequest {
  readonly endpoint: Endpoint;
  readonly verb: WriteVerb;
  /** Arguments of the path. */
  readonly args: Args;
  readonly body?: JsonObject;
  readonly signal?: AbortSignal | undefined;
}

const LOOK_BEFORE = 'It may have been done anyway: check before you try again.';

const METHODS: Readonly<Record<WriteVerb, WireCall['method']>> = { post: 'POST', patch: 'PATCH', delete: 'DELETE' };

/** Sends a change and gives the answer, if any. Bodies are checked first; only idempotent changes are tried again. */
export async function write(wire: Wire, request: WriteRequest): Promise<JsonObject | undefined> {
  const { endpoint, verb, args, body, signal } = request;
  const operation = endpoint.writes?.[verb];
  if (!operation) throw new Error(`${endpoint.id} knows no ${verb}`);
  const sent = operation.body ? JSON.stringify(checkBody(operation.body, body)) : undefined;
  if (!wire.hasKey) throw wire.keyMissing(endpoint, undefined);
  const call: WireCall = {
    method: METHODS[verb],
    target: targetOf({ ...endpoint, query: {} }, args),
    body: sent,
    signal,
    changes: true,
  };
  let tries = 0;
  const attempt = async (time?: TimeBudget) => {
    tries += 1;
    const reply = await wire.exchange({ ...call, ...(time && { time }) });
    // An earlier try whose answer was lost has done it.
    if (verb === 'delete' && reply.status === 404 && tries > 1) return undefined;
    if (reply.status < 200 || reply.status > 299) throw wire.refusal(reply, call.target);
    return operation.answer ? readWritten(operation, call, reply) : undefined;
  };
  return operation.idempotent ? wire.retrying(attempt, signal) : wire.once(attempt, signal).catch(rethrowUnsure);
}

/** The answer, which may contain a secret: an error about it quotes none of it. */
function readWritten(operation: Write, { method, target }: WireCall, { text }: RawReply): JsonObject {
  const value = parseJson(text);
  const required = Array.isArray(operation.answer?.required) ? operation.answer.required.map(String) : [];
  const missing = isJsonObject(value) ? required.filter((name) => value[name] === undefined) : required;
  if (isJsonObject(value) && missing.length === 0) return value;
  const missingPart = isJsonObject(value) ? `lacks ${missing.join(', ')}` : 'is no JSON object';
  throw new MacroError('protocol', `The answer to ${method} ${target} ${missingPart}.`, {
    code: 'unexpected_answer',
    hint: LOOK_BEFORE,
  });
}

/** Where the answer was lost, nobody knows whether it was done. */
function rethrowUnsure(error: unknown): never {
  if (!(error instanceof MacroError) || error.kind !== 'upstream') throw error;
  throw hinted(error, LOOK_BEFORE);
}
