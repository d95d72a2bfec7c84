// Made from the endpoints by npm run gen. Do not edit.
/** Liveness probe with the label of the service: what is asked. */
export interface HealthQuery {
}

/** Liveness probe with the label of the service */
export interface HealthBody {
  /** ok */ readonly status: string;
  /** label of the service */ readonly service: string;
}
