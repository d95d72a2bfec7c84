import type { Endpoint } from '../../contract/endpoint.ts';
import type { Envelope } from '../../contract/hooks.ts';
import { type BodyShape, spliceBody } from '../../contract/json/body.ts';
import { asJsonText, isJsonObject, type JsonObject, type JsonText, readJson } from '../../contract/json/json.ts';
import { type Spelling, spellingIn } from '../../contract/json/scan.ts';
import type { Args } from '../../contract/params/param.ts';
import { markedBody } from '../../coverage/partial-mark.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { rowsOfState } from '../../mirror/rules/digest.ts';
import type { BodyParts } from '../source.ts';
import type { Captured, MirrorQuestion, PagePosition } from './answer.ts';
import { captureAccesses, captureInputs, inputsMatch } from './inputs.ts';

/** A reply with the body that some parts stand for, which is put together when somebody wants it whole. */
export function withParts<T extends object>(reply: T, shape: BodyShape, parts: BodyParts) {
  let body: JsonText | undefined;
  return {
    ...reply,
    parts,
    get body() {
      body ??= joinParts(shape, parts);
      return body;
    },
  };
}

export function joinParts(shape: BodyShape, { envelope, rows, names, mark }: BodyParts): JsonText {
  const body = spliceBody(shape, envelope, rows, names);
  return mark ? markedBody(body, mark) : body;
}

/** The seven-field pagination of docs/interface.md#pages; nothing where the endpoint is not paged by offset. */
export function paginationMember(endpoint: Endpoint, args: Args, place: PagePosition): Envelope {
  if (endpoint.paging.kind !== 'offset') return {};
  const limit = Number(args.limit);
  const offset = Number(args.offset);
  const reached = place.reached ?? offset + place.returned;
  const more = place.returned > 0 && reached < place.total;
  return {
    pagination: {
      limit,
      offset,
      returned_count: place.returned,
      total_count: place.total,
      has_more: more,
      ...(more && { next_offset: reached }),
      ...(endpoint.paging.marksLatest &&
        place.includesLatest !== undefined && { page_includes_latest_available: place.includesLatest }),
    },
  };
}

/** The arguments that the endpoint repeats beside its rows. */
export function echoOf(endpoint: Endpoint, args: Args): Envelope {
  return Object.fromEntries((endpoint.echo ?? []).map((name) => [name, args[name]]));
}

/** True when a stored envelope counts what the mirror would answer; an excerpt or older one does not. */
export function describes(stored: JsonObject, place: PagePosition): boolean {
  const { pagination, data_quality: quality, count } = stored;
  const agrees = (stated: unknown, real: number) => typeof stated !== 'number' || stated === real;
  return (
    agrees(isJsonObject(pagination) ? pagination.total_count : undefined, place.total) &&
    agrees(isJsonObject(pagination) ? pagination.returned_count : undefined, place.returned) &&
    agrees(isJsonObject(quality) ? quality.row_count : undefined, place.total) &&
    agrees(count, place.returned)
  );
}

/** The envelope without some members. */
export function without(envelope: Envelope, names: readonly string[]): Envelope {
  if (!names.some((name) => Object.hasOwn(envelope, name))) return envelope;
  return Object.fromEntries(Object.entries(envelope).filter(([name]) => !names.includes(name)));
}

export function capturedOf(ask: MirrorQuestion, series: StoredSeries): Captured {
  const match = matchOf(ask, series);
  const text = series.envelope?.text ?? asJsonText('{}');
  const stored = membersOf(ask, series);
  const named = match !== 'nothing' && typeof stored.dataset_version === 'string' ? stored.dataset_version : undefined;
  const inputs = series.envelope?.inputs ?? '';
  return { match, stored, text, version: named, place: inputs.slice(inputs.lastIndexOf(' ') + 1) };
}

function matchOf({ question, caller, now }: MirrorQuestion, series: StoredSeries): Captured['match'] {
  const envelope = series.envelope;
  // For a question about the past nothing was captured: its series name no inputs.
  if (!envelope || envelope.inputs === '' || envelope.rows !== rowsOfState(series.state)) return 'nothing';
  // The capture was asked with the arguments as they were, not with the clipped window.
  const matches = captureAccesses(question.endpoint, caller).map((access) =>
    inputsMatch(envelope.inputs, captureInputs(question.endpoint, question.args, access, now)),
  );
  return matches.find((m) => m === 'page') ?? matches.find((m) => m === 'question') ?? 'nothing';
}

/** How these are spelled: that of one answer is the same in the next. */
export function spellingOf(ask: MirrorQuestion, series: StoredSeries): Spelling {
  const { text = '{}' } = series.envelope ?? {};
  const make = () => spellingIn(text, membersOf(ask, series));
  if (ask.asOf) return make();
  return ask.state.column([series], 'spelling', make);
}

/** The members beside the rows, as last received: read once, where they are not cut for a moment of the past. */
export function membersOf({ asOf, state }: MirrorQuestion, series: StoredSeries): JsonObject {
  const { text = '{}' } = series.envelope ?? {};
  const make = () => readJson<JsonObject>(text);
  if (asOf) return make();
  return state.column([series], 'envelope', make);
}
