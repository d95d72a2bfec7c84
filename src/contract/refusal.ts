import type { Endpoint } from './endpoint.ts';
import type { Envelope, ServiceLabels } from './hooks.ts';
import type { JsonObject } from './json/json.ts';
import type { Args } from './params/param.ts';

/**
 * What the refusal of a question without a key says beside `detail` and `code`: taken from the answer of an endpoint that
 * needs none. Such a body has no member `error`. See docs/interface.md#predictions.
 */
export interface EndpointRefusal {
  /** The question whose answer is public. */
  asks(args: Args): { readonly endpoint: Endpoint; readonly args: Args };
  /** The members, from the body of that answer; it is undefined where nobody could give it. */
  tell(body: JsonObject | undefined, context: { readonly args: Args; readonly labels: ServiceLabels }): Envelope;
}
