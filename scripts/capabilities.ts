// How the program offers each endpoint, for the documents.
import type { Endpoint } from '../src/contract/endpoint.ts';

/** The ways in which the program can offer an endpoint. */
export const CAPABILITIES = ['command', 'live', 'mirrored', 'offline', 'served', 'provisional'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Whether an endpoint has a facet; `told` says more of it, or why it is missing. */
export interface Capabilities {
  readonly there: boolean;
  readonly text: string;
}

type Judged = Pick<
  Endpoint,
  'cli' | 'commands' | 'compose' | 'deprecated' | 'local' | 'mirror' | 'provisional' | 'sameAs' | 'without'
>;

/** How the program offers an endpoint. The contract, else the way of composing, says why a facet is missing. */
export function serviceCapabilities(endpoint: Judged): Readonly<Record<Capability, Capabilities>> {
  const { cli, commands = [], mirror, provisional, without = {} } = endpoint;
  const words = cli ? [cli.words.join(' ')] : commands;
  return {
    command:
      words.length > 0
        ? { there: true, text: words.join(', ') }
        : missing(without.command ?? (endpoint.deprecated && 'deprecated; it has a successor')),
    live: without.live === undefined ? { there: true, text: '' } : missing(without.live),
    mirrored: mirror ? { there: true, text: mirror.table } : missing(without.mirrored ?? unkeptBecause(endpoint)),
    offline: without.offline === undefined ? { there: true, text: '' } : missing(without.offline),
    served: without.served === undefined ? { there: true, text: '' } : missing(without.served),
    provisional: provisional ? { there: true, text: provisional } : missing('as specified'),
  };
}

function unkeptBecause({ compose, local, sameAs }: Judged): string | undefined {
  if (sameAs) return `its rows are those of ${sameAs.endpoint.path}`;
  if (local) return 'follows from the clock alone';
  return compose ? 'made of what other routes keep' : undefined;
}

function missing(reason: string | undefined): Capabilities {
  return { there: false, text: reason ?? '' };
}
