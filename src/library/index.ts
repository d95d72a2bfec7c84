// The package as other programs import it. What is exported here is public: test/library/surface.d.ts records its types.
export type { Missing, PartialMark } from '../contract/answer-members.ts';
export { MacroError } from '../errors.ts';
export type { FaultRule } from '../serve/faults/fault.ts';
export type * from './api/endpoint-types.ts';
export type * from './api/methods.ts';
export type * from './api/mirror.ts';
export type * from './api/server.ts';
export type * from './api/service.ts';
export type * from './api/webhook.ts';
export {
  AuthError,
  IncompleteError,
  InterruptedError,
  MirrorError,
  NotFoundError,
  ProtocolError,
  QuotaError,
  UpstreamError,
  UsageError,
  VerificationError,
} from './errors.ts';
export {
  createMacroServer,
  createServiceClient as createClient,
  followEvents,
  verifyWebhookRequest as verifyWebhook,
} from './functions.ts';
export { openReadMirror as openMirror } from './mirror/open-mirror.ts';
