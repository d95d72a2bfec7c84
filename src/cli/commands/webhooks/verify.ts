import { resolve } from 'node:path';
import { parseInstant } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import { readDeliveryHeaders } from '../../../webhooks/receive/delivery-headers.ts';
import { explainSignature } from '../../../webhooks/receive/explain.ts';
import { readCurl, readHar, readHeaders } from '../../../webhooks/receive/saved.ts';
import { type ReceivedDelivery, type Refused, verifyDelivery } from '../../../webhooks/receive/verify.ts';
import type { App } from '../../app/app.ts';
import { signingSecrets } from '../../app/webhook-secrets.ts';
import { textOption } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import type { Call } from '../command.ts';

const COLUMNS = ['result', 'reason', 'event_id', 'timestamp', 'detail'] as const;

/**
 * Judges a saved delivery as the receiver would have, and says what is wrong with one that does not hold. Nobody is contacted.
 * @throws MacroError of kind `verification`.
 */
export async function verifyWebhook(app: App, call: Call): Promise<void> {
  const delivery = await readDelivery(app, call);
  const secrets = signingSecrets(app, call);
  const verdict = verifyDelivery(delivery, { secrets, now: momentOf(app, call) });
  const headers = readDeliveryHeaders(delivery.headers);
  const { eventId, timestamp } = 'reason' in headers ? { eventId: undefined, timestamp: undefined } : headers;
  const report = verdict.ok
    ? { reason: 'valid', detail: 'the signature is that of the secret, and the body says what the headers do' }
    : reasonOf(verdict, delivery, secrets);
  const row = { result: verdict.ok ? 'valid' : 'invalid', ...report, event_id: eventId, timestamp };
  await app.print(listOwn({ columns: COLUMNS, rows: [row], title: [`Delivery: ${row.result}`] }));
  if (verdict.ok) return;
  throw new MacroError('verification', `The delivery does not hold: ${report.detail}.`, {
    code: report.reason,
    hint: HINTS[report.reason] ?? 'A receiver has to refuse it.',
  });
}

const HINTS: Readonly<Record<string, string>> = {
  stale_timestamp: 'To judge a saved delivery by the clock of its day: --at TIME.',
  cut_body: 'Save the request whole: loggers and proxies often keep the beginning of a body only.',
  bad_signature:
    'Check the secret first (macro webhooks rotate-secret ID makes a new one), then what stands between sender and receiver.',
};

function reasonOf({ reason, detail: explanation }: Refused, delivery: ReceivedDelivery, secrets: readonly string[]) {
  if (reason !== 'bad_signature' && reason !== 'malformed_signature') return { reason, detail: explanation };
  const mistake = explainSignature(delivery, secrets);
  if (mistake) return { reason: mistake.name, detail: mistake.detail };
  if (reason === 'malformed_signature') return { reason, detail: explanation };
  const detail = 'the secret is another one than the sender’s, or body, time or event id were altered';
  return { reason: 'bad_signature', detail };
}

function momentOf({ platform }: App, { options }: Call): number {
  const at = textOption(options, 'at');
  const moment = at === undefined ? Math.floor(platform.clock.now() / 1000) : parseInstant(at);
  if (moment !== undefined) return moment;
  throw new MacroError('usage', `'${at}' is no time.`, {
    code: 'bad_arguments',
    hint: 'Times are a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
  });
}

async function readDelivery(app: App, { options }: Call): Promise<ReceivedDelivery> {
  const [har, curl, headers, body] = ['har', 'curl', 'headers', 'body'].map((name) => textOption(options, name));
  if (har !== undefined) return readHar(await readText(app, har), har, entryOf(options));
  if (curl !== undefined) return readCurl(await readText(app, curl), curl);
  if (headers !== undefined && body !== undefined)
    return { headers: readHeaders(await readText(app, headers), headers), body: await readBytes(app, body) };
  throw new MacroError('usage', 'A delivery is its headers and its body.', {
    code: 'bad_arguments',
    hint: 'Give both: --headers FILE --body FILE; or --har FILE; or --curl FILE. - is standard input.',
  });
}

function entryOf(options: Call['options']): number | undefined {
  const text = textOption(options, 'entry');
  if (text === undefined || /^[1-9]\d{0,5}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new MacroError('usage', `'${text}' is no number of an entry.`, { hint: 'Entries are counted from 1.' });
}

async function readBytes({ platform }: App, file: string): Promise<Uint8Array> {
  return file === '-' ? platform.io.stdin.readBytes() : platform.files.readBytes(resolve(platform.cwd, file));
}

async function readText(app: App, file: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(app, file));
}
