import type { LoadedSeries } from '../../../contract/hooks.ts';
import { isJsonObject, type Json, type JsonObject, readJson } from '../../../contract/json/json.ts';
import type { FxObservation, History } from './legs.ts';
import { type Pair, pairText } from './paths.ts';

/** What an answer says about the publishers behind its rates. Several publishers are named one after the other. */
export interface ForexLabels {
  readonly source: string;
  readonly publisher: string | undefined;
  readonly publisherUrl: string | undefined;
  readonly sourceName: string;
  readonly sourceType: string;
}

/** The labels of all series that stand behind the histories. */
export function labelsOf(histories: readonly History[]): ForexLabels {
  const envelopes = histories.flatMap(({ series }) => series.map(({ envelope }) => envelope));
  const named = (read: (envelope: JsonObject) => string | undefined) => listed(envelopes.map(read));
  const source = named(sourceOf) ?? 'unknown';
  return {
    source,
    publisher: named(publisherOf),
    publisherUrl: named((envelope) => textIn(envelope.provenance, 'publisher_url')),
    sourceName: named(sourceNameOf) ?? source,
    sourceType: named((envelope) => textIn(envelope.data_quality, 'source_type')) ?? 'official',
  };
}

/** `source_legs` of a whole answer: those of every series behind it, each once. */
export function legsOfHistories(histories: readonly History[]): readonly Json[] {
  return distinct(histories.flatMap(({ pair, series }) => series.flatMap((one) => legsOfSeries(pair, one))));
}

/**
 * `source_legs` of one row: what the stored rows say of themselves, so that a peg or a monthly average that was expanded
 * keeps its label inside of a derived rate; else what their series say.
 */
export function legsOfParts(pairs: readonly Pair[], parts: readonly FxObservation[]): readonly Json[] {
  return distinct(
    parts.flatMap((part, place) => {
      const pair = pairs[place];
      return ownLegs(part) ?? (pair ? legsOfSeries(pair, part.series) : []);
    }),
  );
}

/** True where a stored row may say of itself where it comes from. */
export function isLabelled({ text }: FxObservation): boolean {
  return text.includes('"source_legs"');
}

function ownLegs(part: FxObservation): readonly Json[] | undefined {
  // Stored rows are JSON objects; most imported ones carry no label, and parsing them would be for nothing.
  if (!isLabelled(part)) return undefined;
  const { source }: JsonObject = readJson(part.text);
  return isJsonObject(source) ? listIn(source.source_legs) : undefined;
}

function legsOfSeries(pair: Pair, { envelope }: LoadedSeries): readonly Json[] {
  const stored = isJsonObject(envelope.pair_metadata) ? listIn(envelope.pair_metadata.source_legs) : undefined;
  if (stored) return stored;
  const url = textIn(envelope.provenance, 'publisher_url');
  return [
    {
      pair: pairText(pair),
      source_provider: sourceOf(envelope) ?? 'unknown',
      source_name: sourceNameOf(envelope) ?? 'unknown',
      ...(url !== undefined && { source_url: url }),
      source_frequency: 'daily',
    },
  ];
}

function sourceOf(envelope: JsonObject): string | undefined {
  return typeof envelope.source === 'string' ? envelope.source : textIn(envelope.provenance, 'publisher');
}

function publisherOf(envelope: JsonObject): string | undefined {
  return textIn(envelope.provenance, 'publisher') ?? sourceOf(envelope);
}

function sourceNameOf(envelope: JsonObject): string | undefined {
  return textIn(envelope.data_quality, 'source_name') ?? sourceOf(envelope);
}

function textIn(value: Json | undefined, member: string): string | undefined {
  const found = isJsonObject(value) ? value[member] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function listIn(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function listed(texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined);
  return known.length > 0 ? [...new Set(known)].join(', ') : undefined;
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
