// Made from the endpoints by npm run gen. Do not edit.
/** Liveness probe: what is asked. */
export interface PingQuery {
}

/** Liveness probe */
export interface PingBody {
  /** ok */ readonly status: string;
  /** label of the service */ readonly service: string;
}
