import { endpointById } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { chooseSource } from '../../source/choose.ts';
import type { AskContext, Reply, Source } from '../../source/source.ts';
import type { App } from '../app.ts';
import type { Call } from '../command.ts';
import { localSource } from '../local-source.ts';
import { listAnswer } from '../output/answer.ts';
import { cutReply } from '../output/cut.ts';
import { type Asked, readQuestion } from '../question.ts';
import { accessWith } from '../settings/keys.ts';
import { childWords } from '../tree.ts';
import { tellBinding } from './binding.ts';
import { checkProof, isImported } from './held-facts.ts';

/**
 * Any question to a source. Walk: words and options become a question; the source is chosen before anything is spent;
 * one page is asked for, or as many as it takes; notes go to stderr, rows to the output.
 */
export async function ask(app: App, call: Call, id: string): Promise<void> {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`No endpoint is called ${id}`);
  const now = app.platform.clock.now();
  const asked = readQuestion(endpoint, call, { now, siblings: childWords(endpoint.cli?.words ?? []) });
  const { asOf } = asked;
  const context: AskContext = { caller: { kind: 'owner' }, now, signal: app.signal, ...(asOf && { asOf }) };
  for (const warning of app.settings.warnings) await app.warn(warning);
  for (const note of asked.notes) await app.note(note);
  const answered = await tellBinding(app, () => withGuess(asked.notes, () => answer(app, asked, context)));
  const reply = cutReply(endpoint, answered, asked.rows);
  const isComputed = endpoint.local !== undefined && !endpoint.aboutServer;
  if (reply.synthetic && !isComputed) await app.warn('these numbers are generated: synthetic data, not real');
  for (const note of reply.notes) await app.note(note);
  const isHeld = reply.from === 'mirror';
  const imported = isHeld && (await isImported(app, asked.question));
  await app.print(listAnswer(asked.question, reply, { now, imported }));
  if (isHeld && asked.rows.kind === 'all') await checkProof(app, asked.question, context);
}

async function answer(app: App, asked: Asked, context: AskContext): Promise<Reply> {
  const { question, rows } = asked;
  const held = await app.held();
  // The service is opened only when it is asked: opening it makes the mirror's file.
  const service: Source = {
    ask: async (...asking) => (await liveSide(app)).source.ask(...asking),
  };
  const { endpoint } = question;
  const baseUrl = app.settings.baseUrl.value;
  if (!held && endpoint.local && !endpoint.aboutServer && asked.mode !== 'live')
    return localSource.ask(question, context);
  if (asked.mode === 'live' && baseUrl === undefined)
    throw new MacroError('auth', 'No service is chosen, so none can be asked.', {
      code: 'not_configured',
      hint: 'macro init chooses a service; without --live the mirror may answer.',
    });
  const source = await chooseSource(
    {
      mode: asked.mode,
      ...(asked.maxAge !== undefined && { maxAge: asked.maxAge }),
      ...(baseUrl !== undefined && { live: service, access: accessWith(app.platform, app.settings.folders, baseUrl) }),
      ...(held && { mirror: held }),
    },
    question,
    context,
  );
  const isLive = source === service;
  const computed = endpoint.local && !endpoint.aboutServer ? 'the clock' : undefined;
  const answering = isLive ? app.settings.baseUrl.value : (computed ?? `the mirror ${app.settings.mirror.value}`);
  await app.verbose(`asking ${answering}`);
  const paged = question.endpoint.paging.kind !== 'none';
  if (rows.kind === 'page' || !paged) return source.ask(question, context);
  const { collect, livePages, sourcePages } = await import('../../source/collect.ts');
  const wanted = rows.kind === 'all' ? 'all' : (rows.limit ?? 'all');
  if (!isLive) {
    // The mirror knows no page size: one question is one consistent answer.
    const whole = { ...question, args: { ...question.args, limit: wanted === 'all' ? 1_000_000_000 : wanted } };
    return collect(sourcePages(source, whole, context), whole, wanted);
  }
  const { client, mirror } = await liveSide(app);
  const pages = livePages({ client, ...(mirror && { mirror }) }, question, context);
  return collect(withProgress(app, pages), question, wanted);
}

/** A word outside the tables that nobody holds was most likely a typo: the hint is then the nearest word. */
async function withGuess<T>(notes: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind !== 'notFound' || notes.length === 0) throw error;
    const { code, status, message } = error;
    if (message.includes('Did you mean')) throw error;
    throw new MacroError('notFound', message, {
      hint: notes.join(' '),
      ...(code !== undefined && { code }),
      ...(status !== undefined && { status }),
      cause: error,
    });
  }
}

async function* withProgress<T extends { rows: readonly unknown[]; total: number | undefined }>(
  app: App,
  pages: AsyncIterable<T>,
): AsyncIterable<T> {
  let seen = 0;
  for await (const page of pages) {
    seen += page.rows.length;
    await app.progress(`${seen}${page.total === undefined ? '' : ` of ${page.total}`} rows`);
    yield page;
  }
}

async function liveSide(app: App) {
  const live = await app.live();
  if (!live) throw new Error('A service was chosen that is not configured');
  return live;
}
