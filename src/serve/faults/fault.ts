// Faults as values: what can go wrong, and what it hits.
/** Which of the things that a fault concerns it hits. They are requests, events of a connection, or deliveries. */
export interface FaultWindow {
  /** Part of them that is hit, drawn from the seed: 0 to 1. All when left out. */
  readonly share?: number;
  /** So many pass first. */
  readonly skip?: number;
  /** So many are in reach after that; all when left out. */
  readonly times?: number;
  /** `skip` and `times` begin anew after so many. */
  readonly every?: number;
}

/** What goes wrong with an answer. */
export type AnswerFault =
  | { readonly fault: 'latency'; readonly ms: number; readonly jitter?: number }
  | { readonly fault: 'reset'; readonly bytes?: number }
  | { readonly fault: 'truncated-gzip'; readonly bytes?: number }
  | { readonly fault: 'wrong-length'; readonly by?: number }
  | { readonly fault: 'error'; readonly status?: number; readonly retry_after?: number }
  | { readonly fault: 'limit'; readonly window: LimitFaultWindow; readonly retry_after?: number }
  | { readonly fault: 'page'; readonly as: PageLie }
  | { readonly fault: 'stale-etag' }
  | { readonly fault: 'clock-skew'; readonly seconds: number };

export type LimitFaultWindow = 'minute' | 'hour' | 'day' | 'month' | 'concurrency' | 'endpoint';
export type PageLie = 'repeated' | 'shifted' | 'empty' | 'total' | 'next';

/** What goes wrong with the events of a stream. */
export type EventFault =
  | { readonly fault: 'stall'; readonly ms?: number }
  | { readonly fault: 'cut'; readonly bytes?: number }
  | { readonly fault: 'doubled' }
  | { readonly fault: 'late'; readonly by?: number; readonly ms?: number }
  | { readonly fault: 'reordered'; readonly size?: number; readonly ms?: number };

/** What goes wrong with webhooks. */
export type DeliveryFault = { readonly fault: 'webhook-doubled'; readonly copies?: number };

export type InjectedFault = AnswerFault | EventFault | DeliveryFault;
export type FaultName = InjectedFault['fault'];

/** A fault and what it hits. */
export type FaultRule = InjectedFault & FaultWindow & { readonly path?: string };

/** A rule with the name under which it draws. */
export interface NamedFault<F extends InjectedFault = InjectedFault> {
  readonly name: string;
  readonly rule: F & FaultWindow;
}
