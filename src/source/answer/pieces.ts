/** An answer of several series, each of which speaks for a part of the window. */
import type { SourceRange } from '../../contract/answer-members.ts';
import type { Envelope, MissingPart } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { notMirrored } from '../not-mirrored.ts';
import { answerStateOf, type MirrorAnswer, type MirrorQuestion, versionIdentity } from './answer.ts';
import { paginationMember } from './envelope.ts';
import { etagOf } from './inputs.ts';
import type { Speaker } from './speakers.ts';

/** The answer of one series for its part of the window. */
interface Piece {
  readonly speaker: Speaker;
  readonly answer: MirrorAnswer;
  readonly envelope: JsonObject;
  readonly envelopeText: JsonText;
  /** The rows of the asked page. */
  readonly rows: readonly JsonText[];
  /** The number of rows of its part. */
  readonly total: number;
}

type AnswerOne = (ask: MirrorQuestion, speaker: Speaker) => Promise<MirrorAnswer>;

/**
 * Each series answers its part of the window alone, so that nothing is computed across a seam. The first part's
 * envelope counts anew.
 */
export async function answerInPieces(
  ask: MirrorQuestion,
  speakers: readonly Speaker[],
  answerOne: AnswerOne,
): Promise<MirrorAnswer> {
  const { question, visible } = ask;
  const { endpoint } = question;
  const all = speakers.flatMap((speaker) => [speaker.series, ...(speaker.merged?.series ?? [])]);
  const series = [...new Map(all.map((one) => [one.id, one])).values()];
  const seams = speakers.map(({ series: { origin }, from }) => `${origin} ${from}`);
  const identity = versionIdentity(ask, [...(await answerStateOf(ask, series)), ...seams]);
  const etag = ask.once ? undefined : etagOf(identity);
  const [limit, offset] = [Number(visible.args.limit), Number(visible.args.offset)];
  const pieces: Piece[] = [];
  let [before, taken] = [0, 0];
  for (const speaker of speakers) {
    const page = { limit: limit - taken, offset: Math.max(0, offset - before) };
    const piece = await pieceOf(ask, speaker, { ...page, answerOne });
    pieces.push(piece);
    before += piece.total;
    taken += piece.rows.length;
  }
  const shown = pieces.filter(({ total }) => total > 0);
  const lead = shown[0] ?? pieces[0];
  if (!lead) throw notMirrored(question);
  const place = { returned: taken, total: before, includesLatest: latestIn(shown, offset) };
  const envelope = patchRow(lead.envelopeText, {
    ...textsOf(togetherOf(shown, visible.args)),
    ...textsOf(paginationMember(endpoint, visible.args, place)),
  });
  const missed = pieces.flatMap(({ answer }, place) =>
    answer.missingParts.filter((missingPart) => isMissed(missingPart, place === pieces.length - 1)),
  );
  return {
    etag: missed.length > 0 ? undefined : etag,
    identity,
    asOf: Math.min(...pieces.map(({ answer }) => answer.asOf)),
    missingParts: missed,
    notes: [...new Set(shown.flatMap(({ answer }) => answer.notes))],
    unproven: pieces.reduce((sum, { answer }) => sum + (answer.unproven ?? 0), 0),
    texts: { envelope, rows: shown.flatMap(({ rows }) => rows) },
    sources: shown.map(({ speaker: { series: one, from, to } }): SourceRange => ({ origin: one.origin, from, to })),
  };
}

async function pieceOf(
  ask: MirrorQuestion,
  speaker: Speaker,
  { limit, offset, answerOne }: { readonly limit: number; readonly offset: number; readonly answerOne: AnswerOne },
): Promise<Piece> {
  const { question, visible } = ask;
  // A part from which no row is shown is asked for its count.
  const page = { limit: Math.max(1, limit), offset: limit > 0 ? offset : 0, dataset_version: undefined };
  const part = { start_date: speaker.from, end_date: speaker.to, ...page };
  const { ifNoneMatch: _, ...others } = ask;
  const answer = await answerOne(
    {
      ...others,
      ifNoneMatch: undefined,
      once: true,
      question: { ...question, args: { ...question.args, ...part } },
      visible: { ...visible, args: { ...visible.args, ...part } },
    },
    speaker,
  );
  const { envelope: envelopeText = asJsonText('{}'), rows: all = [] } = answer.texts ?? {};
  const envelope = parseObject(envelopeText);
  // The newest row before an empty window stands for none of its own.
  const [first, further] = all;
  const isInstead = first !== undefined && !further && parseObject(first).outside_requested_window === true;
  const { pagination } = envelope;
  const total = isInstead || !isJsonObject(pagination) ? 0 : Number(pagination.total_count);
  return { speaker, answer, envelope, envelopeText, rows: isInstead || limit <= 0 ? [] : [...all], total };
}

/** Behind a seam a member that compares has nothing to compare with: no file will bring it. */
function isMissed({ range }: MissingPart, isOldest: boolean): boolean {
  return isOldest || range?.for === undefined;
}

function latestIn([newest]: readonly Piece[], offset: number): boolean | undefined {
  const { pagination } = newest?.envelope ?? {};
  if (offset > 0) return false;
  return isJsonObject(pagination) && typeof pagination.page_includes_latest_available === 'boolean'
    ? pagination.page_includes_latest_available
    : undefined;
}

/** Members that speak of the whole window, out of those of its parts. */
function togetherOf(pieces: readonly Piece[], args: MirrorQuestion['visible']['args']): Envelope {
  const envelopes = pieces.map(({ envelope }) => envelope);
  const [first, last] = [envelopes[0] ?? {}, envelopes.at(-1) ?? {}];
  const has = (name: string) => envelopes.some((envelope) => envelope[name] !== undefined);
  return {
    ...(has('requested_start_date') && { requested_start_date: args.start_date, requested_end_date: args.end_date }),
    ...(has('start_date') && { start_date: last.start_date ?? args.start_date }),
    ...(has('end_date') && { end_date: first.end_date ?? args.end_date }),
    ...(has('earliest_available_date') && { earliest_available_date: last.earliest_available_date }),
    ...(has('data_quality') && { data_quality: qualityOf(envelopes.map(({ data_quality: quality }) => quality)) }),
  };
}

/** Counts are added, a mark of any part is one of the whole, and who publishes is named once. */
function qualityOf(parts: readonly unknown[]): JsonObject {
  const qualities = parts.filter((part): part is JsonObject => isJsonObject(part as JsonObject));
  const [first = {}] = qualities;
  const valuesOf = (name: string) => qualities.map((quality) => quality[name]);
  const joined = Object.keys(Object.assign({}, ...qualities)).map((name) => {
    const values = valuesOf(name);
    if (name.endsWith('_count')) return [name, values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0)];
    if (name === 'is_official' || name === 'point_in_time_safe') return [name, values.every((value) => value === true)];
    if (ANY.has(name)) return [name, values.includes(true)];
    if (name === 'source_type') return [name, new Set(values).size > 1 ? 'mixed' : first[name]];
    if (name === 'source_name') return [name, [...new Set(values)].join(', ')];
    return [name, first[name]];
  });
  return Object.fromEntries(joined.filter(([, value]) => value !== undefined));
}

const ANY: ReadonlySet<string> = new Set([
  'is_proxy',
  'is_fallback',
  'is_derived',
  'has_announcement_datetime',
  'has_assumed_release_times',
  'requested_window_has_data',
]);

function textsOf(members: Envelope): Readonly<Record<string, JsonText | undefined>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value === undefined ? undefined : toJsonText(value)]),
  );
}
