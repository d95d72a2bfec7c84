import type { SourceRange } from '../contract/answer-members.ts';
import { unmetDemand } from '../contract/endpoint.ts';
import type { ServiceLabels } from '../contract/hooks.ts';
import { asJsonText, objectIn, readJson, toJsonText } from '../contract/json/json.ts';
import { memberSpans, memberTexts } from '../contract/json/scan.ts';
import type { Args } from '../contract/params/params.ts';
import type { OpenSigning } from '../contract/signing.ts';
import type { AsOf, Availability } from '../contract/time/moments.ts';
import { firstUncovered } from '../coverage/partial-mark.ts';
import { loadEndpoint } from '../endpoints/find.ts';
import { MacroError } from '../errors.ts';
import { withoutUndone } from '../mirror/rules/as-of/undone.ts';
import { type MirrorAnswer, type MirrorQuestion, withVersion } from './answer/answer.ts';
import { answerFromMirror } from './answer/answer-from-mirror.ts';
import { joinParts, withParts } from './answer/envelope.ts';
import { visibilityOf } from './answer/keyless.ts';
import type { Columns } from './columns.ts';
import { type NamedMirror, originReader, ownReader } from './named-service.ts';
import { notMirrored } from './not-mirrored.ts';
import { unkeptArguments } from './question.ts';
import { partialOf, withEndpoint } from './read-coverage.ts';
import { createReading } from './reading.ts';
import { inServedSpelling } from './served-spelling.ts';
import { type AskContext, type BodyParts, type Question, type Reply, resolveAlias, type Source } from './source.ts';
import { goneTimes } from './watched-times.ts';

export interface MirrorSourceOptions extends NamedMirror {
  readonly labels: ServiceLabels;
  /** Keys that computed answers are signed with, where the service signs them; without keys they stay unsigned. */
  readonly signing?: OpenSigning;
  /** The cache of series for further questions; left out by callers that ask once. */
  readonly columns?: Columns;
  /** Hexadecimal SHA-256 of a text, from whoever has it loaded. */
  readonly sha256?: (text: string) => string;
  /** Called with the time (Unix seconds) since which events were not watched and are missing. */
  readonly onUncovered?: ((from: number, now: number) => Promise<void>) | undefined;
}

/** The mirror as a source: the answers of the service, from stored rows. */
export function createMirrorSource(options: MirrorSourceOptions): Source {
  const { mirror, labels, signing, onUncovered, columns, sha256 } = options;
  const readServed = createReading(inServedSpelling(mirror), columns);
  return {
    async ask(original: Question, context: AskContext): Promise<Reply> {
      const question = resolveAlias(original);
      const { endpoint } = question;
      await loadEndpoint(endpoint.id);
      const { caller, now, presentAt = now } = context;
      refuseUnknown(question);
      if (endpoint.local) {
        const synthetic = (await mirror.stamp()).nature === 'synthetic';
        const body = endpoint.local({ args: question.args, now: Math.floor(now / 1000), caller, labels });
        return { status: 200, body: toJsonText(body), from: 'mirror', asOf: now, synthetic, notes: [] };
      }
      const visible = visibilityOf(endpoint, question.args, caller, now);
      const moment = momentOfQuestion(question, context.asOf);
      const read = context.asPublished ? createReading(mirror, undefined) : readServed;
      const answer = await read(caller, async ({ reader: whole, stamp }) => {
        // A question about the mirror's own past also sees rows that were undone later.
        const own = ownReader(moment?.by === 'mirrored' ? whole : withoutUndone(whole), stamp, options);
        const origin = context.origin === undefined ? undefined : originReader(own.reader, context.origin);
        const { reader } = origin ?? own;
        const past = moment && (await import('./answer/past.ts')).createPast(reader, moment, whole);
        const ask: MirrorQuestion = {
          question,
          visible,
          caller,
          hasKey: context.hasKey,
          labels,
          reader: past?.reader ?? reader,
          present: own.reader,
          state: whole,
          origin: context.origin,
          isNarrowed: own.isNarrowed,
          ...(context.asOf?.at === now && { changes: whole.changes }),
          stamp,
          now,
          presentAt,
          // A keyless caller's delay and days are counted from now, whatever moment they ask about.
          clock: moment && caller.kind !== 'keyless' ? moment.at : now,
          ...(moment && { asOf: moment }),
          ifNoneMatch: context.ifNoneMatch,
          once: context.once,
          // Answers about the past are not signed: the keys are of today.
          ...(signing && endpoint.compose?.signs && !moment && { signing: await signing(Math.floor(now / 1000)) }),
          sha256,
        };
        try {
          const answered = await answerFromMirror(ask);
          const isShown = !context.rowsOnly || question.args.dataset_version !== undefined;
          const versioned = isShown ? await withVersion(ask, answered, answerFromMirror) : answered;
          own.requireOwn();
          if (endpoint.compose) await past?.requireKnown(endpoint.compose, visible.args);
          const notes = [...answered.notes];
          if (caller.kind === 'owner')
            notes.push(...staleNotes(answered, visible.args, moment), ...((await past?.notes()) ?? []));
          return { ...versioned, notes, synthetic: stamp.nature === 'synthetic' };
        } catch (thrown) {
          own.requireOwn(thrown);
          const error = origin ? origin.explain(thrown) : thrown;
          throw past ? await past.explain(error, endpoint.compose, visible.args) : error;
        }
      });
      const { texts, etag, asOf, missingParts, synthetic } = answer;
      const sources = answer.sources && answer.sources.length > 1 ? answer.sources : undefined;
      const notes = sources && caller.kind === 'owner' ? [...answer.notes, sourcesNote(sources)] : answer.notes;
      const uncovered = firstUncovered(missingParts.map(withEndpoint));
      if (uncovered !== undefined) await onUncovered?.(uncovered, now);
      const lost = uncovered === undefined ? [] : await goneTimes(mirror.journal);
      const facts = {
        ...(moment && { past: moment }),
        ...(answer.sources && { sources: answer.sources }),
        ...({ from: 'mirror', asOf, synthetic, notes } as const),
      };
      const partial = partialOf(original, missingParts, { checkedAt: asOf, now: presentAt, lost, sources });
      if (!texts) return { status: 304, body: asJsonText(''), ...(etag && { etag }), ...facts };
      const mark = partial?.mark ?? (sources && { complete: true as const, sources });
      const parts = mark ? { ...texts, mark } : texts;
      // The series' state does not show the changes that a sync of the missing parts would bring: no validator.
      const told = { status: 200 as const, ...(partial ? { partial } : etag && { etag }), ...facts };
      return context.inParts && isList(endpoint, texts)
        ? withParts(told, endpoint.body, parts)
        : { ...told, body: joinParts(endpoint.body, parts) };
    },
  };
}

/** The moment of the context, or of the question itself; undefined for now. */
function momentOfQuestion({ endpoint, args }: Question, asOf: AsOf | undefined): AsOf | undefined {
  if (asOf) return asOf;
  const { as_of: seconds, availability } = args;
  if (!endpoint.query.availability || typeof seconds !== 'number') return undefined;
  return { at: seconds * 1000, by: availability as Availability }; // one of the parameter's choices
}

/** The note about a stale series: a reader of rows alone would take its last row for the present state. */
function staleNotes({ texts, missingParts }: MirrorAnswer, { end_date: end }: Args, moment: AsOf | undefined) {
  // A partial answer names the dates themselves.
  const [quality] = texts && missingParts.length === 0 ? memberTexts(texts.envelope, ['data_quality']) : [];
  const read = objectIn(quality === undefined ? undefined : readJson(quality));
  const { is_stale: isStale, latest_available_date: latest, data_lag_days: days } = read;
  if (isStale !== true || latest === undefined || (end !== undefined && String(end) <= String(latest))) return [];
  return [`The newest value in the mirror is of ${latest}, ${days} days before ${moment ? 'that moment' : 'today'}.`];
}

/** Are the rows a list, and has no member beside them its name? */
function isList({ body }: Question['endpoint'], { envelope }: BodyParts): boolean {
  return body.kind === 'list' && !memberSpans(envelope).some(({ name }) => name === body.member);
}

/** Sources that a sentence names; the data has more of them. */
const SOURCES_NAMED = 4;

function sourcesNote(sources: readonly SourceRange[]): string {
  const named = sources.slice(0, SOURCES_NAMED).map(({ origin, from, to }) => `${origin} ${from} to ${to}`);
  const others = sources.length > SOURCES_NAMED ? ` and ${sources.length - SOURCES_NAMED} other parts` : '';
  return `The rows come from several sources: ${named.join(', ')}${others}.`;
}

/** A question that the stored rows cannot answer is refused, never answered as if it had not been asked. */
function refuseUnknown(question: Question): void {
  const { endpoint, extra = {} } = question;
  if (Object.keys(extra).length > 0)
    throw new MacroError('usage', `The mirror does not know the parameter ${Object.keys(extra).join(', ')}.`, {
      status: 422,
      hint: 'Parameters given with --param are answered by the service only: leave out --offline.',
    });
  if (endpoint.local) return;
  const unmet = unmetDemand(endpoint, question.args);
  if (unmet) throw unmet;
  if (!endpoint.mirror && !endpoint.compose) throw notMirrored(question);
  const sameAnyway = endpoint.mirror?.sameAnyway ?? {};
  const unkept = unkeptArguments(endpoint, question.args).filter((name) => sameAnyway[name] === undefined);
  if (unkept.length > 0)
    throw new MacroError('notFound', `The mirror keeps no answers for ${unkept.join(', ')} of ${endpoint.id}.`, {
      status: 404,
      code: 'not_mirrored',
      hint: 'Ask the service with --live, or leave the option out.',
    });
}
