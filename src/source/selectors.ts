import type { Endpoint } from '../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, readJson } from '../contract/json/json.ts';
import { perText } from '../contract/json/per-text.ts';
import type { Args } from '../contract/params/params.ts';
import { MacroError } from '../errors.ts';
import type { StoredSeries } from '../mirror/api/series.ts';
import type { MirrorQuestion } from './answer/answer.ts';
import { seriesOfQuestion, unkeptArguments } from './question.ts';

/**
 * The series of a question. Arguments that nobody has to give choose between series of one thing; without them the answer
 * is that of its canonical series. Walk: the series that was asked by these arguments; else what the canonical one says of
 * them: a choice that it does not offer is refused, and one that is its own is answered from it.
 */
export async function findSelected({ question, visible, reader }: MirrorQuestion): Promise<readonly StoredSeries[]> {
  const { endpoint } = question;
  const sameMode = withSameMode(await reader.find(seriesOfQuestion(endpoint, visible.args)), endpoint, visible.args);
  const selectors = selectorsOf(endpoint).filter((name) => visible.args[name] !== undefined);
  if (sameMode.length > 0 || selectors.length === 0) return sameMode;
  const canonical = await reader.find(seriesOfQuestion(endpoint, withoutAll(visible.args, selectors)));
  return withSameMode(canonical, endpoint, visible.args).filter((series) => {
    const stored = storedOf(series);
    for (const name of selectors) refuseUnoffered(name, visible.args[name], stored.supported_options);
    const { selected_series: selected } = stored;
    return isJsonObject(selected) && selectors.every((name) => selected[name] === visible.args[name]);
  });
}

/**
 * The series that have the asked modes anyway, as their envelopes tell. No sync brings another mode, so a series that has
 * none of its own is refused.
 */
function withSameMode(stored: readonly StoredSeries[], endpoint: Endpoint, args: Args): readonly StoredSeries[] {
  const modes = endpoint.mirror?.sameAnyway ?? {};
  const requested = unkeptArguments(endpoint, args).filter((name) => modes[name] !== undefined);
  const lackedBy = (series: StoredSeries) => requested.find((name) => !modes[name]?.(storedOf(series)));
  const same = stored.filter((series) => lackedBy(series) === undefined);
  const [first] = stored;
  const option = first && lackedBy(first);
  if (same.length > 0 || !first || option === undefined) return same;
  const offered = String(endpoint.query[option]?.fallback?.(''));
  throw unoffered({ option, value: args[option], offered: [offered], supported: storedOf(first).supported_options });
}

const membersIn = perText((text) => readJson<JsonObject>(text));

function storedOf({ envelope }: StoredSeries): JsonObject {
  return envelope ? membersIn(envelope.text) : {};
}

function selectorsOf({ mirror, query }: Endpoint): readonly string[] {
  return (mirror?.scope ?? []).filter((name) => query[name] !== undefined && query[name].fallback === undefined);
}

function withoutAll(args: Args, names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

/** A choice that the series does not offer is the service's 400; what it offers is not known of every series. */
function refuseUnoffered(option: string, value: Args[string], supported: Json | undefined): void {
  const offered = isJsonObject(supported) ? supported[option] : undefined;
  if (!Array.isArray(offered) || offered.includes(String(value))) return;
  throw unoffered({ option, value, offered, supported });
}

function unoffered(refused: {
  readonly option: string;
  readonly value: Args[string];
  readonly offered: readonly Json[];
  readonly supported: Json | undefined;
}): MacroError {
  const { option, value, offered, supported } = refused;
  return new MacroError('usage', `'${option}=${value}' is not offered for this series.`, {
    status: 400,
    code: 'unsupported_series_option',
    hint:
      offered.length > 0 ? `It offers: ${offered.join(', ')}.` : `Leave out ${option}: the series offers no choice.`,
    extra: { option, value, supported_values: offered, supported_options: supported },
  });
}
