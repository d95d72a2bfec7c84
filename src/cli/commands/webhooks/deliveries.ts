import { isJsonObject, parseJson } from '../../../contract/json/json.ts';
import { parseInstant } from '../../../contract/time/time.ts';
import changes from '../../../endpoints/announcements/changes.ts';
import { MacroError } from '../../../errors.ts';
import { type Handler, type Replayed, replayEvent, setAside } from '../../../events/consume.ts';
import type { Journal, JournalEvent } from '../../../mirror/api/journal.ts';
import { readDeliveryHeaders } from '../../../webhooks/receive/delivery-headers.ts';
import { explainSignature } from '../../../webhooks/receive/explain.ts';
import { readCurl, readHar, readHeaders } from '../../../webhooks/receive/saved.ts';
import { type ReceivedDelivery, type Refused, verifyDelivery } from '../../../webhooks/receive/verify.ts';
import { signDelivery } from '../../../webhooks/sign.ts';
import type { App } from '../../app/app.ts';
import { signingSecrets } from '../../app/webhook-secrets.ts';
import { EVERYTHING } from '../../parse/event-filter.ts';
import { inputBytes, type Options, textOption } from '../../parse/options.ts';
import { type Call, type CommandDeclaration, lazy } from '../command.ts';
import { CONSUMING, currencyWord, GENERAL, indicatorWord, LISTING, NO_FETCH } from '../common-options.ts';
import { requireConsumer } from '../journal.ts';
import { requireMirror } from '../require.ts';
import { readConsumer } from '../stream/consuming.ts';

const SECRET_FILE =
  '--secret-file FILE: signing secrets, one a line; default: MACRO_WEBHOOK_SECRET, and the secrets stored for the service';

/** Commands about deliveries to webhooks that ask no service. */
export default [
  {
    path: ['webhooks', 'listen'],
    summary: 'Receive signed deliveries; store each event once and print it as a line of NDJSON',
    options: [
      `--port N: port; 0 for any free one; default 8788
      --host H: address to listen on; default 127.0.0.1
      --path PATH: path that takes deliveries; default /webhook
      ${SECRET_FILE}
      ${CONSUMING}
      ${NO_FETCH}`,
      GENERAL,
    ],
    examples: ['webhooks listen', 'webhooks listen --port 0 --secret-file secrets.txt --exec ./on-release.sh'],
    changesWords: true,
    run: lazy(() => import('./listen.ts'), 'listenForWebhooks'),
  },
  {
    path: ['webhooks', 'replay'],
    summary: 'Give a consumer its failed events again, or the named ones',
    words: `[event...]: ids of events; default: all that were set aside`,
    options: [CONSUMING, LISTING],
    changes: true,
    examples: [
      'webhooks replay --consumer desk --exec ./on-release.sh',
      'webhooks replay usd_inflation_1791981000 --forward http://127.0.0.1:9000/events',
    ],
    rows: 'event_id text, outcome text, problem text?',
    run: replayEvents,
  },
  {
    path: ['webhooks', 'verify'],
    summary: 'Verify a saved delivery, offline: exit 0 valid, 9 invalid with the reason',
    options: [
      `--headers FILE: its headers, one a line, as a JSON object, or as sign prints them; - reads standard input
      --body FILE: the exact bytes of its body; - reads standard input
      --har FILE: an HTTP archive with the delivery in it, instead of headers and body
      --entry N: which delivery of the archive, from 1
      --curl FILE: a curl command that sends the delivery, instead of headers and body
      --at T: what to take for now: a date, an ISO time or Unix seconds
      ${SECRET_FILE}`,
      LISTING,
    ],
    examples: [
      'webhooks verify --headers headers.txt --body body.json --at 1791981003',
      'webhooks verify --har delivery.har --secret-file secrets.txt --at 1791981003',
    ],
    rows: 'result valid|invalid, reason text, detail text, event_id? any, timestamp? any',
    run: verifyWebhook,
  },
  {
    path: ['webhooks', 'sign'],
    summary: 'Sign a body as the service does, to try a receiver',
    options: [
      `--body FILE: body to sign; - reads standard input
      --event-id ID: id of the event; default: that of the body
      --timestamp N: Unix seconds; default: now
      ${SECRET_FILE}`,
      LISTING,
    ],
    examples: ['webhooks sign --body body.json', 'webhooks sign --body body.json --timestamp 1791981003 --format json'],
    rows: 'header text, value text',
    run: signWebhook,
  },
  {
    path: ['webhooks', 'trigger'],
    summary: 'Make up a release in the sandbox; a running serve --sandbox sends it on',
    words: [currencyWord('currency, such as usd'), indicatorWord('indicator, such as inflation')],
    options: [`--val N: the value; default: that of the newest period`, LISTING],
    changes: true,
    examples: ['webhooks trigger usd inflation', 'webhooks trigger eur policy_rate --val 2.25 --format json'],
    rowsOf: changes,
    run: lazy(() => import('./trigger.ts'), 'triggerWebhooks'),
  },
] satisfies readonly CommandDeclaration[];

/** Tries each failed event once more; exit 10 when one still fails. @throws MacroError of kind `incomplete`. */
async function replayEvents(app: App, call: Call): Promise<void> {
  const { name, handle } = await readHandler(app, call.options);
  await requireMirror(app);
  const { journal } = app.isDryRun ? (await requireMirror(app)).mirror : await app.writable();
  const events = call.words.length > 0 ? await named(journal, call.words) : await asideOf(journal, name);
  const parts = { journal, clock: app.platform.clock, handle };
  const done: Replayed[] = [];
  for (const event of events) {
    app.signal.throwIfAborted();
    const replayed = await app.change(`give ${event.id} to ${name} again`, () => replayEvent(parts, name, event));
    if (replayed) done.push(replayed.result);
  }
  if (app.isDryRun) return;
  await app.list({ rows: done.map(rowOf), title: [`Replayed to ${name}`] });
  const failed = done.filter(({ error }) => error !== undefined).length;
  if (failed > 0)
    throw new MacroError('incomplete', `${failed} of ${done.length} events could not be dealt with.`, {
      code: 'not_handled',
      hint: 'They stay set aside; run it again when what they need is there.',
    });
}

async function readHandler(app: App, options: Options): Promise<{ readonly name: string; readonly handle: Handler }> {
  const { name, handle } = (await readConsumer(app, options, EVERYTHING)) ?? {};
  if (name !== undefined && handle) return { name, handle };
  throw new MacroError('usage', 'macro webhooks replay needs the command or the address that events are given to.', {
    hint: 'Give --exec CMD or --forward URL, and the --consumer NAME that set them aside.',
  });
}

/** The events that a consumer set aside. */
async function asideOf(journal: Journal, name: string): Promise<readonly JournalEvent[]> {
  await requireConsumer(journal, name);
  return setAside(journal, name);
}

async function named(journal: Journal, ids: readonly string[]): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (const id of new Set(ids)) {
    const event = await journal.event(id);
    if (!event)
      throw new MacroError('notFound', `The journal has no event ${id}.`, {
        code: 'unknown_event',
        hint: 'macro journal lists the stored events.',
      });
    events.push(event);
  }
  return events;
}

function rowOf({ event, error }: Replayed) {
  return { event_id: event.id, outcome: error === undefined ? 'done' : 'failed', problem: error ?? null };
}

/** Judges a saved delivery as its receiver would, without a request. @throws MacroError of kind `verification`. */
async function verifyWebhook(app: App, call: Call): Promise<void> {
  const delivery = await readDelivery(app, call);
  const secrets = signingSecrets(app, call);
  const verdict = verifyDelivery(delivery, { secrets, now: momentOf(app, call) });
  const headers = readDeliveryHeaders(delivery.headers);
  const { eventId, timestamp } = 'reason' in headers ? { eventId: undefined, timestamp: undefined } : headers;
  const report = verdict.ok
    ? { reason: 'valid', detail: 'the signature is that of the secret, and the body says what the headers do' }
    : reasonOf(verdict, delivery, secrets);
  const row = { result: verdict.ok ? 'valid' : 'invalid', ...report, event_id: eventId, timestamp };
  await app.list({
    columns: ['result', 'reason', 'event_id', 'timestamp', 'detail'],
    rows: [row],
    title: [`Delivery: ${row.result}`],
  });
  if (verdict.ok) return;
  throw new MacroError('verification', `The delivery does not verify: ${report.detail}.`, {
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
    return { headers: readHeaders(await readText(app, headers), headers), body: await inputBytes(app.platform, body) };
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

async function readText({ platform }: App, file: string): Promise<string> {
  return new TextDecoder().decode(await inputBytes(platform, file));
}

/** Signs a body as the service would, for tests of a receiver. @throws MacroError of kind `usage`. */
async function signWebhook(app: App, call: Call): Promise<void> {
  const [secret = ''] = signingSecrets(app, call);
  const body = await readBody(app, call);
  const { id, event, delivery_id: deliveryId } = membersOf(body);
  const eventId = textOption(call.options, 'event-id') ?? id;
  if (eventId === undefined)
    throw new MacroError('usage', 'The body names no event, and none is given.', {
      code: 'bad_arguments',
      hint: 'A delivery has it in its member id; else give --event-id usd_inflation_1791981000.',
    });
  const timestamp = textOption(call.options, 'timestamp') ?? String(Math.floor(app.platform.clock.now() / 1000));
  if (!/^\d{1,12}$/.test(timestamp))
    throw new MacroError('usage', `'${timestamp}' is no whole number of Unix seconds.`, { code: 'bad_arguments' });
  const prefix = app.settings.headerPrefix.value;
  const rows = [
    ['Event', event ?? 'announcement'],
    ['Event-ID', eventId],
    ...(deliveryId === undefined ? [] : [['Delivery-ID', deliveryId]]),
    ['Timestamp', timestamp],
    ['Signature', signDelivery({ timestamp, eventId, body }, secret)],
  ].map(([name, value]) => ({ header: `${prefix}-${name}`, value }));
  await app.list({ rows, title: ['Headers of the delivery'] });
}

async function readBody(app: App, { options }: Call): Promise<Uint8Array> {
  const file = textOption(options, 'body');
  if (file !== undefined) return inputBytes(app.platform, file);
  throw new MacroError('usage', 'Give the body of a delivery to sign.', {
    code: 'bad_arguments',
    hint: 'Name its file: --body FILE; - is standard input.',
  });
}

/** Members that the headers repeat; a body that is no JSON can be signed all the same. */
function membersOf(body: Uint8Array): Readonly<Record<'id' | 'event' | 'delivery_id', string | undefined>> {
  const value = parseJson(new TextDecoder().decode(body));
  const member = (name: string) => {
    const stored = isJsonObject(value) ? value[name] : undefined;
    return typeof stored === 'string' ? stored : undefined;
  };
  return { id: member('id'), event: member('event'), delivery_id: member('delivery_id') };
}
