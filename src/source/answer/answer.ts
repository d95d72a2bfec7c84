import type { SourceRange } from '../../contract/answer-members.ts';
import { contentSumOf } from '../../contract/content-sum.ts';
import type { Caller, CommonVintages, Composed, Envelope, MissingPart, ServiceLabels } from '../../contract/hooks.ts';
import { addMember, patchRow } from '../../contract/json/body.ts';
import { isJsonObject, type JsonObject, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import type { SpelledMember } from '../../contract/json/scan.ts';
import type { Signing } from '../../contract/signing.ts';
import type { Coverage } from '../../contract/time/coverage.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { SeriesChanges, Stamp, StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import { lastBy } from '../../mirror/rules/as-of/timeline.ts';
import { changedAt } from '../../mirror/rules/digest.ts';
import { questionText } from '../question.ts';
import type { StateReader } from '../reading.ts';
import type { BodyParts, Question } from '../source.ts';
import { digest, type Identity, questionDigest } from './inputs.ts';
import type { LeftOut, Visibility } from './keyless.ts';

/** Vintages of all sources of a series. */
export interface MergedVintages extends CommonVintages {
  readonly series: readonly StoredSeries[];
}

/** The rows of all sources of a series: each date has the row of the source that speaks for it. */
export interface Together {
  readonly coverage: Coverage;
  /** In answer order. */
  rows(): Promise<readonly StoredRow[]>;
  end(which: 'newest' | 'oldest'): Promise<StoredRow | undefined>;
}

/** The input of an answer from the mirror: one consistent state of it, the caller, the question and the time. */
export interface MirrorQuestion {
  readonly question: Question;
  readonly visible: Visibility;
  readonly caller: Caller;
  readonly hasKey?: boolean | undefined;
  readonly labels: ServiceLabels;
  readonly reader: MirrorReader;
  /** The mirror as it is now, whatever moment the question is put at. */
  readonly present: MirrorReader;
  /** The columns of the mirror as it is now. */
  readonly state: StateReader;
  /** `reader` leaves series out that the mirror has. */
  readonly isNarrowed?: boolean;
  /** When a series changed, where the moment of the question is that of the clock and moves with it: in a replay. */
  readonly changes?: ((series: StoredSeries) => Promise<SeriesChanges>) | undefined;
  readonly stamp: Stamp;
  /** Milliseconds. */
  readonly now: number;
  /** The real present in milliseconds: `now`, unless that is the moment of a replay. */
  readonly presentAt: number;
  /** The clock of the answer, in milliseconds: the moment of the past that it is put at, else now. */
  readonly clock: number;
  /** Set for a question of the past; `reader` then knows nothing later. */
  readonly asOf?: AsOf;
  readonly ifNoneMatch: string | undefined;
  /** No validator is worked out. */
  readonly once?: boolean | undefined;
  readonly signing?: Signing;
  /** One source alone answers. */
  readonly origin?: string | undefined;
  /** Set where several sources have the series and the question is about vintages. */
  readonly merged?: MergedVintages;
  /** Set where several sources have the series. */
  readonly together?: Together | undefined;
  readonly sha256?: ((text: string) => string) | undefined;
}

/** An answer of the mirror before it becomes a Reply. Without `texts` the caller's cached answer is still valid. */
export interface MirrorAnswer {
  readonly texts?: BodyParts;
  /** Undefined where the answer moves with the clock. */
  readonly etag: string | undefined;
  /** The inputs of all pages. */
  readonly identity: Identity;
  /** The version that the service gave these data. */
  readonly receivedVersion?: string | undefined;
  readonly rowsName?: Composed['rowsName'] | undefined;
  /** The texts are the service's own, as they came. */
  readonly isReceived?: boolean;
  readonly asOf: number;
  /** The uncovered parts that the answer needs. */
  readonly missingParts: readonly MissingPart[];
  readonly notes: readonly string[];
  /** How many periods of the window are left out, because no source proves their first print. */
  readonly unproven?: number;
  /** Who speaks for which dates, where there are several. */
  readonly sources?: readonly SourceRange[];
}

/** Where a page stands in its window. */
export interface PagePosition {
  readonly returned: number;
  readonly total: number;
  /** Undefined where the mirror cannot tell. */
  readonly includesLatest: boolean | undefined;
  /** Where in the answer the page ends; behind its own rows when left out. */
  readonly reached?: number;
}

/** The members beside the rows as they were last received, and how far they are what the service would send now. */
export interface Captured {
  readonly match: 'page' | 'question' | 'nothing';
  readonly stored: JsonObject;
  /** The same as it was spelled. */
  readonly text: JsonText;
  /** The version of the data that the service named, while it is that of this question. */
  readonly version: string | undefined;
  /** The arguments of the page that it was received with. */
  readonly place: string;
}

/** The series of an answer, the inputs of it, and how its page is cut from them. */
export interface ChosenSeries {
  readonly picked: readonly StoredSeries[];
  /** The inputs of the answer. */
  readonly state: readonly (string | number)[];
  /** Milliseconds. */
  readonly checkedAt: number;
  /** The members that were received beside the rows of the only series. */
  readonly captured: Captured | undefined;
  /** Series of the endpoint itself that have an envelope: an equal member is spelled as there. */
  readonly named: readonly StoredSeries[];
  /** Members of answers as they were spelled last: most are the same in all of them. */
  readonly spelled?: Map<string, SpelledMember>;
  /** Undefined when the series cannot answer. */
  cut(): Promise<Cut | undefined>;
}

/** The requested page of an answer, and the facts that its envelope is made of. */
export interface Cut extends Pick<BodyParts, 'rows' | 'names'>, LeftOut {
  readonly place: PagePosition;
  readonly missingParts: readonly MissingPart[];
  readonly envelope: Envelope;
  readonly notes?: Composed['notes'] | undefined;
  readonly sources?: Composed['sources'] | undefined;
  readonly rowsName?: Composed['rowsName'] | undefined;
  /** Rows hidden from the caller are among them: the received members would show them. */
  readonly isHidden?: boolean;
  readonly unproven?: number;
  /** The same with computed members and rows, where the endpoint has any. */
  derived?(): Promise<Cut>;
}

export function versionIdentity(ask: MirrorQuestion, state: readonly (string | number)[]): Identity {
  const { question, visible, caller, now, sha256, origin } = ask;
  const whole = origin === undefined ? state : [...state, `origin ${origin.toLowerCase()}`];
  return { endpoint: question.endpoint, args: visible.args, caller, cutoff: visible.cutoff, state: whole, now, sha256 };
}

/** The states of the series of an answer, and its moment. Equal mirrors have equal ones. `lists` are read as of now. */
export async function answerStateOf(
  ask: MirrorQuestion,
  series: readonly StoredSeries[],
  lists: readonly StoredSeries[] = [],
): Promise<readonly string[]> {
  const { asOf, question, visible } = ask;
  const past = asOf !== undefined || question.endpoint.tellsHistory?.(visible.args) === true;
  const delayedFrom = (visible.cutoff ?? Number.POSITIVE_INFINITY) * 1000;
  const states = [...series, ...lists].map((one) => {
    const { endpoint, scope, origin, state, chain } = one;
    // Whatever its address is, there is one service.
    const publisher = origin.startsWith('import:') ? origin : '';
    const name = JSON.stringify([endpoint, scope, publisher]);
    return past || changedAt(one) > delayedFrom ? `${name} ${chain} ${state}` : `${name} ${state}`;
  });
  return [...states.sort(), ...(asOf ? await momentState(ask, asOf, series) : [])];
}

/** A moment that was asked for, or the last changes before that of a replay, whose clock alone changes nothing. */
async function momentState(
  { changes, question }: MirrorQuestion,
  asOf: AsOf,
  series: readonly StoredSeries[],
): Promise<readonly string[]> {
  // Only pins have to last: for other answers whole histories would be read that nobody asked for.
  if (!changes || !question.endpoint.versioned) return [`as of ${asOf.at} ${asOf.by}`];
  const known = await Promise.all([...series].sort((a, b) => a.id - b.id).map(changes));
  return [`by the clock ${asOf.by}`, ...known.map(({ all }) => String(lastBy(all, asOf.at)))];
}

/**
 * The answer with the version of its data, where its endpoint has versions. That is the service's own word, else a digest
 * of the rows of all pages. Mirrors with equal answers give equal versions.
 * @throws MacroError of kind `incomplete` where the question is pinned to another version.
 */
export async function withVersion(
  ask: MirrorQuestion,
  answer: MirrorAnswer,
  answerOf: (ask: MirrorQuestion) => Promise<MirrorAnswer>,
): Promise<MirrorAnswer> {
  const { endpoint, args } = ask.question;
  const { texts, receivedVersion: received } = answer;
  const pin = typeof args.dataset_version === 'string' ? args.dataset_version : undefined;
  if (!endpoint.versioned || (pin === undefined && (!texts || answer.isReceived))) return answer;
  const isServices = received !== undefined && (pin === undefined || pin === received);
  const version = isServices ? received : await ownVersion(ask, answer, answerOf);
  if (pin !== undefined && pin !== version) throw otherVersion(pin, received ?? version);
  return texts && !answer.isReceived ? { ...answer, texts: { ...texts, envelope: versioned(texts, version) } } : answer;
}

async function ownVersion(
  ask: MirrorQuestion,
  answer: MirrorAnswer,
  answerOf: (ask: MirrorQuestion) => Promise<MirrorAnswer>,
): Promise<string> {
  if (answer.rowsName) return versionOf(ask, answer.rowsName());
  const make = async () => {
    // An answer that nothing changed is empty: it cannot say what its rows are.
    const shown = answer.texts ? answer : await answerOf({ ...ask, ifNoneMatch: undefined });
    const rows = shown.rowsName?.() ?? contentSumOf(await allRows(ask, shown, answerOf));
    return { version: versionOf(ask, rows) };
  };
  const name = `version ${questionDigest({ ...answer.identity, args: withoutPage(ask.visible.args) })}`;
  return (await ask.state.ofState(name, make)).version;
}

/** More rows than any window has. */
const ALL_ROWS = 1_000_000_000;

/** The rows of all pages: those of the page itself where an endpoint has no pages. */
async function allRows(
  ask: MirrorQuestion,
  { texts }: MirrorAnswer,
  answerOf: (ask: MirrorQuestion) => Promise<MirrorAnswer>,
): Promise<BodyParts['rows']> {
  const { question, visible } = ask;
  if (question.endpoint.paging.kind === 'none' && texts) return texts.rows;
  const page = { limit: ALL_ROWS, offset: 0, dataset_version: undefined };
  const whole = await answerOf({
    ...ask,
    ifNoneMatch: undefined,
    once: true,
    question: { ...question, args: { ...question.args, ...page } },
    visible: { ...visible, args: { ...visible.args, ...page } },
  });
  return whole.texts?.rows ?? [];
}

function withoutPage(args: MirrorQuestion['visible']['args']): MirrorQuestion['visible']['args'] {
  return { ...args, limit: undefined, offset: undefined, dataset_version: undefined };
}

function versionOf({ question, visible, caller, sha256 }: MirrorQuestion, rows: string): string {
  const access = caller.kind === 'keyless' ? 'keyless' : 'keyed';
  return digest([questionText(question.endpoint, visible.args, 'without paging'), access, rows], { sha256 });
}

/** Puts the version beside the rows, and into the `replay` member where there is one. */
function versioned({ envelope }: BodyParts, version: string): BodyParts['envelope'] {
  const own = toJsonText(version);
  if (!/"(?:replay|dataset_version)":/.test(envelope)) return addMember(envelope, 'dataset_version', own);
  const { replay } = parseObject(envelope);
  const replayed = isJsonObject(replay) && { replay: toJsonText({ ...replay, dataset_version: version }) };
  return patchRow(envelope, { dataset_version: own, ...replayed });
}

function otherVersion(requested: string, current: string): MacroError {
  return new MacroError('incomplete', 'dataset_version is no longer current.', {
    status: 409,
    code: 'dataset_version_mismatch',
    hint: 'Start the walk again without dataset_version.',
    extra: { requested_dataset_version: requested, current_dataset_version: current },
  });
}
