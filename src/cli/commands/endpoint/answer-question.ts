import { isAnsweredByClock } from '../../../contract/capabilities.ts';
import { MacroError } from '../../../errors.ts';
import { chooseSource, localSource } from '../../../source/choose.ts';
import type { AskContext, Reply, Source } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';
import { accessWith } from '../../app/keys.ts';

import type { ParsedQuestion } from '../../parse/question.ts';
import { openProgressBar, quotaLeft } from '../../print/progress-bar.ts';

/**
 * Puts a question to whoever is to answer it: the mirror where it can prove that it knows, else the service.
 * @throws MacroError of kind `auth`.
 */
export async function answerQuestion(app: App, parsed: ParsedQuestion, context: AskContext): Promise<Reply> {
  const { question, rows } = parsed;
  const handle = await app.mirrorIfAny();
  // The service is opened only when it is asked: opening it makes the mirror's file.
  const service: Source = {
    ask: async (...asking) => (await liveSide(app)).source.ask(...asking),
  };
  const { endpoint } = question;
  const baseUrl = app.settings.baseUrl.value;
  if (!handle && isAnsweredByClock(endpoint) && parsed.mode !== 'live') return localSource.ask(question, context);
  if (parsed.mode === 'live' && baseUrl === undefined)
    throw new MacroError('auth', 'No service is chosen, so none can be asked.', {
      code: 'not_configured',
      hint: 'macro init chooses a service; without --live the mirror may answer.',
    });
  const access = baseUrl === undefined ? undefined : accessWith(app.platform, app.settings, baseUrl);
  const asking = { ...context, hasKey: access !== undefined && access !== 'keyless' };
  const source = await chooseSource(
    {
      mode: parsed.mode,
      ...(parsed.maxAge !== undefined && { maxAge: parsed.maxAge }),
      ...(baseUrl !== undefined && { live: service, ...(access && { access }) }),
      ...(handle && { mirror: handle }),
    },
    question,
    asking,
  );
  const isLive = source === service;
  const computed = isAnsweredByClock(endpoint) ? 'the clock' : undefined;
  const answering = isLive ? app.settings.baseUrl.value : (computed ?? `the mirror ${app.settings.mirror.value}`);
  await app.verbose(`asking ${answering}`, 'asking');
  const paged = question.endpoint.paging.kind !== 'none';
  if (rows.kind === 'page' || !paged) return source.ask(question, { ...asking, once: true });
  const limit = rows.kind === 'all' ? 'all' : (rows.limit ?? 'all');
  if (!isLive) {
    const { askWhole } = await import('../../../source/kept/whole-answer.ts');
    return askWhole(source, question, asking, limit);
  }
  const { collect, livePages } = await import('../../../source/kept/collect.ts');
  const { client, mirror } = await liveSide(app);
  const pages = livePages({ client, ...(mirror && { mirror }) }, question, context);
  return collect(withProgress(app, pages), question, limit);
}

async function* withProgress<T extends { rows: readonly unknown[]; total: number | undefined }>(
  app: App,
  pages: AsyncIterable<T>,
): AsyncIterable<T> {
  const bar = openProgressBar(app, app.platform.clock);
  const quota = quotaLeft(app);
  let requests = 0;
  let seen = 0;
  for await (const page of pages) {
    seen += page.rows.length;
    requests += 1;
    const share = page.total ? seen / page.total : undefined;
    bar.show({ share, rows: seen, requests, quota: quota() });
    yield page;
  }
}

async function liveSide(app: App) {
  const live = await app.live();
  if (!live) throw new Error('A service was chosen that is not configured');
  return live;
}
