// What the pages of `macro serve` are told. Loaded when the first page is asked for.
import { CLIENT_VERSION } from '../../../../client/http/version.ts';
import type { Mirror } from '../../../../mirror/api/mirror.ts';
import type { PageParts } from '../../../../serve/pages/page-parts.ts';
import type { App } from '../../../app/app.ts';

export interface PagesOf {
  readonly mirror: Mirror;
  readonly isSandbox: boolean;
}

/** Readers of one mirror; each loads what it needs when it is first used. */
export function createPageParts(app: App, { mirror, isSandbox }: PagesOf): PageParts {
  const facts = oncePerVersion(mirror, async () => (await import('./mirror-facts.ts')).readMirrorFacts(mirror));
  const series = oncePerVersion(mirror, async () => (await import('./list-choices.ts')).listChoices(mirror));
  return {
    version: CLIENT_VERSION,
    facts,
    series,
    async privateFacts(owner) {
      const { readPrivateFacts } = await import('./private-facts.ts');
      return readPrivateFacts(app, { mirror, isSandbox, owner });
    },
    async present(question, reply, asOf) {
      const { presentAnswer } = await import('./present-answer.ts');
      return presentAnswer(question, reply, { asOf, now: app.platform.clock.now() });
    },
    async file(question, reply, format) {
      const { answerFile } = await import('./present-answer.ts');
      return answerFile(question, reply, { format, now: app.platform.clock.now() });
    },
    async lineage(question, row) {
      const { readLineage } = await import('./read-lineage.ts');
      return readLineage(mirror, question, row);
    },
  };
}

/** Reading facts goes through all series, so there is one reading for each state of the mirror, however many ask. */
function oncePerVersion<T>(mirror: Pick<Mirror, 'version'>, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly version: number; readonly found: Promise<T> } | undefined;
  return () => {
    const version = mirror.version();
    if (last?.version !== version) {
      const found = read();
      last = { version, found };
      // A failure is no state of the mirror: the next reader tries again.
      found.catch(() => {
        if (last?.found === found) last = undefined;
      });
    }
    return last.found;
  };
}
