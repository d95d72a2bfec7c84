import type { Endpoint } from '../contract/endpoint.ts';
import type { SeriesRef } from '../contract/hooks.ts';
import { endpointById } from '../endpoints/index.ts';
import { MacroError } from '../errors.ts';
import { seriesOf } from './question.ts';
import type { Question } from './source.ts';

/**
 * What a question needs that nobody has brought yet, with the words that would bring it. `missing` are the series that an
 * answer made of others lacks.
 */
export function notMirrored(question: Question, missing: readonly SeriesRef[] = neededBy(question)): MacroError {
  const names = [...new Set(missing.flatMap(({ endpoint, scope }) => wordsFor(endpointById(endpoint), scope)))];
  const { endpoint, args } = question;
  const asked = wordsFor(endpoint, args)[0] ?? endpoint.id;
  return new MacroError('notFound', `The mirror holds nothing for ${names.length > 0 ? names.join(', ') : asked}.`, {
    status: 404,
    code: 'not_mirrored',
    hint:
      names.length > 0 ? `Fill it with: macro sync ${names.join(', ').toLowerCase()}` : 'Ask the service with --live.',
  });
}

function neededBy({ endpoint, args }: Question): readonly SeriesRef[] {
  return endpoint.mirror ? [seriesOf(endpoint, args)] : (endpoint.compose?.reads(args) ?? []);
}

/** The words of a command line for a series: its command, its path words, then further names of its scope. */
function wordsFor(endpoint: Endpoint | undefined, scope: Readonly<Record<string, unknown>>): readonly string[] {
  if (!endpoint?.cli) return [];
  const path = Object.keys(endpoint.at).flatMap((name) => (scope[name] === undefined ? [] : [String(scope[name])]));
  const others = (endpoint.mirror?.scope ?? []).flatMap((name) => {
    const param = endpoint.query[name];
    const value = scope[name];
    return param && value !== undefined && String(value) !== String(param.fallback?.('')) ? [`${name}=${value}`] : [];
  });
  return [[...endpoint.cli.words, ...path, ...others].join(' ')];
}
