import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Post, PostRequest } from './platform.ts';

/**
 * Each post has a connection of its own: one that is kept open may have died unnoticed, and would lead to an address that
 * was checked long ago.
 */
export const nodePost: Post = async (post) => {
  const { url } = post;
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      headers: { ...post.headers, 'Content-Length': post.body.byteLength },
      agent: false,
      lookup: lookupAmong(post.addresses),
      minVersion: 'TLSv1.2',
      maxHeaderSize: 16_384,
      signal: AbortSignal.any([AbortSignal.timeout(post.totalTime), ...(post.signal ? [post.signal] : [])]),
    });
    const slow = setTimeout(() => call.destroy(timeout('connection')), post.connectTime);
    // An abort says only that there was one; its reason is on the signal, and the only one with a name is time.
    call.on('error', (error) =>
      reject(error.name === 'AbortError' && !post.signal?.aborted ? timeout('answer') : error),
    );
    call.on('close', () => clearTimeout(slow));
    onConnected(call, url, () => clearTimeout(slow));
    call.on('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      drain(answer, post, () => call.destroy());
      answer.on('close', () => resolve({ status, headers: headersOf(answer) }));
    });
    call.end(post.body);
  });
};

/** What a name was found to be; nobody is request. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (!first) return callback(new Error(`${host} leads nowhere`), '');
    if (wantsAll) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

function onConnected(call: ClientRequest, { protocol }: URL, done: () => void): void {
  call.on('socket', (socket) => socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', done));
}

/** The answer's body says nothing that is wanted: it is read so far that the connection ends well, and not further. */
function drain(answer: IncomingMessage, { answerBytes }: PostRequest, stop: () => void): void {
  let read = 0;
  answer.on('data', (chunk: Uint8Array) => {
    read += chunk.byteLength;
    if (read > answerBytes) stop();
  });
  // What has begun to be answered is answered: its status stands.
  answer.on('error', () => undefined);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const all = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [name, values.join(', ')]);
  return new Headers(all);
}

function timeout(part: string): Error {
  return Object.assign(new Error(`No ${part} in time`), { name: 'TimeoutError' });
}
