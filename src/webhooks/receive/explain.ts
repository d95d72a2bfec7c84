import { createHmac } from 'node:crypto';
import { readJson } from '../../contract/json/json.ts';
import { type SignedMessage, signatureDigest } from '../sign.ts';
import { readDeliveryHeaders } from './delivery-headers.ts';
import { type ReceivedDelivery, signaturesIn } from './verify.ts';

/** A mistake that is often made on the way from the sender to this check, and that would explain a signature. */
interface Mistake {
  readonly name:
    | 'added_newline'
    | 'reserialised_json'
    | 'byte_order_mark'
    | 'wrong_event_id'
    | 'secret_without_prefix'
    | 'secret_with_space'
    | 'secret_decoded'
    | 'other_scheme'
    | 'cut_body';
  readonly detail: string;
}

/** The likely mistake that makes the signature fit when undone, or a cut that the length shows; undefined else. */
export function explainSignature(delivery: ReceivedDelivery, secrets: readonly string[]): Mistake | undefined {
  const headers = readDeliveryHeaders(delivery.headers);
  if ('reason' in headers) return undefined;
  const signatures = signaturesIn(headers.signature.toLowerCase()).map(hexOf);
  const message: SignedMessage = { timestamp: headers.timestamp, eventId: headers.eventId, body: delivery.body };
  const fits = (digest: Uint8Array) => signatures.includes(hexOf(digest));
  const signed = (change: Partial<SignedMessage>) =>
    secrets.some((secret) => fits(signatureDigest({ ...message, ...change }, secret)));
  const keyed = (keys: (secret: string) => readonly (string | Uint8Array)[]) =>
    secrets.flatMap(keys).some((key) => fits(signatureDigest(message, key)));

  const tries: readonly (readonly [Mistake, () => boolean])[] = [
    [NEWLINE, () => otherEnds(message.body).some((body) => signed({ body }))],
    [BOM, () => withoutMark(message.body).some((body) => signed({ body }))],
    [RESERIALISED, () => spellings(message.body).some((body) => signed({ body }))],
    [EVENT_ID, () => idsIn(message.body).some((eventId) => signed({ eventId }))],
    [SPACE, () => keyed((secret) => [secret.trim(), `${secret}\n`])],
    [NO_PREFIX, () => keyed((secret) => [secret.replace(/^whsec_/, ''), `whsec_${secret}`])],
    [DECODED, () => keyed(decodings)],
    [SCHEME, () => secrets.some((secret) => otherSchemes(message, secret).some(fits))],
  ];
  return tries.find(([, check]) => check())?.[0] ?? cutBody(delivery);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const NEWLINE: Mistake = { name: 'added_newline', detail: 'a line end was added to the body after it was signed' };
const BOM: Mistake = { name: 'byte_order_mark', detail: 'a byte order mark was put before the body' };
const RESERIALISED: Mistake = {
  name: 'reserialised_json',
  detail: 'the body was parsed and written again: sign and verify its bytes as they arrive',
};
const EVENT_ID: Mistake = {
  name: 'wrong_event_id',
  detail: 'the signature covers the event id of the body, not that of the header',
};
const SPACE: Mistake = { name: 'secret_with_space', detail: 'the secret has a blank or a line end too many' };
const NO_PREFIX: Mistake = {
  name: 'secret_without_prefix',
  detail: 'the key is the whole secret with its prefix whsec_, and one side leaves it out',
};
const DECODED: Mistake = {
  name: 'secret_decoded',
  detail: 'the secret was decoded before it was used: the key is its text as it stands',
};
const SCHEME: Mistake = {
  name: 'other_scheme',
  detail: 'something else was signed than timestamp, dot, event id, dot, body',
};

/** The headers tell how long the body was when it left; of a packed one they tell the packed length. */
function cutBody({ headers, body }: ReceivedDelivery): Mistake | undefined {
  const header = (lower: string) => headers.find(([name]) => name.trim().toLowerCase() === lower)?.[1].trim();
  const length = header('content-length') ?? '';
  if (!/^\d{1,15}$/.test(length) || body.length >= Number(length) || header('content-encoding') !== undefined)
    return undefined;
  return {
    name: 'cut_body',
    detail: `the body was cut: ${body.length} of the ${length} bytes of its content-length are there`,
  };
}

/** The body without its line end, or with a line end that may be signed. */
function otherEnds(body: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(body).toString('latin1');
  const shorter = ['\r\n', '\n'].filter((end) => text.endsWith(end)).map((end) => text.slice(0, -end.length));
  return [...shorter, `${text}\n`, `${text}\r\n`].map((one) => Buffer.from(one, 'latin1'));
}

function withoutMark(body: Uint8Array): readonly Uint8Array[] {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? [body.subarray(3)] : [];
}

/** The body as other writers of JSON space it; the service's own form, without blanks, is the first. */
function spellings(body: Uint8Array): readonly Uint8Array[] {
  try {
    const text = Buffer.from(body).toString('utf8');
    const value: unknown = readJson(text);
    const bare = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    const spaced = bare.replace(/("(?:[^"\\]|\\.)*")|([,:])/g, (_, string, mark) => string ?? `${mark} `);
    const others = [JSON.stringify(value), JSON.stringify(value, null, 2), JSON.stringify(value, null, 4)];
    return [bare, spaced, ...others].map((one) => Buffer.from(one));
  } catch {
    return [];
  }
}

function idsIn(body: Uint8Array): readonly string[] {
  const ids = [
    ...Buffer.from(body)
      .toString('utf8')
      .matchAll(/"(?:id|event_id)"\s*:\s*"([^"\\]{1,256})"/g),
  ];
  return [...new Set(ids.map(([, id = '']) => id))];
}

function decodings(secret: string): readonly Uint8Array[] {
  const bare = secret.replace(/^whsec_/, '');
  return [Buffer.from(bare, 'base64'), Buffer.from(bare, 'hex')].filter(({ length }) => length > 0);
}

/** Other services sign the body alone, with the time before it, or with the id before the time. */
function otherSchemes({ timestamp, eventId, body }: SignedMessage, secret: string): readonly Uint8Array[] {
  const starts = ['', `${timestamp}.`, `${eventId}.${timestamp}.`, `${eventId}.`, `${timestamp}:${eventId}:`];
  return starts.map((start) => createHmac('sha256', secret).update(start).update(body).digest());
}
