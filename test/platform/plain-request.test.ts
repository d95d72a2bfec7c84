import type { IncomingMessage } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import {
  isPlainlyFramed,
  isWholeRequest,
  type PlainRequest,
  readPlainRequest,
} from '../../src/platform/shortcut/plain-request.ts';

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const read = (text: string, method: 'GET' | 'POST' = 'GET') => readPlainRequest(bytesOf(text), method);
/** A head of exactly so many bytes. */
const headOfLength = (length: number) => {
  const [begin, end] = ['GET / HTTP/1.1\r\nX-Long: ', '\r\n\r\n'];
  return `${begin}${'x'.repeat(length - begin.length - end.length)}${end}`;
};

describe('a head that came as one piece', () => {
  it('is its address, the text behind that, and of a POST what came with it', () => {
    const rest = ' HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n';
    expect([read(`GET /v1/x?y=%2C${rest}`), read(`POST /hook${rest}body`, 'POST')]).toEqual([
      { url: '/v1/x?y=%2C', rest, body: Buffer.alloc(0) },
      { url: '/hook', rest, body: bytesOf('body') },
    ]);
  });

  it('of a POST may come without its body, or with more than that', () => {
    const rest = ' HTTP/1.1\r\nContent-Length: 1\r\n\r\n';
    const bodies = ['', 'aPOST / HTTP/1.1\r\n\r\n'].map((body) => read(`POST /${rest}${body}`, 'POST'));
    expect(bodies).toEqual([
      { url: '/', rest, body: Buffer.alloc(0) },
      { url: '/', rest, body: bytesOf('aPOST / HTTP/1.1\r\n\r\n') },
    ]);
  });

  it('has 2,048 bytes at most; the body of a POST may be longer', () => {
    const asPost = (text: string) => read(text.replace('GET', 'POST'), 'POST');
    const longest = headOfLength(2_048);
    expect([read(longest)?.rest.length, read(headOfLength(2_049))]).toEqual([2_048 - 'GET /'.length, undefined]);
    expect(asPost(`${headOfLength(2_047)}${'b'.repeat(5_000)}`)?.body.length).toBe(5_000);
    expect(asPost(headOfLength(2_048))).toBeUndefined();
  });

  test.each([
    ['another verb', 'HEAD / HTTP/1.1\r\n\r\n'],
    ['a POST for a GET', 'POST / HTTP/1.1\r\n\r\n'],
    ['a verb in small letters', 'get / HTTP/1.1\r\n\r\n'],
    ['something before the verb', '\r\nGET / HTTP/1.1\r\n\r\n'],
    ['a whole address', 'GET http://a/ HTTP/1.1\r\n\r\n'],
    ['an older version', 'GET / HTTP/1.0\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['two spaces', 'GET /  HTTP/1.1\r\n\r\n'],
    ['a bare line feed', 'GET / HTTP/1.1\n\n'],
    ['no end', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['half an end', 'GET / HTTP/1.1\r\nHost: a\r\n\r'],
    ['a body', 'GET / HTTP/1.1\r\n\r\nx'],
    ['a second head', 'GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n'],
    ['nothing', ''],
  ])('is left to the parser: %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('an address', () => {
  const isPlain = (url: string) => read(`GET ${url} HTTP/1.1\r\n\r\n`) !== undefined;

  test.each([
    '/',
    '/v1/forex/EUR/USD?start_date=2026-01-01&indicators=rsi_14,ema_20',
    "/Az09_-.~!$&'()*+,;=:@/",
    "/?Az09_-.~!$&'()*+,;=:@/?",
    '/?a=%2C',
    '/?%2c%2Ca%20',
    '/?',
  ])('is plain: %s', (url) => {
    expect(isPlain(url)).toBe(true);
  });

  test.each([
    '/%2C',
    '/%2C/',
    '/?a=%2',
    '/?a=%',
    '/?a=%2G',
    '/?a=%G2',
    '/?a=%2C%',
    '/?a=%2Cb%2',
    '/#a',
    '/?a#b',
    '/é',
    '/a\\b',
    '/a\tb',
    '/?a="',
    '/?a=<',
    '/|',
  ])('is left to the parser: %s', (url) => {
    expect(isPlain(url)).toBe(false);
  });
});

const parsed = (method: string, headers: IncomingMessage['headers'], complete = true) =>
  ({ method, headers, complete }) as IncomingMessage;
const plain = (body: string): PlainRequest => ({ url: '/', rest: '', body: bytesOf(body) });

test.each([
  ['no body, read to its end', '', parsed('GET', {}), true],
  ['no body, not read to its end', '', parsed('GET', {}, false), false],
  ['a body of its length', 'four', parsed('POST', { 'content-length': '4' }), true],
  ['a body of its length, not read to its end', 'four', parsed('POST', { 'content-length': '4' }, false), false],
  ['more than the body', 'four!', parsed('POST', { 'content-length': '4' }), false],
  ['less than the body', 'fou', parsed('POST', { 'content-length': '4' }), false],
  ['a length spelled otherwise', 'four', parsed('POST', { 'content-length': '04' }), false],
  ['no length', 'four', parsed('POST', {}), false],
  ['a length beside chunks', 'four', parsed('POST', { 'content-length': '4', 'transfer-encoding': 'chunked' }), false],
])('one request and nothing more: %s', (_, body, request, expected) => {
  expect(isWholeRequest(plain(body), request)).toBe(expected);
});

const LENGTH = { 'content-length': '4' };
test.each([
  ['a GET', parsed('GET', { host: 'a' }), true],
  ['a GET that keeps the connection', parsed('GET', { connection: 'Keep-Alive' }), true],
  ['a GET that ends it', parsed('GET', { connection: 'close' }), false],
  ['a GET with a length', parsed('GET', LENGTH), false],
  ['a POST with a length', parsed('POST', LENGTH), true],
  ['a POST without one', parsed('POST', {}), false],
  ...['expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'].map(
    (name) => [`a POST with ${name}`, parsed('POST', { ...LENGTH, [name]: 'x' }), false] as const,
  ),
] as const)('leaves the connection as it is: %s', (_, request, expected) => {
  expect(isPlainlyFramed(request)).toBe(expected);
});
