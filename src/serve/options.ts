import type { Endpoint } from '../contract/endpoint.ts';
import type { ServiceLabels } from '../contract/hooks.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { ServerBounds } from '../platform/bounded-server.ts';
import type { Platform } from '../platform/platform.ts';
import type { Source } from '../source/source.ts';
import type { Subscriptions } from '../webhooks/send/subscriptions.ts';
import type { KeyList } from './access/keys.ts';
import type { FaultEngine } from './faults/fault-engine.ts';
import type { PageParts } from './pages/page-parts.ts';
import type { LoggedRequest } from './request-log.ts';

/** How a server behaves. */
export interface ServeOptions {
  /** Names and addresses that answers carry. */
  readonly labels: ServiceLabels;
  /** The only keys that are good; any well-formed key is when left out. */
  readonly keys?: KeyList;
  /** No access rules and no quotas: every caller is treated as the owner of the mirror. */
  readonly open?: boolean;
  /** False lifts every budget. */
  readonly quotas?: boolean;
  /** Answers that the mirror holds in part only are refused with 503. */
  readonly strict?: boolean;
  /** Stands before the names of the service's own headers; default `X-SVC`. */
  readonly headerPrefix?: string;
  /** The host that is listened on; requests to other names are refused. Any name is answered without it. */
  readonly boundTo?: string;
  /** Names beside those of the machine under which the server may be asked. */
  readonly allowedHosts?: readonly string[];
  /** The clock of the server; default: the platform's. */
  readonly now?: Now;
  /** Bytes of finished answers that are cached. */
  readonly bodyBytes?: number;
  /** Milliseconds after which the readers of streams are asked to come back. */
  readonly streamRetry?: number;
}

/** The parts of a server. */
export interface ServerParts {
  readonly source: Source;
  /** Source of streams and pages, if it differs from `source`: neither may cost a request to a service. */
  readonly mirrorSource?: Source;
  /** Tells when the mirror changes and which words it holds; without one the tables of the contract decide alone. */
  readonly mirror?: Pick<Mirror, 'look' | 'state' | 'find'> & Partial<Pick<Mirror, 'journal' | 'outbox' | 'shared'>>;
  readonly endpoints: readonly Endpoint[];
  /** Management of webhooks; without it their routes are not there. */
  readonly subscriptions?: Subscriptions | undefined;
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  /** Tells whoever runs the server what went wrong; the code names it for programs. Silent when left out. */
  readonly log?: (text: string, code: string) => void;
  /** Explains an error that nobody expected by the damage of a mirror; gives any other one back as it is. */
  readonly explain?: (error: unknown) => Promise<unknown>;
  /** The text of `/metrics` about the mirror, before that about the server; without it there is no such page. */
  readonly metrics?: (() => Promise<string>) | undefined;
  /** Answers `/mcp`; without it there is no such page. */
  readonly mcp?: ((request: Request) => Promise<Response>) | undefined;
  /** Parts of the pages for people; without them a few lines of text are served. */
  readonly pages?: PageParts | undefined;
  /** Called with each finished request. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
  /** Spoils answers on purpose; see docs/faults.md. */
  readonly faults?: FaultEngine | undefined;
  /** Other bounds than the default ones. */
  readonly bounds?: Partial<ServerBounds>;
  readonly options: ServeOptions;
}

/** Requests larger than this are refused; docs/interface-access.md#errors has the code for a body. */
export const LIMITS = {
  bodyBytes: 1_048_576,
  urlLength: 8_192,
} as const;

/** The limits of peers. */
export const BOUNDS: ServerBounds = {
  headerBytes: 16_384,
  connections: 1_024,
  pipelined: 32,
  unreadBytes: 64 * 1024 * 1024,
  headersTime: 30_000,
  requestTime: 30_000,
  idle: 60_000,
  silence: 60_000,
};

/** Milliseconds since the epoch, as this server sees them. */
export type Now = () => number;
