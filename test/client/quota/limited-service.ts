import type { IncomingMessage, ServerResponse } from 'node:http';
import type { QuotaReport } from '../../../src/client/quota/rate-headers.ts';
import type { Limiter } from './exact-limiter.ts';

/** The headers of docs/interface-access.md#rate-limits, for what a limiter told. */
export function headersOf(told: QuotaReport): Record<string, string> {
  const { policy, primary, resets, tightest, retryAfter } = told;
  return {
    'content-type': 'application/json',
    'RateLimit-Limit': `${primary?.limit}`,
    'RateLimit-Remaining': `${primary?.left}`,
    'RateLimit-Reset': `${resets}`,
    'RateLimit-Policy': policy.map(({ limit, seconds }) => `${limit};w=${seconds}`).join(', '),
    'X-RateLimit-Limit': `${tightest?.limit}`,
    'X-RateLimit-Remaining': `${tightest?.left}`,
    'X-RateLimit-Window': `${tightest?.name}`,
    ...(retryAfter !== undefined && { 'Retry-After': `${retryAfter}` }),
  };
}

/** Answers `GET /v1/risk_sentiment` page by page, as long as the limiter lets it. */
export function limitedSentiment(limiter: Limiter, rows: number, now: () => number) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const told = limiter.arrive(now());
    response.on('close', () => limiter.leave());
    const body = told.isRefused ? { detail: 'spent', code: 'rate_limit_exceeded' } : pageOf(request.url ?? '', rows);
    response.writeHead(told.isRefused ? 429 : 200, headersOf(told)).end(JSON.stringify(body));
  };
}

function pageOf(url: string, rows: number): unknown {
  const query = new URL(url, 'http://service.invalid').searchParams;
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset') ?? 0)];
  const count = Math.min(limit, rows - offset);
  const next = offset + count;
  const pagination = { limit, offset, returned_count: count, total_count: rows, has_more: next < rows };
  return {
    start_date: query.get('start_date'),
    end_date: query.get('end_date') ?? '2026-11-20',
    data: Array.from({ length: count }, (_, i) => ({
      date: new Date(Date.UTC(2026, 10, 20) - (offset + i) * 86_400_000).toISOString().slice(0, 10),
      val: 0.5,
    })),
    pagination: { ...pagination, ...(next < rows && { next_offset: next }) },
  };
}
