import { MacroError } from '../../errors.ts';
import { seriesOf } from '../../source/question.ts';
import { type AskContext, type Question, resolveAlias } from '../../source/source.ts';
import { standingOf } from '../../source/standing.ts';
import type { App } from '../app.ts';
import { accessWith } from '../settings/keys.ts';

/** `--all` promises every row. What the mirror holds is printed, but without a proof that is not known to be every one. */
export async function checkProof(app: App, question: Question, context: AskContext): Promise<void> {
  const held = await app.held();
  if (!held || question.endpoint.local) return;
  const { baseUrl } = app.settings;
  const access = baseUrl.value === undefined ? 'keyless' : accessWith(app.platform, app.settings, baseUrl.value);
  const standing = await standingOf(held.mirror, question, { ...context, access });
  if (standing?.provenAt !== undefined) return;
  const message = 'These are all rows that the mirror holds, but nothing proves that there are no others.';
  throw new MacroError('incomplete', message, {
    code: 'not_proven',
    hint: 'macro sync brings what is missing and proves it; macro mirror status shows what is proven.',
  });
}

/** Whether everything that the mirror holds for a question came out of a file, so that no service was ever asked. */
export async function isImported(app: App, asked: Question): Promise<boolean> {
  const held = await app.held();
  const { endpoint, args } = resolveAlias(asked);
  if (!held || endpoint.local) return false;
  const refs = endpoint.compose ? endpoint.compose.reads(args) : endpoint.mirror ? [seriesOf(endpoint, args)] : [];
  const series = (await Promise.all(refs.map((ref) => held.mirror.find(ref)))).flat();
  return series.length > 0 && series.every(({ origin }) => origin.startsWith('import:'));
}
