import { asJsonText, type JsonObject, type JsonText, readJson } from '../../contract/json/json.ts';
import { perText } from '../../contract/json/per-text.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from './answer.ts';
import { captureAccesses, captureInputs, inputsMatch } from './inputs.ts';

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

const membersIn = perText((text) => readJson<JsonObject>(text));

export function capturedOf(ask: MirrorQuestion, series: StoredSeries): Captured {
  const match = matchOf(ask, series);
  const text = series.envelope?.text ?? asJsonText('{}');
  const stored = membersIn(text);
  const named = match !== 'nothing' && typeof stored.dataset_version === 'string' ? stored.dataset_version : undefined;
  const inputs = series.envelope?.inputs ?? '';
  return { match, stored, text, version: named, place: inputs.slice(inputs.lastIndexOf(' ') + 1) };
}

function matchOf({ question, caller, now }: MirrorQuestion, series: StoredSeries): Captured['match'] {
  const envelope = series.envelope;
  // Of a question of the past nothing was captured: its series tell of no inputs.
  if (!envelope || envelope.inputs === '' || envelope.commit < series.generation) return 'nothing';
  // The capture was asked with the arguments as they were, not with the clipped window.
  const matches = captureAccesses(question.endpoint, caller).map((access) =>
    inputsMatch(envelope.inputs, captureInputs(question.endpoint, question.args, access, now)),
  );
  return matches.find((m) => m === 'page') ?? matches.find((m) => m === 'question') ?? 'nothing';
}
