// `macro mcp`: standard input and output carry the protocol and nothing else.
import type { App } from '../../app/app.ts';
import { interrupted, readCount, textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { mcpParts } from './mcp-parts.ts';

/** Options that name the mirror and the service; every question has them too. */
const WHERE = ['profile', 'base-url', 'mirror', 'trace', 'record', 'replay'] as const;

/** Answers one client until it goes away. */
export async function runMcp(app: App, { options }: Call): Promise<void> {
  const { platform, signal } = app;
  const general = WHERE.flatMap((name) => {
    const value = textOption(options, name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const budget = readCount(options, 'budget', 0) ?? 0;
  // What is wrong with the settings is told at once, not with the first question.
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const parts = mcpParts({ platform, general, budget });
  const { serveLines } = await import('../../../mcp/serve-mcp.ts');
  const { stdin, stdout } = platform.io;
  const streams = { input: stdin.pieces(), write: (text: string) => stdout.write(text) };
  await Promise.race([serveLines(parts, streams), interrupted(signal)]);
}
