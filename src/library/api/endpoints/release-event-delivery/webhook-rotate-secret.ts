// Made from the endpoints by npm run gen. Do not edit.
/** A new signing secret of a subscription: what is asked. */
export interface WebhookRotateSecretQuery {
  /** id of a subscription */ readonly subscription_id: string;
}

/** Makes a new signing secret, in force from the next attempt on, and tells it once */
export interface WebhookRotateSecretPostAnswer {
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
