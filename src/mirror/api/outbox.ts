/**
 * Deliveries that a server owes to subscribers; times are milliseconds. Each operation is one transaction. One server
 * claims a delivery until a moment; an unsettled delivery is posted again after that. On a server, its clock dates
 * claims and waits, not the callers' clocks.
 */
export interface Outbox {
  /** Adds a subscription to events that come from now on; false when its owner has as many as he may have. */
  addSubscription(subscription: NewSubscription, most: number): Promise<boolean>;
  /** Newest first; of one owner, or of all. */
  subscriptions(owner?: string): Promise<readonly Subscription[]>;
  subscription(id: string): Promise<Subscription | undefined>;
  /** Changes a subscription and gives it, if any. Activating starts anew, disabling ends open deliveries. */
  changeSubscription(id: string, change: SubscriptionChange, at: number): Promise<Subscription | undefined>;
  /** Forgets a subscription with its deliveries; false when there is none. */
  removeSubscription(id: string): Promise<boolean>;
  /** Deliveries to the subscriptions of an owner, newest first. */
  deliveries(ask: DeliveriesAsk): Promise<readonly Delivery[]>;

  /** Position of the journal up to which deliveries were made. */
  position(): Promise<number>;
  /** Adds deliveries up to a position of the journal. `event`: the id of the event there, see `moveConsumer`. */
  enqueue(deliveries: readonly NewDelivery[], position: number, at: number, event?: string): Promise<void>;
  /** For each active subscription with open deliveries, when the next one is due, by the clock that shows `now`. */
  due(now?: number): Promise<readonly { readonly subscription: string; readonly at: number }[]>;
  /** How many deliveries are open, and milliseconds since the oldest of them was made; 0 where none is. */
  backlog(now: number): Promise<{ readonly deliveries: number; readonly oldestMs: number }>;
  /** Takes due deliveries of active subscriptions, of each so many that at most `parallel` are under way. */
  claim(claim: DeliveryClaim): Promise<readonly ClaimedDelivery[]>;
  /** Notes what came of attempts, but those whose claim ran out and that another holder has. */
  settle(attempts: readonly Attempt[]): Promise<void>;
  /** Gives back what a holder has not settled, as if it had never been claimed. */
  release(holder: string, at: number): Promise<void>;
  forgetDeliveries(before: number): Promise<void>;
}

export interface NewSubscription {
  readonly id: string;
  /** Who may see and change it: the digest of a key. */
  readonly owner: string;
  readonly url: string;
  /** Lower case; undefined for all. */
  readonly currencies: readonly string[] | undefined;
  readonly indicators: readonly string[] | undefined;
  readonly description: string | undefined;
  readonly createdAt: number;
}

export interface Subscription extends NewSubscription {
  readonly status: 'active' | 'disabled';
  /** Position of the journal after which it takes events. */
  readonly since: number;
  /** Deliveries that ended well, that ended badly, and that ended badly since one ended well. */
  readonly successes: number;
  readonly failures: number;
  readonly consecutiveFailures: number;
  /** The first attempt that failed since one did not. */
  readonly failingSince: number | undefined;
  readonly updatedAt: number | undefined;
  readonly disabledAt: number | undefined;
  readonly disabledReason: string | undefined;
}

/** Members that are there are changed; undefined is a value. */
export interface SubscriptionChange {
  readonly url?: string;
  readonly currencies?: readonly string[] | undefined;
  readonly indicators?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly status?: 'active' | 'disabled';
  /** Why it is disabled. */
  readonly reason?: string;
}

export interface NewDelivery {
  readonly id: string;
  readonly subscription: string;
  readonly event: string;
  /** Its place in the journal. */
  readonly position: number;
  /** The posted bytes, the same at each attempt. */
  readonly body: string;
}

export type DeliveryStatus = 'pending' | 'retrying' | 'succeeded' | 'failed';

export interface Delivery extends Pick<NewDelivery, 'id' | 'subscription' | 'event'> {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastStatus: number | undefined;
  readonly lastError: string | undefined;
  readonly deliveredAt: number | undefined;
  /** When it is tried again; undefined before the first attempt, while it is tried and behind the last attempt. */
  readonly nextAt: number | undefined;
}

export interface DeliveriesAsk {
  readonly owner: string;
  readonly subscription?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Only deliveries made since then. */
  readonly since: number;
  readonly limit: number;
}

export interface DeliveryClaim {
  readonly destinations: readonly { readonly subscription: string; readonly parallel: number }[];
  /** Names the sender, in this run of its program. */
  readonly holder: string;
  readonly now: number;
  /** When the claim runs out. */
  readonly until: number;
}

export interface ClaimedDelivery extends Omit<NewDelivery, 'position'> {
  readonly url: string;
  readonly attempts: number;
}

export interface Attempt {
  readonly delivery: string;
  readonly holder: string;
  readonly at: number;
  /** Status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  readonly result: AttemptResult;
  /** When a subscription has failed too often. */
  readonly limits: { readonly failures: number; readonly streak: number };
}

export type AttemptResult =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'retry'; readonly error: string; readonly at: number }
  /** `disables`: the subscription ends with it, and why. */
  | { readonly kind: 'failed'; readonly error: string; readonly disables?: string };

/** The end of an open delivery whose subscription is disabled. */
export const SUBSCRIPTION_DISABLED = 'subscription disabled';

/** The name under which the journal knows how far deliveries were made. No consumer that a person names has a blank. */
export const OUTBOX_CONSUMER = 'macro serve';
