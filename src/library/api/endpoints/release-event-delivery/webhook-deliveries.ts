// Made from the endpoints by npm run gen. Do not edit.
/** Deliveries to the webhooks of a key, newest first, of the last 30 days: what is asked. */
export interface WebhookDeliveriesQuery {
  /** id of a subscription */ readonly subscription_id?: string;
  /** how far a delivery is */ readonly status?: 'pending' | 'retrying' | 'succeeded' | 'failed';
  /** deliveries wanted */ readonly limit?: number;
}

/** Deliveries to the webhooks of a key, newest first, of the last 30 days: one row. */
export interface WebhookDeliveriesRow {
  /** subscription and event, joined by an underscore */ readonly id: string;
  readonly subscription_id: string;
  readonly event_id: string;
  /** announcement */ readonly event?: string;
  /** pending, retrying, succeeded or failed */ readonly status: string;
  readonly attempt_count?: number;
  readonly last_status_code?: number | null;
  readonly last_error?: string | null;
  readonly delivered_at?: string | null;
}

/** Deliveries to the webhooks of a key, newest first, of the last 30 days: the whole answer. */
export interface WebhookDeliveriesBody {
  readonly count?: number;
  readonly data: readonly WebhookDeliveriesRow[];
}
