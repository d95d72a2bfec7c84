import type { Endpoint } from '../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, readJson } from '../contract/json.ts';
import type { Args } from '../contract/params.ts';
import { MacroError } from '../errors.ts';
import type { HeldSeries } from '../mirror/mirror.ts';
import type { MirrorQuestion } from './answer.ts';
import { seriesOf } from './question.ts';

/**
 * The series of a question. Arguments that nobody has to give choose between series of one thing; without them the answer
 * is that of its canonical series. Walk: the series that was asked by these arguments; else what the canonical one says of
 * them: a choice that it does not offer is refused, and one that is its own is answered from it.
 */
export async function findSeries({ question, visible, reader }: MirrorQuestion): Promise<readonly HeldSeries[]> {
  const { endpoint } = question;
  const held = await reader.find(seriesOf(endpoint, visible.args));
  const selectors = selectorsOf(endpoint).filter((name) => visible.args[name] !== undefined);
  if (held.length > 0 || selectors.length === 0) return held;
  const canonical = await reader.find(seriesOf(endpoint, withoutAll(visible.args, selectors)));
  return canonical.filter((series) => {
    const stored: JsonObject = series.envelope ? readJson(series.envelope.text) : {};
    for (const name of selectors) refuseUnoffered(name, visible.args[name], stored.supported_options);
    const { selected_series: selected } = stored;
    return isJsonObject(selected) && selectors.every((name) => selected[name] === visible.args[name]);
  });
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
  throw new MacroError('usage', `'${option}=${value}' is not offered for this series.`, {
    status: 400,
    code: 'unsupported_series_option',
    hint:
      offered.length > 0 ? `It offers: ${offered.join(', ')}.` : `Leave out ${option}: the series offers no choice.`,
    extra: { option, value, supported_values: offered, supported_options: supported },
  });
}
