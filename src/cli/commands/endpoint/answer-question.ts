import { needsKey } from '../../../contract/access.ts';
import { MIRROR_INCOMPLETE } from '../../../contract/answer-members.ts';
import { isAnsweredByClock } from '../../../contract/capabilities.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { unknownNote } from '../../../contract/params/read-params.ts';
import { hinted, MacroError } from '../../../errors.ts';
import { chooseSource, localSource } from '../../../source/choose-source.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { type AskContext, type Question, type Reply, resolveAlias, type Source } from '../../../source/source.ts';
import { type App, formatFor } from '../../app/app.ts';
import { accessWith, isKeyless } from '../../app/keys.ts';
import type { ParsedQuestion } from '../../parse/question.ts';
import { keyFirst } from '../../print/partial.ts';
import { openProgressBar, quotaLeft } from '../../print/progress-bar.ts';
import { noMirror } from '../require.ts';

/** Asks the mirror where its coverage is enough, else the service. @throws MacroError of kind `auth`. */
export async function answerQuestion(app: App, parsed: ParsedQuestion, context: AskContext): Promise<Reply> {
  try {
    return await chosenAnswer(app, parsed, context);
  } catch (error) {
    const isAlone = app.settings.baseUrl.value === undefined && parsed.mode !== 'offline';
    if (error instanceof MacroError && isAlone && ['not_configured', 'not_mirrored'].includes(error.code ?? ''))
      throw (await badWords(app, parsed)) ?? (await wrongMirror(app)) ?? error;
    throw isKeyless(app) ? withKeyFirst(error, parsed.question) : error;
  }
}

/** A typed mirror that is not there is a slip. */
async function wrongMirror(app: App): Promise<MacroError | undefined> {
  const { value, from } = app.settings.mirror;
  return from === '--mirror' && !(await app.mirrorIfAny()) ? noMirror(value) : undefined;
}

/** Where no service may know a word that neither our tables nor the mirror has, it is a typo. */
async function badWords(app: App, parsed: ParsedQuestion): Promise<MacroError | undefined> {
  const unknown = (await unknownHere(app, parsed)).map((note) => note.split('. '));
  if (unknown.length === 0) return undefined;
  const advice = unknown.map(([_, ...more]) => more.join('. '));
  return new MacroError('usage', unknown.map(([what]) => `${what}.`).join(' '), {
    code: 'bad_words',
    hint: [...advice, 'A service may know more: macro init chooses one.'].join(' ').trim(),
  });
}

/** Notes about words that neither our tables nor the stored series have: files bring further currencies. */
export async function unknownHere(app: App, { unknown, question, mode }: ParsedQuestion): Promise<readonly string[]> {
  const isAlone = mode === 'offline' || app.settings.baseUrl.value === undefined;
  const { mirror } = (unknown.length > 0 && (await app.mirrorIfAny())) || {};
  const stored = (await mirror?.find({ endpoint: resolveAlias(question).endpoint.id, scope: {} })) ?? [];
  return unknown.flatMap((part) => {
    const names = part.member.noun === 'currency' ? ['currency', 'base', 'quote'] : ['indicator'];
    const words = new Set(stored.flatMap(({ scope }) => names.flatMap((name) => scope[name] ?? [])));
    return words.has(part.word) ? [] : [unknownNote(part, [...words], isAlone)];
  });
}

/** Notes about the words of a question, but those about words that the mirror or a service may know. */
export function notesOnWords({ notes, unknown }: ParsedQuestion): readonly string[] {
  const open = new Set(unknown.map((part) => unknownNote(part)));
  return notes.filter((note) => !open.has(note));
}

/** A refusal of rows that no sync brings without a key. */
function withKeyFirst(error: unknown, { endpoint, args }: Question): unknown {
  if (!(error instanceof MacroError) || error.code !== 'not_mirrored' || !needsKey(endpoint.access, args)) return error;
  const [, sync] = /(macro sync .*)$/.exec(error.hint ?? '') ?? [];
  return sync === undefined ? error : hinted(error, keyFirst('It needs', [sync]));
}

async function chosenAnswer(app: App, parsed: ParsedQuestion, context: AskContext): Promise<Reply> {
  const { question, rows, mode, origin } = parsed;
  const { endpoint } = question;
  const handle = await app.mirrorIfAny();
  const service: Source = { ask: async (...asking) => (await liveSide(app, endpoint)).source.ask(...asking) };
  const baseUrl = app.settings.baseUrl.value;
  if (!handle && isAnsweredByClock(endpoint) && mode !== 'live') return localSource.ask(question, context);
  if (mode === 'live' && baseUrl === undefined)
    throw new MacroError('auth', 'No service is chosen, so none can be asked.', {
      code: 'not_configured',
      hint: 'macro init chooses a service; without --live the mirror may answer.',
    });
  const access = baseUrl === undefined ? undefined : accessWith(app.platform, app.settings, baseUrl);
  const asking = {
    ...context,
    hasKey: access !== undefined && access !== 'keyless',
    ...{ origin, rowsOnly: formatFor(app) !== 'json', asPublished: !formatFor(app).endsWith('json') },
  };
  const source = await chooseSource(
    {
      ...{ mode, maxAge: parsed.maxAge, live: baseUrl === undefined ? undefined : service, access },
      ...{ mirror: handle, path: app.settings.mirror.value },
    },
    question,
    asking,
  );
  const isLive = source === service;
  const computed = isAnsweredByClock(endpoint) ? 'the clock' : undefined;
  await app.verbose(`asking ${isLive ? baseUrl : (computed ?? `the mirror ${app.settings.mirror.value}`)}`, 'asking');
  const limit = rows.kind === 'all' ? 'all' : rows.kind === 'some' ? (rows.limit ?? 'all') : undefined;
  const isPage = limit === undefined || endpoint.paging.kind === 'none';
  if (isLive)
    return noteBinding(app, () =>
      isPage ? source.ask(question, { ...asking, once: true }) : collectLive(app, question, context, limit),
    );
  if (isPage) return source.ask(question, { ...asking, once: true });
  const { askWhole } = await import('../../../source/stored/whole-answer.ts');
  return askWhole(source, question, asking, limit);
}

/** All rows of the service, or so many; from the first page again where they changed while they were read, as a sync does. */
async function collectLive(app: App, question: Question, context: AskContext, limit: number | 'all'): Promise<Reply> {
  const { collect, livePages, RESTARTS } = await import('../../../source/stored/collect-pages.ts');
  const { client, mirror } = await liveSide(app, question.endpoint);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const pages = livePages({ client, mirror }, question, context);
      return await collect(withProgress(app, pages), question, limit);
    } catch (error) {
      const isMoved = error instanceof MacroError && error.kind === 'incomplete' && error.code !== MIRROR_INCOMPLETE;
      if (!isMoved || attempt === RESTARTS) throw error;
    }
  }
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

async function liveSide(app: App, endpoint: Endpoint) {
  // A probe stores nothing.
  const live = await app.live('interactive', { stores: endpoint.without?.mirrored === undefined });
  if (!live) throw new Error('A service was chosen that is not configured');
  return live;
}

/** Does the work; when a mirror that belonged to nobody belongs to a service after it, that is said once. */
export async function noteBinding<T>(app: App, work: () => Promise<T>): Promise<T> {
  const handle = await app.mirrorIfAny();
  const before = await handle?.mirror.stamp();
  const result = await work();
  if (!handle || before?.service !== undefined) return result;
  const { service } = await handle.mirror.stamp();
  if (service !== undefined)
    await app.note(`The mirror ${app.settings.mirror.value} belongs to ${service} from now on.`, 'mirror_bound');
  return result;
}

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
