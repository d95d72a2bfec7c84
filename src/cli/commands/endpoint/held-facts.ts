import { seriesOfQuestion } from '../../../source/question.ts';
import { type Question, resolveAlias } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';

/** Whether everything that the mirror holds for a question came out of a file, so that no service was ever asked. */
export async function isFromFile(app: App, question: Question): Promise<boolean> {
  const handle = await app.mirrorIfAny();
  const { endpoint, args } = resolveAlias(question);
  if (!handle || endpoint.local) return false;
  const refs = endpoint.compose
    ? endpoint.compose.reads(args)
    : endpoint.mirror
      ? [seriesOfQuestion(endpoint, args)]
      : [];
  const series = (await Promise.all(refs.map((ref) => handle.mirror.find(ref)))).flat();
  return series.length > 0 && series.every(({ origin }) => origin.startsWith('import:'));
}
