import type { SourceRange } from '../../contract/answer-members.ts';
import type { Caller, CommonVintages, MissingPart, ServiceLabels } from '../../contract/hooks.ts';
import type { Signing } from '../../contract/signing.ts';
import type { AsOf } from '../../contract/time/moments.ts';
import { MacroError } from '../../errors.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { SeriesChanges, Stamp, StoredSeries } from '../../mirror/api/series.ts';
import { changedAt, rowsOfState } from '../../mirror/rules/digest.ts';
import type { StateReader } from '../reading.ts';
import type { BodyParts, Question } from '../source.ts';
import { datasetVersionOf, type Identity } from './inputs.ts';
import type { Visibility } from './keyless.ts';

/** Vintages of all sources of a series. */
export interface MergedVintages extends CommonVintages {
  readonly series: readonly StoredSeries[];
}

/**
 * The input of both ways of answering from the mirror: one consistent state of it, the caller, the question and the
 * time.
 */
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
  readonly sha256?: ((text: string) => string) | undefined;
}

/** An answer of the mirror before it becomes a Reply. Without `texts` the caller's cached answer is still valid. */
export interface MirrorAnswer {
  readonly texts?: BodyParts;
  /** Undefined where the answer moves with the clock. */
  readonly etag: string | undefined;
  readonly asOf: number;
  /** The uncovered parts that the answer needs. */
  readonly missingParts: readonly MissingPart[];
  readonly notes: readonly string[];
  /** How many periods of the window are left out, because no source proves their first print. */
  readonly unproven?: number;
  /** Who speaks for which dates, where there are several. */
  readonly sources?: readonly SourceRange[];
}

export function versionIdentity(ask: MirrorQuestion, state: readonly (string | number)[]): Identity {
  const { question, visible, caller, now, sha256, origin } = ask;
  const whole = origin === undefined ? state : [...state, `origin ${origin.toLowerCase()}`];
  return { endpoint: question.endpoint, args: visible.args, caller, cutoff: visible.cutoff, state: whole, now, sha256 };
}

/**
 * Checks a pin and gives the member that answers carry; nothing where the endpoint has no versions.
 * @throws MacroError of kind `incomplete`.
 */
export function pinnedVersion(ask: MirrorQuestion, identity: Identity, stored?: string): { dataset_version?: string } {
  const { endpoint, args } = ask.question;
  if (!endpoint.versioned) return {};
  const current = stored ?? datasetVersionOf(identity);
  const requestedVersion = args.dataset_version;
  if (typeof requestedVersion === 'string' && requestedVersion !== current)
    throw new MacroError('incomplete', 'dataset_version is no longer current.', {
      status: 409,
      code: 'dataset_version_mismatch',
      hint: 'Start the walk again without dataset_version.',
      extra: { requested_dataset_version: requestedVersion, current_dataset_version: current },
    });
  return { dataset_version: current };
}

/** The inputs of the rows and of the whole answer. Equal in any two mirrors where these are. */
export interface AnswerState {
  readonly rows: readonly string[];
  readonly whole: readonly string[];
}

/** The states of the series of an answer, in order, with what the mirror saw when, where the answer tells it. */
export function answerStateOf(ask: MirrorQuestion, series: readonly StoredSeries[]): AnswerState {
  const { asOf, question, visible } = ask;
  const past = asOf !== undefined || question.endpoint.tellsHistory?.(visible.args) === true;
  const delayedFrom = (visible.cutoff ?? Number.POSITIVE_INFINITY) * 1000;
  const states = series.map((one) => {
    const { endpoint, scope, origin, state, history } = one;
    // Whatever its address is, there is one service.
    const publisher = origin.startsWith('import:') ? origin : '';
    const name = JSON.stringify([endpoint, scope, publisher]);
    const rows = past || changedAt(one) > delayedFrom ? `${name} ${history}` : `${name} ${rowsOfState(state)}`;
    return { rows, whole: `${rows} ${state}` };
  });
  return { rows: states.map(({ rows }) => rows).sort(), whole: states.map(({ whole }) => whole).sort() };
}
