import { isOffline, isServed } from '../../../contract/capabilities.ts';
import { asJsonText } from '../../../contract/json/json.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import { OPENAPI_ENDPOINT } from '../../../openapi/endpoint.ts';
import { localSource } from '../../../source/choose.ts';
import { noMirrorYet } from '../../../source/coverage/not-mirrored.ts';
import type { Question, Reply, Source } from '../../../source/source.ts';
import { type App, warnSynthetic } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import { documentOf } from '../openapi/openapi.ts';
import type { ApiRequest } from './api.ts';

/**
 * What the mirror answers to a GET of a path that the contract knows: the body that `serve` would send to its owner.
 * @throws MacroError of kind `notFound` or `usage`.
 */
export async function askMirror(
  app: App,
  { request, known, query }: ApiRequest,
): Promise<Pick<Reply, 'body' | 'shortfall'>> {
  if (request.method !== 'GET')
    throw new MacroError('usage', 'Offline there is only GET: the mirror is never written by hand.', {
      hint: 'Leave out --offline.',
    });
  if (isOn(app.options, 'include'))
    throw new MacroError('usage', '--include shows headers, and the mirror has none.', {
      hint: 'Leave out --include or --offline.',
    });
  if (!known)
    throw new MacroError('notFound', 'The contract knows nothing at this path, so the mirror cannot answer it.', {
      code: 'unknown_path',
      hint: 'macro openapi lists the paths; leave out --offline to ask the service.',
    });
  const { endpoint, path } = known;
  if (endpoint === OPENAPI_ENDPOINT) return { body: asJsonText(JSON.stringify(documentOf(app))) };
  if (!isServed(endpoint) || !isOffline(endpoint))
    throw new MacroError('notFound', `Only the service can answer ${endpoint.path}.`, { hint: 'Leave out --offline.' });
  const now = app.platform.clock.now();
  refuseStrangers(Object.keys(query), Object.keys(endpoint.query));
  const { args, notes } = readParams(endpoint, { path, query }, { mode: 'liberal', now });
  for (const note of notes) await app.note(note, 'about_answer');
  const question = { endpoint, args };
  const source = await sourceFor(app, question);
  const reply = await source.ask(question, { caller: { kind: 'owner' }, now, signal: app.signal });
  for (const note of reply.notes) await app.note(note, 'about_answer');
  if (reply.synthetic && !endpoint.local) await warnSynthetic(app);
  return reply;
}

/** The service ignores parameters that it does not know; a person is told. */
function refuseStrangers(names: readonly string[], legal: readonly string[]): void {
  const stranger = names.find((name) => !legal.includes(name) && name !== 'start' && name !== 'end');
  if (stranger === undefined) return;
  const list = legal.length > 0 ? `Parameters are ${legal.join(', ')}.` : 'There are no parameters here.';
  throw new MacroError('usage', `The mirror does not know the parameter '${stranger}'.`, {
    code: 'unknown_parameter',
    hint: hintFor(stranger, legal, list),
  });
}

async function sourceFor(app: App, question: Question): Promise<Source> {
  const handle = await app.mirrorIfAny();
  if (handle) return handle.source;
  if (question.endpoint.local) return localSource;
  throw noMirrorYet(question);
}
