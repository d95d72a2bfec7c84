/** Why a request could not be read, as Node's parser and timers name it. */
export interface BrokenRequest {
  readonly code?: string;
}

const ANSWERS: Readonly<Record<string, readonly [string, string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'header_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive.'],
};
const MALFORMED = ['400 Bad Request', 'invalid_request', 'The request is not HTTP.'] as const;

/** The whole answer to what is no HTTP request, or to one that is too large or too slow. */
export function refusalText(error: BrokenRequest, headers: readonly string[]): string {
  const [status, code, detail] = ANSWERS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ detail, code, error: code });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...headers,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
