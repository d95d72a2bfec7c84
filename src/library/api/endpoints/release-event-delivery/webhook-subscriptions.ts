// Made from the endpoints by npm run gen. Do not edit.
/** Webhook subscriptions of a key, newest first: what is asked. */
export interface WebhookSubscriptionsQuery {
}

/** Webhook subscriptions of a key, newest first: one row. */
export interface WebhookSubscriptionsRow {
  /** sub_ and lower-case base32 */ readonly id: string;
  /** public https address */ readonly url: string;
  /** active or disabled */ readonly status: string;
  readonly events: readonly string[];
  readonly currencies?: readonly string[] | null;
  readonly indicators?: readonly string[] | null;
  readonly description?: string | null;
  /** deliveries that failed for good */ readonly failure_count?: number;
  /** since the last success */ readonly consecutive_failure_count?: number;
  readonly success_count?: number;
  readonly created_at?: string;
  readonly updated_at?: string | null;
  readonly disabled_at?: string | null;
  readonly disabled_reason?: string | null;
}

/** Webhook subscriptions of a key, newest first: the whole answer. */
export interface WebhookSubscriptionsBody {
  readonly count?: number;
  readonly data: readonly WebhookSubscriptionsRow[];
}

/** The body that is sent. */
export interface WebhookSubscriptionsPost {
  /** public https address that events are posted to */ readonly url: string;
  readonly events?: readonly 'announcement'[];
  /** codes, in any letter case */ readonly currencies?: readonly string[] | null;
  /** slugs, in any letter case */ readonly indicators?: readonly string[] | null;
  readonly description?: string | null;
}

/** Subscribes an address to releases; tells its signing secret once */
export interface WebhookSubscriptionsPostAnswer {
  /** sub_ and lower-case base32 */ readonly id: string;
  /** public https address */ readonly url?: string;
  /** active or disabled */ readonly status?: string;
  readonly events?: readonly string[];
  readonly currencies?: readonly string[] | null;
  readonly indicators?: readonly string[] | null;
  readonly description?: string | null;
  /** deliveries that failed for good */ readonly failure_count?: number;
  /** since the last success */ readonly consecutive_failure_count?: number;
  readonly success_count?: number;
  readonly created_at?: string;
  readonly updated_at?: string | null;
  readonly disabled_at?: string | null;
  readonly disabled_reason?: string | null;
  /** whsec_ and 64 hex digits */ readonly signing_secret: string;
}
