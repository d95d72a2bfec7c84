import { type DirectReply, readDirectTarget, sendDirect } from '../../client/http/direct.ts';
import type { Wire } from '../../client/http/wire.ts';
import { needsKey } from '../../contract/access.ts';
import { isOffline, isServed } from '../../contract/capabilities.ts';
import { asJsonText, type Json, readJson } from '../../contract/json/json.ts';
import { type Match, matchPath } from '../../contract/match.ts';
import type { Args } from '../../contract/params/param.ts';
import { readParams } from '../../contract/params/read-params.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { servicePartial } from '../../coverage/partial-answer.ts';
import { INTERFACE } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { OPENAPI_ENDPOINT } from '../../openapi/endpoint.ts';
import { localSource } from '../../source/choose-source.ts';
import { noMirrorYet } from '../../source/not-mirrored.ts';
import type { Reply } from '../../source/source.ts';
import { type App, warnSynthetic } from '../app/app.ts';
import { openWire } from '../app/service.ts';
import { inputBytes, isOn, manyOption, textOption } from '../parse/options.ts';
import { wrongWords } from '../parse/question.ts';
import { indentJson } from '../print/json.ts';
import { endIfPartial } from '../print/partial.ts';
import { escapeJson } from '../print/text.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { ALLOW_PARTIAL, GENERAL, SPENDING } from './common-options.ts';

/** Asks the service by hand. */
export default [
  {
    path: ['api'],
    summary: 'Request any path of the service with your key and print the body; nothing is stored',
    words: `[method] (get|post|patch|delete): method, GET when left out
      path: path and query, like /v1/ping`,
    options: [
      `-f, --field NAME=VALUE...: query parameter of a GET, else member of the JSON body; NAME[]=ITEM for lists, NAME:=JSON for other values
      --input FILE: JSON body from a file; - reads standard input
      -i, --include: the headers of the answer before its body
      -o, --output FILE: write a file ending in .json
      --offline [Source]: ask the mirror only, for a GET of a path that is known
      ${ALLOW_PARTIAL}`,
      SPENDING,
      GENERAL,
    ],
    examples: ['api /v1/ping', 'api /v1/announcements/usd/inflation -f limit=3 --offline'],
    run: api,
  },
] satisfies readonly CommandDeclaration[];

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** A request as it was typed, and the endpoint that stands at its path, if the contract knows one. */
type ApiRequest = Awaited<ReturnType<typeof readRequest>>;

/** A field that was typed: `name=text`, `name[]=item` for a list, `name:=json` for any value. */
interface Field {
  readonly name: string;
  readonly value: Json;
  readonly isItem: boolean;
}

/** Asks any path of the service, or the mirror offline, and prints the answer as it came. Nothing is stored. */
async function api(app: App, call: Call): Promise<void> {
  refuseFormat(call);
  const parsedRequest = await readRequest(app, call);
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  if (isOn(call.options, 'offline')) {
    const mirrorReply = await askMirror(app, parsedRequest);
    await printBody(app, mirrorReply.body);
    return endIfPartial(app, mirrorReply);
  }
  const { request, known } = parsedRequest;
  refuseEndless(parsedRequest);
  const wire = openWire(app);
  if (known && !wire.hasKey) refuseKeyless(app, wire, parsedRequest);
  await app.verbose(`${request.method} ${wire.service}${request.target}`, 'asking');
  const reply = await sendDirect(wire, { ...request, signal: app.signal });
  for (const note of reply.notes) await app.note(note, 'about_answer');
  if (reply.synthetic) await warnSynthetic(app);
  await printBody(app, reply.body, isOn(call.options, 'include') ? headText(reply) : '');
  if (reply.partial) await endIfPartial(app, { partial: servicePartial(reply.partial) });
}

/** The body is printed as it is, so there is nothing to choose but the form of errors. */
function refuseFormat({ options }: Call): void {
  const format = textOption(options, 'format');
  if (format === undefined || format.toLowerCase() === 'json') return;
  throw new MacroError('usage', 'macro api prints the body as it comes, in no other format.', {
    code: 'unknown_format',
    hint: 'Leave out --format; the command of the endpoint knows formats.',
  });
}

async function readRequest(app: App, call: Call) {
  const { method, typed } = readTyped(call);
  const fields = readFields(manyOption(call.options, 'field'));
  const target = readDirectTarget(typed, method === 'GET' ? queryFromFields(fields) : []);
  const input = await readInput(app, call, method);
  if (input !== undefined && fields.length > 0)
    throw new MacroError('usage', '--input and --field exclude each other.', { hint: 'Leave out one of them.' });
  const body = input ?? (method !== 'GET' && fields.length > 0 ? bodyOf(fields) : undefined);
  const { pathname, searchParams } = new URL(target, 'http://path.invalid');
  return {
    request: { method, target, ...(body !== undefined && { body }) },
    known: matchPath([...INTERFACE, OPENAPI_ENDPOINT], pathname.replace(/^\/openapi\.json$/, OPENAPI_ENDPOINT.path)),
    query: Object.fromEntries(searchParams),
  };
}

function readTyped({ words }: Call): { method: (typeof METHODS)[number]; typed: string } {
  const [first, second] = words;
  const typed = second ?? first;
  if (typed === undefined || words.length > 2)
    throw wrongWords('macro api takes [METHOD] PATH.', 'See macro api --help.');
  const method = second === undefined ? 'GET' : METHODS.find((known) => known === first?.toUpperCase());
  if (method) return { method, typed };
  throw wrongWords('The first word is no method of the service.', `Methods are ${METHODS.join(', ')}.`);
}

async function readInput({ platform }: App, { options }: Call, method: string): Promise<string | undefined> {
  const file = textOption(options, 'input');
  if (file === undefined) return undefined;
  if (method === 'GET')
    throw new MacroError('usage', 'A GET has no body.', { hint: 'Name a method: macro api post /v1/... --input FILE' });
  const bytes = await inputBytes(platform, file);
  const text = () => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const refusal = { code: 'bad_input', hint: 'Bodies of the service are JSON.' };
  readValue(() => readJson(text()), `${file === '-' ? 'Standard input' : file} is no JSON.`, refusal);
  return text();
}

function readValue(read: () => Json, message: string, details: { code: string; hint: string }): Json {
  try {
    return read();
  } catch (cause) {
    throw new MacroError('usage', message, { ...details, cause });
  }
}

/** A stream would never end. */
function refuseEndless({ request, known }: ApiRequest): void {
  const reason = known?.endpoint.without?.live;
  if (request.method !== 'GET' || !known || reason === undefined) return;
  const { command } = known.endpoint.without ?? {};
  throw new MacroError('usage', `${known.endpoint.path} cannot be printed: ${reason}.`, {
    code: 'endless',
    hint: command && `${command.charAt(0).toUpperCase()}${command.slice(1)}.`,
  });
}

/** A path that the contract knows is not requested in vain. The service decides about everything else. */
function refuseKeyless(app: App, wire: Wire, { request, known, query }: ApiRequest): void {
  if (!known) return;
  const { endpoint } = known;
  const args = request.method === 'GET' ? argsOf(app, { known, query }) : {};
  // Where the service has more to tell than that a key is needed, it is asked.
  if (endpoint.refusal && request.method === 'GET') return;
  if (needsKey(endpoint.access, args)) throw wire.keyMissing(endpoint, args.currency);
}

/** The arguments as far as they decide about keys; the service reports invalid ones. */
function argsOf(app: App, { known, query }: { known: Match; query: ApiRequest['query'] }): Args {
  try {
    const raw = { path: known.path, query };
    return readParams(known.endpoint, raw, { mode: 'liberal', now: app.platform.clock.now() }).args;
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    const { currency } = { ...query, ...known.path };
    return currency === undefined ? {} : { currency: currency.toUpperCase() };
  }
}

function headText({ status, headers }: DirectReply): string {
  return [`HTTP ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\n');
}

/** Indented for people; a pipe or a file gets the text as it is. */
async function printBody(app: App, body: string, head = ''): Promise<void> {
  const { stdout } = app.platform.io;
  const isSeen = stdout.isTerminal && (textOption(app.options, 'output') ?? '-') === '-';
  const text = `${head}${isSeen ? indentJson(body) : body}`;
  if (text.trim() !== '') await app.printText(isSeen ? escapeJson(text) : text);
}

function readFields(typed: readonly string[]): readonly Field[] {
  return typed.map((text) => {
    const [, name, sign, value = ''] = /^([\w.-]{1,64})(\[\]:=|\[\]=|:=|=)([\s\S]*)$/.exec(text) ?? [];
    // The text after the sign could be a secret, so a refusal does not repeat it.
    if (name === undefined || sign === undefined)
      throw new MacroError('usage', 'A field is written name=value.', {
        code: 'bad_field',
        hint: 'Or name[]=value for an item of a list, name:=JSON for a number, true, null or any other value.',
      });
    const refusal = { code: 'bad_field', hint: `Write ${name}=value for a text, ${name}:=3 for a number.` };
    const parsed = () => readValue(() => readJson(value), `The value of ${name} is no JSON.`, refusal);
    return { name, isItem: sign.startsWith('[]'), value: sign.endsWith(':=') ? parsed() : value };
  });
}

/** The fields as the members of a JSON body; of a repeated one the last counts, items join in their order. */
function bodyOf(fields: readonly Field[]): string {
  const members = new Map<string, Json>();
  for (const { name, value, isItem } of fields) {
    const before = members.get(name);
    members.set(name, isItem ? [...(Array.isArray(before) ? before : []), value] : value);
  }
  return JSON.stringify(Object.fromEntries(members));
}

/** The fields as query parameters; the items of a list stand in one, separated by commas. */
function queryFromFields(fields: readonly Field[]): readonly (readonly [string, string])[] {
  const query = new Map<string, string>();
  for (const { name, value, isItem } of fields) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const before = query.get(name);
    query.set(name, isItem && before !== undefined ? `${before},${text}` : text);
  }
  return [...query];
}

/** The body that `serve` would send to its owner. @throws MacroError of kind `notFound` or `usage`. */
async function askMirror(app: App, { request, known, query }: ApiRequest): Promise<Pick<Reply, 'body' | 'partial'>> {
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
  if (endpoint === OPENAPI_ENDPOINT) {
    const { documentOf } = await import('./openapi.ts');
    return { body: asJsonText(JSON.stringify(documentOf(app))) };
  }
  if (!isServed(endpoint) || !isOffline(endpoint))
    throw new MacroError('notFound', `Only the service can answer ${endpoint.path}.`, { hint: 'Leave out --offline.' });
  const now = app.platform.clock.now();
  refuseStrangers(Object.keys(query), Object.keys(endpoint.query));
  const { args, notes } = readParams(endpoint, { path, query }, { mode: 'liberal', now });
  for (const note of notes) await app.note(note, 'about_answer');
  const question = { endpoint, args };
  const source = (await app.mirrorIfAny())?.source ?? (endpoint.local ? localSource : undefined);
  if (!source) throw noMirrorYet(question, app.settings.mirror.value);
  const reply = await source.ask(question, { caller: { kind: 'owner' }, now, signal: app.signal });
  for (const note of reply.notes) await app.note(note, 'about_answer');
  if (reply.synthetic && !endpoint.local) await warnSynthetic(app);
  return reply;
}

/** The service ignores parameters that it does not know; a person gets a note. */
function refuseStrangers(names: readonly string[], legal: readonly string[]): void {
  const stranger = names.find((name) => !legal.includes(name) && name !== 'start' && name !== 'end');
  if (stranger === undefined) return;
  const list = legal.length > 0 ? `Parameters are ${legal.join(', ')}.` : 'There are no parameters here.';
  throw new MacroError('usage', `The mirror does not know the parameter '${stranger}'.`, {
    code: 'unknown_parameter',
    hint: hintFor(stranger, legal, list),
  });
}
