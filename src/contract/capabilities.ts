import type { Endpoint } from './endpoint.ts';

/** The ways in which the program can offer an endpoint. */
export const CAPABILITIES = ['command', 'live', 'mirrored', 'offline', 'served', 'provisional'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Whether an endpoint has a facet; `told` says more of it, or why it is missing. */
export interface Capabilities {
  readonly there: boolean;
  readonly told: string;
}

type Judged = Pick<
  Endpoint,
  | 'aboutServer'
  | 'cli'
  | 'commands'
  | 'compose'
  | 'deprecated'
  | 'fromContract'
  | 'local'
  | 'mirror'
  | 'provisional'
  | 'sameAs'
  | 'without'
>;

/** True for what `serve` answers; the others are known to the client and to documents only. */
export function isServed({ without }: Pick<Endpoint, 'without'>): boolean {
  return without?.served === undefined;
}

/**
 * How the program offers an endpoint. Where a facet is missing, the contract of the endpoint says why, or the way in which
 * its answer comes about does.
 */
export function serviceCapabilities(endpoint: Judged): Readonly<Record<Capability, Capabilities>> {
  const { cli, commands = [], mirror, provisional, without = {} } = endpoint;
  const words = cli ? [cli.words.join(' ')] : commands;
  const offline = canAnswerOffline(endpoint);
  return {
    command:
      words.length > 0
        ? { there: true, told: words.join(', ') }
        : missing(without.command ?? (endpoint.deprecated && 'deprecated; it has a successor')),
    live: without.live === undefined ? { there: true, told: '' } : missing(without.live),
    mirrored: mirror ? { there: true, told: mirror.table } : missing(without.mirrored ?? unkeptBecause(endpoint)),
    offline: offline ? { there: true, told: '' } : missing(without.offline ?? unkeptBecause(endpoint)),
    served: without.served === undefined ? { there: true, told: '' } : missing(without.served),
    provisional: provisional ? { there: true, told: provisional } : missing('as specified'),
  };
}

/** True where the mirror, the clock alone or the contract can answer what the service answers. */
function canAnswerOffline({ aboutServer, compose, fromContract, local, mirror, sameAs }: Judged): boolean {
  if (aboutServer) return false;
  return [compose, fromContract, local, mirror, sameAs].some((means) => means !== undefined);
}

function unkeptBecause({ aboutServer, compose, fromContract, local, sameAs }: Judged): string | undefined {
  if (aboutServer) return 'speaks of the running server';
  if (sameAs) return `its rows are those of ${sameAs.endpoint.path}`;
  if (local) return 'follows from the clock alone';
  if (fromContract) return 'made from the contract of the program';
  return compose ? 'made of what other routes keep' : undefined;
}

function missing(reason: string | undefined): Capabilities {
  return { there: false, told: reason ?? '' };
}
