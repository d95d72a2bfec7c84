// Answers questions of tools by running command lines inside of this program: what a tool says is what the terminal prints.

import { isJsonObject, parseJson } from '../../../contract/json/json.ts';
import type { AskProgram, ToolMessage } from '../../../mcp/tool-request.ts';
import type { Platform } from '../../../platform/platform.ts';
import { capturedPlatform } from '../../app/platforms/captured-platform.ts';
import { reportError, runProgram } from '../../program.ts';
import { commandLineOf } from './command-line-of.ts';

/** Questions at a time. */
const AT_ONCE = 4;

export interface AskByWordsOptions {
  readonly platform: Platform;
  /** Options of every command line: which mirror, which service. */
  readonly general: readonly string[];
  /** Requests that may be sent to the service in all. */
  readonly budget: number;
  /** Refuses what the mirror holds in part only. */
  readonly strict?: boolean;
}

/** Each question has an app of its own, so a mirror that is made or replaced meanwhile is seen. */
export function createAskByWords({ platform, general, budget, strict = false }: AskByWordsOptions): AskProgram {
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
      const said: ToolMessage[] =
        asking && budget > 0 && left <= 0
          ? [
              {
                level: 'note',
                code: 'budget_spent',
                message: 'The budget of requests is spent: the mirror alone answers.',
              },
            ]
          : [];
      try {
        const words = commandLineOf(request, [
          ...general,
          ...(asking ? [...source, ...(strict ? [] : ['--allow-partial'])] : []),
        ]);
        await runProgram(words, captured.platform, signal);
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

/** Runs so many pieces of work at a time, the others in the order in which they came. */
function createTurns(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
