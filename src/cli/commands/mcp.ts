import { dirname, join } from 'node:path';
import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, parseJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { McpParts } from '../../mcp/create-server.ts';
import type { AskProgram, PackageDocument, ToolMessage, ToolRequest } from '../../mcp/tool.ts';
import { createTurns } from '../../mirror/rules/in-batches.ts';
import type { Platform } from '../../platform/platform.ts';
import type { App } from '../app/app.ts';
import { capturedPlatform } from '../app/platforms.ts';
import { interrupted, optionName, readCount, textOption } from '../parse/options.ts';
import { reportError } from '../print/messages.ts';
import { runProgram } from '../program.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { GENERAL } from './common-options.ts';
import { canBePast, MOMENT } from './endpoint-commands.ts';

/** Answers programs that speak the Model Context Protocol: standard input and output carry that and nothing else. */
export default [
  {
    path: ['mcp'],
    summary: 'Offer the mirror to language models (Model Context Protocol) over standard input and output',
    options: [`--budget N: send at most N requests for what the mirror does not cover; default 0`, GENERAL],
    examples: ['mcp', 'mcp --budget 50'],
    run: runMcp,
  },
] satisfies readonly CommandDeclaration[];

/** Options that name the mirror and the service; every question has them too. */
const WHERE = ['profile', 'base-url', 'mirror', 'trace', 'record', 'replay'] as const;

async function runMcp(app: App, { options }: Call): Promise<void> {
  const { platform, signal } = app;
  const general = WHERE.flatMap((name) => {
    const value = textOption(options, name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const budget = readCount(options, 'budget', 0) ?? 0;
  // Problems of the settings are reported at once, not with the first question.
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const parts = mcpParts({ platform, general, budget });
  const { serveLines } = await import('../../mcp/serve-mcp.ts');
  const { stdin, stdout } = platform.io;
  const streams = { input: stdin.pieces(), write: (text: string) => stdout.write(text) };
  await Promise.race([serveLines(parts, streams), interrupted(signal)]);
}

// Answers questions of tools by running command lines inside of this program: what a tool says is what the terminal prints.
/** Questions at a time. */
const AT_ONCE = 4;

interface AskByWordsOptions {
  readonly platform: Platform;
  /** Options of every command line: which mirror, which service. */
  readonly general: readonly string[];
  /** Requests that may be sent to the service in all. */
  readonly budget: number;
  /** Refuses what the mirror holds in part only. */
  readonly strict?: boolean;
}

export function mcpParts(options: AskByWordsOptions): McpParts {
  return {
    version: globalThis.MACRO_VERSION ?? '0.0.0',
    ask: createAskByWords(options),
    documents: documentsOf(options.platform),
  };
}

/** The documents beside the program; the single executable has none. */
function documentsOf({ files, program }: Platform): readonly PackageDocument[] {
  const script = program.at(-1);
  const folder = script === undefined ? '' : join(dirname(dirname(script)), 'docs');
  if (program.length < 2 || !files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({ name, read: () => files.readText(join(folder, name)) }));
}

/** Each question has an app of its own, so a mirror that is made or replaced meanwhile is seen. */
function createAskByWords({ platform, general, budget, strict = false }: AskByWordsOptions): AskProgram {
  let left = budget;
  const counted: Platform['fetch'] = (url, init) => {
    left -= 1;
    return platform.fetch(url, init);
  };
  // Two that spend at a time could spend more than there is.
  const inTurn = createTurns(budget > 0 ? 1 : AT_ONCE);
  return (request, signal) =>
    inTurn(async () => {
      const asking = request.kind === 'endpoint' || request.path[0] === 'compare';
      const source = left > 0 ? [`--budget=${left}`] : ['--offline'];
      const captured = capturedPlatform({ ...platform, fetch: counted });
      const isSpent = asking && budget > 0 && left <= 0;
      const message = 'The budget of requests is spent: the mirror alone answers.';
      const said: ToolMessage[] = isSpent ? [{ level: 'note', code: 'budget_spent', message }] : [];
      try {
        const more = asking ? [...source, ...(strict ? [] : ['--allow-partial'])] : [];
        await runProgram(commandLineOf(request, [...general, ...more]), captured.platform, signal);
      } catch (error) {
        await reportError(signal.aborted ? signal.reason : error, ['--format=json'], captured.platform);
      }
      return { body: captured.out(), messages: [...said, ...messagesIn(captured.err())] };
    });
}

/** Messages come one JSON object a line. */
function messagesIn(text: string): readonly ToolMessage[] {
  return text.split('\n').flatMap((line) => {
    const parsed = parseJson(line);
    if (!isJsonObject(parsed) || typeof parsed.message !== 'string') return [];
    const { level, code, message, kind, hint } = parsed;
    return [
      {
        level: level === 'error' || level === 'warning' ? level : 'note',
        code: typeof code === 'string' ? code : null,
        message,
        ...(typeof kind === 'string' && { kind }),
        ...(typeof hint === 'string' && { hint }),
      },
    ];
  });
}

/** The words after `macro`. Client input stands behind `--` or inside an option, so it is never read as an option. */
function commandLineOf(request: ToolRequest, more: readonly string[]): readonly string[] {
  if (request.kind === 'command') {
    const options = Object.entries(request.options).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one) => `--${name}=${one}`),
    );
    return [...request.path, ...options, ...more, '--format=json', '--', ...request.words];
  }
  const { endpoint, args, window } = request;
  const words = Object.keys(endpoint.at).flatMap((name) => args[name] ?? []);
  const options = Object.entries(args).flatMap(([name, value]) =>
    Object.hasOwn(endpoint.at, name) ? [] : [`--${optionOf(endpoint, name)}=${value}`],
  );
  const page = window ? [`--limit=${window.limit}`, `--offset=${window.offset}`] : [];
  return [...(endpoint.cli?.words ?? []), ...options, ...page, ...more, '--format=json', '--', ...words];
}

function optionOf(endpoint: Endpoint, name: string): string {
  const isMoment = MOMENT.has(name) && canBePast(endpoint);
  if (isMoment || Object.hasOwn(endpoint.query, name)) return optionName(name);
  const legal = [...Object.keys(endpoint.at), ...Object.keys(endpoint.query)];
  throw new MacroError('usage', `${endpoint.id} has no argument '${name.slice(0, 60)}'.`, {
    code: 'bad_arguments',
    hint: `Legal arguments: ${legal.join(', ') || 'none'}.`,
  });
}
