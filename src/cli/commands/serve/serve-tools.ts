// What `serve --mcp` adds: the tools of `macro mcp` over HTTP, from the mirror that is served.
import { MacroError } from '../../../errors.ts';
import type { Clock } from '../../../platform/platform.ts';
import type { App } from '../../app/app.ts';
import { isOn, type Options } from '../../parse/options.ts';
import { hasOwnClock } from './serve-clock.ts';

/**
 * Refuses what the tools could not answer alike: they read the mirror as it is, not as it was.
 * @throws MacroError of kind `usage`.
 */
export function checkTools(options: Options): void {
  if (!isOn(options, 'mcp') || isOn(options, 'sandbox') || !hasOwnClock(options)) return;
  throw new MacroError('usage', '--mcp and a clock of its own exclude each other.', {
    code: 'bad_arguments',
    hint: 'Leave one of them out; the tools take as_of.',
  });
}

/** Answers requests to `/mcp`; nothing of the protocol is loaded without `--mcp`. */
export async function openTools(
  app: App,
  { options, path, clock }: { readonly options: Options; readonly path: string; readonly clock: Clock },
): Promise<((request: Request) => Promise<Response>) | undefined> {
  if (!isOn(options, 'mcp')) return undefined;
  const { mcpParts } = await import('../mcp/mcp-parts.ts');
  const { answerHttp } = await import('../../../mcp/serve-mcp.ts');
  const general = [`--mirror=${path}`];
  const strict = isOn(options, 'strict');
  return answerHttp(mcpParts({ platform: { ...app.platform, clock }, general, budget: 0, strict }));
}
