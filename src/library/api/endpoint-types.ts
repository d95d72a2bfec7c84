// Stands in for the types of the endpoints, which the build makes of their descriptions: see scripts/library-types.mjs.
import type { Method, StreamMethod } from './methods.ts';

/** A method for each question that service and mirror answer. */
export type QuestionMethods<Options> = Readonly<Record<never, Method<object, unknown, Options>>>;

/** A method for each endpoint that only a service has. */
export interface ServiceMethods {
  readonly streamEvents: StreamMethod<object, StreamEventsRow>;
}

/** A release event. */
export type StreamEventsRow = object;
