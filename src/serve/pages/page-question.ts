// Questions of the explorer: those of `/v1`, put with the access of the reader and outside of the budgets.
import { isServed } from '../../contract/capabilities.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type AsOf, AVAILABILITIES } from '../../contract/time/moments.ts';
import { parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { mirrorIncomplete } from '../../source/coverage/mark.ts';
import type { Question, Reply } from '../../source/source.ts';
import { refuseOutsiders } from '../access/refusal.ts';
import { queryTextOf } from '../arguments.ts';
import type { ServedRequest } from '../request.ts';
import { noSuchPath, type ServedRoute } from '../routes.ts';
import { readerOf, requirePrivy } from './page-access.ts';
import type { PageContext } from './page-context.ts';
import { PAGE_FILE_TYPES, type PageFileFormat } from './page-parts.ts';
import { sendPage } from './page-reply.ts';

/** Questions of pages that are answered at a time. */
const MAX_PAGE_QUESTIONS = 8;
/** The mirror knows no page size: one question is one consistent answer. */
const ALL_ROWS = 1_000_000_000;
const JSON_TYPE = 'application/json';

/** What a page adds to a question; no endpoint has such parameters. */
interface PageWords {
  readonly asOf: AsOf | undefined;
  readonly view: 'answer' | 'why' | PageFileFormat;
  readonly row: string;
}

/**
 * Answers `/pages/answer/v1/...`.
 * @throws MacroError of kind `busy`.
 */
export async function answerPage(served: ServedRequest, context: PageContext, path: string): Promise<void> {
  const { open } = context;
  if (open.questions >= MAX_PAGE_QUESTIONS)
    throw new MacroError('busy', 'Too many pages ask at present.', {
      status: 429,
      code: 'too_many_pages',
      retryAfter: 1,
    });
  open.questions += 1;
  try {
    await answerOne(served, context, path);
  } finally {
    open.questions -= 1;
  }
}

async function answerOne(served: ServedRequest, context: PageContext, path: string): Promise<void> {
  const { parts, pages, routes } = context;
  const { serve, now } = served;
  const reader = readerOf(served, parts.options);
  served.context = { caller: reader.caller, name: reader.name ?? 'owner', class: reader.caller.kind };
  const { route, values } = findRoute(routes, path);
  const { query, words } = readPageWords(queryTextOf(served.url), now);
  const { asOf, view, row } = words;
  if (asOf || view === 'why') requirePrivy(reader);
  const { endpoint } = route;
  const { args } = await serve.readArguments(endpoint, { path: values, query }, asOf?.at ?? now);
  await refuseOutsiders(served, route, args);
  const question: Question = { endpoint, args: endpoint.paging.kind === 'none' ? args : { ...args, limit: ALL_ROWS } };
  if (view === 'why') {
    const lines = await pages.lineage(question, row);
    return sendPage(served, { type: JSON_TYPE, body: `[${lines.join(',')}]` });
  }
  const reply = await (parts.mirrorSource ?? parts.source).ask(question, {
    caller: reader.caller,
    now,
    ...(asOf && { asOf }),
  });
  if (serve.strict && reply.shortfall) throw mirrorIncomplete(reply.shortfall);
  const headers = [[serve.names.mirror, reply.shortfall ? 'partial' : 'complete']] as const;
  const marks = reply.synthetic ? ([[serve.names.synthetic, '1']] as const) : [];
  if (view === 'answer') {
    const body = JSON.stringify(await pages.present({ endpoint, args }, reply, asOf));
    return sendPage(served, { type: JSON_TYPE, body, headers: [...headers, ...marks] });
  }
  const name = `attachment; filename="${fileName(endpoint, values, reply)}.${view}"`;
  return sendPage(served, {
    type: PAGE_FILE_TYPES[view],
    body: await pages.file(question, reply, view),
    headers: [...headers, ...marks, ['Content-Disposition', name]],
  });
}

/** A file leaves the page with its marks behind it, so its name carries them. */
function fileName({ id }: Endpoint, values: Readonly<Record<string, string>>, { shortfall, synthetic }: Reply): string {
  const marks = [...(shortfall ? ['partial'] : []), ...(synthetic ? ['synthetic'] : [])];
  return [id, ...Object.values(values), ...marks]
    .join('-')
    .toLowerCase()
    .replace(/[^\w-]/g, '_');
}

function findRoute(
  routes: readonly ServedRoute[],
  path: string,
): { route: ServedRoute; values: Record<string, string> } {
  const parts = path.split('/');
  for (const route of routes) {
    const { endpoint } = route;
    const names = endpoint.path.split('/');
    if (names.length !== parts.length || endpoint.managed || endpoint.writeOnly || !isServed(endpoint)) continue;
    if (endpoint.body.kind === 'stream') continue;
    const isName = (part: string) => part.startsWith('{');
    if (!names.every((part, i) => isName(part) || part === parts[i])) continue;
    const pairs = names.flatMap((part, i) => (isName(part) ? [[part.slice(1, -1), decoded(parts[i] ?? '')]] : []));
    return { route, values: Object.fromEntries(pairs) };
  }
  throw noSuchPath(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readPageWords(
  given: Readonly<Record<string, string>>,
  now: number,
): { query: Readonly<Record<string, string>>; words: PageWords } {
  const {
    page_as_of: moment,
    page_by: by = 'public',
    page_view: view = 'answer',
    page_row: row = '',
    ...query
  } = given;
  const availability = AVAILABILITIES.find((one) => one === by);
  const seconds = moment === undefined ? undefined : parseInstant(moment);
  if (!availability || (moment !== undefined && (seconds === undefined || seconds * 1000 > now)))
    throw new MacroError('usage', 'page_as_of is a moment that has passed; page_by is public, captured or mirrored.', {
      status: 400,
    });
  if (view !== 'answer' && view !== 'why' && !(view in PAGE_FILE_TYPES))
    throw new MacroError('usage', 'page_view is answer, why, csv or parquet.', { status: 400 });
  const asOf = seconds === undefined ? undefined : { at: seconds * 1000, by: availability };
  return { query, words: { asOf, view: view as PageWords['view'], row } };
}
