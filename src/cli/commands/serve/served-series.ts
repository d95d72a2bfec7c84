// `serve --only`: the series that the service may be asked for.
import type { SeriesRef } from '../../../contract/hooks.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { type Question, resolveAlias } from '../../../source/source.ts';
import { selectTargets } from '../../../sync/series/select.ts';

/** Stands for whatever a selection leaves open. */
const ANY = 'any';

/** Reads the words of a selection, as `macro sync` takes them, into a test of questions; every question passes without words. */
export async function readServedSeries(
  words: string | undefined,
  now: number,
): Promise<(question: Question) => boolean> {
  if (words === undefined) return () => true;
  const targets = await selectTargets([words], { endpoints: ENDPOINTS, now, indicatorsOf: async () => [ANY] });
  const isSelected = ({ endpoint, scope }: SeriesRef) =>
    targets.some(
      (target) =>
        target.endpoint.id === endpoint &&
        Object.keys(target.endpoint.at).every((name) => {
          const value = target.args[name];
          return value === undefined || value === ANY || value === scope[name];
        }),
    );
  return (request) => {
    const question = resolveAlias(request);
    const { endpoint, args } = question;
    if (endpoint.mirror && isSelected(seriesOfQuestion(endpoint, args))) return true;
    const inputs = endpoint.compose?.reads(args) ?? [];
    return inputs.length > 0 && inputs.every(isSelected);
  };
}
