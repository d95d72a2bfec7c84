import type { CommandSpec } from './command.ts';
import { ASKING, FORECASTS, GENERAL, PAST, QUESTION, ROWS, SCHEMA } from './common-options.ts';
import type { EndpointCommand } from './endpoint-faces.ts';

/** The commands of endpoints, with what all such commands have in common. */
export function endpointCommands(faces: readonly EndpointCommand[]): readonly CommandSpec[] {
  return faces.map(({ id, hasRows, hasPast, options, ...view }) => ({
    ...view,
    options: [
      ...options,
      ...(id === 'announcements' ? [FORECASTS] : []),
      ...(hasRows ? QUESTION : ASKING),
      ...(hasPast ? PAST : []),
      ...ROWS,
      SCHEMA,
      ...GENERAL,
    ],
    ...(id === 'catalogue' && { changesWords: true }),
    run: async (app, call) => (await import('./endpoint/ask.ts')).ask(app, call, id),
  }));
}
