// Made from the endpoints by npm run gen. Do not edit.
/** One webhook subscription: what is asked. */
export interface WebhookSubscriptionQuery {
  /** id of a subscription */ readonly subscription_id: string;
}

/** One webhook subscription */
export interface WebhookSubscriptionBody {
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

/** The body that is sent. */
export interface WebhookSubscriptionPatch {
  /** public https address that events are posted to */ readonly url?: string;
  readonly events?: readonly 'announcement'[];
  /** codes, in any letter case */ readonly currencies?: readonly string[] | null;
  /** slugs, in any letter case */ readonly indicators?: readonly string[] | null;
  readonly description?: string | null;
  readonly status?: 'active' | 'disabled';
}

/** Changes a subscription; status active resumes its deliveries, disabled stops them */
export interface WebhookSubscriptionPatchAnswer {
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
