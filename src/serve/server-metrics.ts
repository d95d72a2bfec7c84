import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { ServedRoute } from './routes.ts';

/** Metrics of the server itself, beside those of its mirror. */
export interface ServerMetrics {
  /** Counts each request that is over. */
  watch(app: FastifyInstance): void;
  /** The text that Prometheus reads. */
  text(): Promise<string>;
}

interface ServerMetricsParts {
  readonly routes: readonly ServedRoute[];
  readonly mirror: Partial<Pick<Mirror, 'shared' | 'outbox'>> | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  /** Answers that were sent as they were cached in memory. */
  readonly cacheHits: () => number;
}

/** One measured thing under all its labels. Every number that cannot be known is left out. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number | undefined;
}

/** Seconds. Streams are no part of the histogram: they end when their readers do. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests that no route took are one label, since anybody can make up paths. */
const NO_ROUTE = 'none';

export function createServerMetrics({ routes, mirror, now, cacheHits }: ServerMetricsParts): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `macro_${name}`, help, labelNames, registers });
  const requests = new Counter({
    name: 'macro_http_requests_total',
    help: 'Requests that were answered, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const bytes = new Counter({
    name: 'macro_http_sent_bytes_total',
    help: 'Bytes that were sent, headers included, by route.',
    labelNames: ['route'],
    registers,
  });
  const latency = new Histogram({
    name: 'macro_http_request_duration_seconds',
    help: 'Time until the last byte of an answer, by route; streams are left out.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  const hits = new Counter({
    name: 'macro_cache_hits_total',
    help: 'Answers that were sent as they were cached in memory.',
    registers,
  });
  let hitsBefore = 0;
  const streams = gauge('open_streams', 'Streams that are open.');
  const parts = [
    ...(mirror?.outbox ? [outboxGauges(mirror.outbox, { gauge, now })] : []),
    ...(mirror?.shared ? [sharedGauges(mirror.shared, gauge)] : []),
  ];
  const streamed = new Set(
    routes
      .filter(({ endpoint }) => endpoint.body.kind === 'stream')
      .flatMap(({ paths }) => paths.map((path) => path.replaceAll('{', ':').replaceAll('}', ''))),
  );
  return {
    watch(app) {
      const sentBefore = new WeakMap<object, number>();
      app.addHook('onRequest', (request, _, done) => {
        sentBefore.set(request, request.raw.socket.bytesWritten ?? 0);
        if (streamed.has(request.routeOptions.url ?? '')) streams.inc();
        done();
      });
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? NO_ROUTE;
        requests.inc({ route, status: String(reply.raw.statusCode) });
        bytes.inc({ route }, Math.max(0, (request.raw.socket.bytesWritten ?? 0) - (sentBefore.get(request) ?? 0)));
        if (streamed.has(route)) streams.dec();
        else latency.observe({ route }, reply.elapsedTime / 1000);
        done();
      });
    },
    async text() {
      const count = cacheHits();
      hits.inc(count - hitsBefore);
      hitsBefore = count;
      for (const read of parts) await read();
      return registry.metrics();
    },
  };
}

type MakeGauge = (name: string, help: string, ...labels: string[]) => Gauge;

function outboxGauges(
  outbox: Pick<Mirror['outbox'], 'backlog'>,
  { gauge, now }: { readonly gauge: MakeGauge; readonly now: () => number },
): () => Promise<void> {
  const open = gauge('outbox_deliveries', 'Webhook deliveries that wait, those under way included.');
  const age = gauge('outbox_oldest_seconds', 'Age of the oldest delivery that waits; 0 when none does.');
  return async () => {
    const { deliveries, oldestMs } = await outbox.backlog(now());
    open.set(deliveries);
    age.set(oldestMs / 1000);
  };
}

function sharedGauges(shared: NonNullable<Mirror['shared']>, gauge: MakeGauge): () => Promise<void> {
  const connections = gauge('pool_connections', 'Connections to the server of the mirror, by state.', 'state');
  const waiting = gauge('pool_waiting', 'Questions that wait for a connection.');
  const leases = gauge('lease_age_seconds', 'Time since a lock was taken, by its name and holder.', 'lease', 'holder');
  return async () => {
    const counts = await shared.connections();
    connections.set({ state: 'used' }, counts.inUse);
    connections.set({ state: 'idle' }, counts.idle);
    waiting.set(counts.waiting);
    leases.reset();
    for (const { name, holder, ageMs } of await shared.leases()) leases.set({ lease: name, holder }, ageMs / 1000);
  };
}

/** The families as Prometheus reads them. One without a known sample is left out. */
export async function prometheusText(families: readonly MetricFamily[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, samples } of families) {
    const known = samples.flatMap(({ labels = {}, value }) => (value === undefined ? [] : [{ labels, value }]));
    if (known.length === 0) continue;
    const gauge = new Gauge({ name, help, labelNames: Object.keys(known[0]?.labels ?? {}), registers: [registry] });
    for (const { labels, value } of known) gauge.set(labels, value);
  }
  return (await registry.metrics()).replaceAll('\n\n', '\n');
}
