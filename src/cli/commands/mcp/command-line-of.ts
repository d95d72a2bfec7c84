// The command line that answers a question of a tool.
import type { Endpoint } from '../../../contract/endpoint.ts';
import { MacroError } from '../../../errors.ts';
import type { ToolRequest } from '../../../mcp/tool-request.ts';
import { optionName } from '../../parse/option-names.ts';
import { canBePast, MOMENT } from '../endpoint-faces.ts';

/**
 * The words after `macro`. What a client gave stands behind `--` or inside of an option, so it is never read as an option
 * of its own.
 */
export function commandLineOf(request: ToolRequest, more: readonly string[]): readonly string[] {
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
