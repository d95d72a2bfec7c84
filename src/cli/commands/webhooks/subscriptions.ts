import { createManager, type Disclosed, type Manager, type SubscriptionOptions } from '../../../client/manage.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { asJsonText, type JsonObject, type JsonText, toJsonText } from '../../../contract/json/json.ts';
import type { Args } from '../../../contract/params/param.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import deliveries from '../../../endpoints/events/deliveries.ts';
import rotation from '../../../endpoints/events/rotate-secret.ts';
import subscription from '../../../endpoints/events/subscription.ts';
import subscriptions from '../../../endpoints/events/subscriptions.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { promptsOf } from '../../app/prompts.ts';
import { openWire } from '../../app/service.ts';
import { forgetSecrets, keepSecret, prepareSecrets } from '../../app/webhook-secrets.ts';
import { noteUnknownWords } from '../../parse/event-filter.ts';
import { inOptionWords } from '../../parse/findings.ts';
import { isOn, optionName, readChoice, textOption } from '../../parse/options.ts';
import { wrongWords } from '../../parse/question.ts';
import { listAnswer } from '../../print/answer.ts';
import type { Listing } from '../../print/listing.ts';
import type { Call, CommandDeclaration } from '../command.ts';
import { GENERAL, REMOTE, SPENDING } from '../common-options.ts';
import { onlyWord } from '../require.ts';

const ONE = { words: 'id: id of a subscription', options: REMOTE, rowsOf: subscription };

const MEMBERS = `
  --url URL: public https address
  --currencies A,B: currencies whose releases are delivered; all for every one
  --indicators A,B: indicators whose releases are delivered; all for every one
  --description TEXT: a note of your own, at most 256 characters`;

const PRINT_SECRET = '--print-secret: print the signing secret once instead of keeping it';

/** Management of webhooks at the service. */
export default [
  {
    path: ['webhooks', 'create'],
    summary: 'Subscribe an address to releases; the signing secret is stored on this machine',
    options: [MEMBERS, PRINT_SECRET, REMOTE],
    changes: true,
    examples: [
      'webhooks create --url https://hooks.example.com/in --currencies usd,eur',
      'webhooks create --url https://hooks.example.com/in --indicators inflation --print-secret',
    ],
    rowsOf: subscription,
    run: createWebhook,
  },
  {
    path: ['webhooks', 'list'],
    summary: 'List the subscriptions of your key, newest first',
    options: REMOTE,
    examples: ['webhooks list', 'webhooks list --format json'],
    rowsOf: subscriptions,
    run: listWebhooks,
  },
  {
    path: ['webhooks', 'show'],
    summary: 'Show one subscription',
    ...ONE,
    examples: ['webhooks show sub_01hzx4m2q7', 'webhooks show sub_01hzx4m2q7 --format json'],
    run: showWebhook,
  },
  {
    path: ['webhooks', 'update'],
    summary: 'Change the address, the filters or the state of a subscription',
    ...ONE,
    options: [MEMBERS, '--status WORD (active|disabled): whether it delivers', REMOTE],
    changes: true,
    examples: [
      'webhooks update sub_01hzx4m2q7 --indicators inflation,policy_rate',
      'webhooks update sub_01hzx4m2q7 --currencies all',
    ],
    run: updateWebhook,
  },
  {
    path: ['webhooks', 'enable'],
    summary: 'Resume the deliveries of a subscription',
    ...ONE,
    changes: true,
    examples: ['webhooks enable sub_01hzx4m2q7', 'webhooks enable sub_01hzx4m2q7 --quiet'],
    run: switching('enable', 'active'),
  },
  {
    path: ['webhooks', 'disable'],
    summary: 'Pause the deliveries of a subscription',
    ...ONE,
    changes: true,
    examples: ['webhooks disable sub_01hzx4m2q7', 'webhooks disable sub_01hzx4m2q7 --quiet'],
    run: switching('disable', 'disabled'),
  },
  {
    path: ['webhooks', 'delete'],
    summary: 'Delete a subscription and its secret',
    words: ONE.words,
    options: [SPENDING, GENERAL],
    changes: true,
    examples: ['webhooks delete sub_01hzx4m2q7', 'webhooks delete sub_01hzx4m2q7 --yes'],
    run: deleteWebhook,
  },
  {
    path: ['webhooks', 'rotate-secret'],
    summary: 'Replace the signing secret of a subscription; the old one stays good for 36 hours',
    ...ONE,
    options: [PRINT_SECRET, REMOTE],
    changes: true,
    examples: ['webhooks rotate-secret sub_01hzx4m2q7', 'webhooks rotate-secret sub_01hzx4m2q7 --print-secret'],
    run: rotateSecret,
  },
  {
    path: ['webhooks', 'deliveries'],
    summary: 'List the deliveries of the last 30 days, failed ones included',
    options: [
      `--subscription-id ID: of one subscription only
      --status WORD (pending|retrying|succeeded|failed): how far a delivery is
      --limit N: number of deliveries, 1 to 100; default 20`,
      REMOTE,
    ],
    examples: ['webhooks deliveries', 'webhooks deliveries --status failed --limit 100'],
    rowsOf: deliveries,
    run: listDeliveries,
  },
] satisfies readonly CommandDeclaration[];

const COLUMNS = ['id', 'status', 'url', 'currencies', 'indicators', 'description', 'success_count', 'failure_count'];
const DELIVERIES = ['delivered_at', 'status', 'next_attempt_at', 'event_id', 'attempt_count', 'last_error', 'id'];
const SPARE = ['id', 'attempt_count'];

const LONGEST_DESCRIPTION = 256;

const FILTERS = {
  currencies: { noun: 'currency code', form: /^[a-z]{3}$/ },
  indicators: { noun: 'indicator', form: /^[a-z0-9][a-z0-9_]{0,79}$/ },
} as const;

async function openManager(app: App): Promise<Manager> {
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  return createManager(openWire(app), { subscriptions, subscription, rotation, deliveries }, app.signal);
}

async function createWebhook(app: App, call: Call): Promise<void> {
  const { url, ...changes } = await readSubscription(app, call);
  if (url === undefined)
    throw new MacroError('usage', 'A subscription needs an address to post to.', {
      code: 'bad_arguments',
      hint: 'For example: macro webhooks create --url https://hooks.example.com/in --currencies usd',
    });
  const would = `${sending(app, 'POST', subscriptions)} ${JSON.stringify({ url, ...changes })}, and keep the signing secret`;
  await disclose(app, { call, would }, (manager) => manager.create({ url, ...changes }));
}

async function rotateSecret(app: App, call: Call): Promise<void> {
  const id = readId(call, 'webhooks rotate-secret');
  const would = `${sending(app, 'POST', rotation, id)}, and keep the new signing secret`;
  await disclose(app, { call, would }, (manager) => manager.rotate(id));
}

async function listWebhooks(app: App): Promise<void> {
  const manager = await openManager(app);
  await app.print(listRemote(app, { endpoint: subscriptions, columns: COLUMNS, body: await manager.list() }));
}

async function showWebhook(app: App, call: Call): Promise<void> {
  const id = readId(call, 'webhooks show');
  const manager = await openManager(app);
  await app.print(listRemote(app, { endpoint: subscription, columns: COLUMNS, body: await manager.show(id) }));
}

async function updateWebhook(app: App, call: Call): Promise<void> {
  const id = readId(call, 'webhooks update');
  const changes = await readSubscription(app, call);
  if (Object.keys(changes).length === 0)
    throw new MacroError('usage', 'Nothing is to be changed.', {
      code: 'bad_arguments',
      hint: 'Give one of --url, --currencies, --indicators, --description and --status.',
    });
  await change(app, { id, says: JSON.stringify(changes) }, (manager) => manager.update(id, changes));
}

function switching(verb: 'enable' | 'disable', status: 'active' | 'disabled') {
  return async (app: App, call: Call): Promise<void> => {
    const id = readId(call, `webhooks ${verb}`);
    const isDone = await change(app, { id, says: JSON.stringify({ status }) }, (manager) => manager[verb](id));
    const more = 'Missed events are not delivered later; macro announcements changes shows them.';
    if (isDone && verb === 'enable') await app.note(more, 'no_late_deliveries');
  };
}

async function deleteWebhook(app: App, call: Call): Promise<void> {
  const id = readId(call, 'webhooks delete');
  const manager = await openManager(app);
  const ask = isOn(app.options, 'yes') || app.isDryRun ? undefined : await promptsOf(app);
  if ((await ask?.confirm(`Delete the subscription ${id}?`)) === false)
    return app.note('Nothing is deleted.', 'nothing_deleted');
  const done = await app.change(
    `${sending(app, 'DELETE', subscription, id)}, and forget its signing secret`,
    async () => {
      await manager.delete(id);
      forgetSecrets(app.platform, app.settings.folders, { baseUrl: baseUrlOf(app), id });
    },
  );
  if (!done) return;
  await app.note(`The subscription ${id} is deleted.`, 'subscription_deleted');
}

async function listDeliveries(app: App, call: Call): Promise<void> {
  const typed = Object.keys(deliveries.query).map((name) => [name, textOption(call.options, optionName(name))]);
  const raw = { path: {}, query: Object.fromEntries(typed) };
  const now = app.platform.clock.now();
  const { args } = inOptionWords(deliveries, () => readParams(deliveries, raw, { mode: 'liberal', now }));
  const body = await (await openManager(app)).deliveries(args);
  await app.print(listRemote(app, { endpoint: deliveries, columns: DELIVERIES, spare: SPARE, body, args }));
}

/** Sends a change of a subscription and prints what it is then; false in a dry run. */
async function change(
  app: App,
  { id, says }: { readonly id: string; readonly says: string },
  work: (manager: Manager) => Promise<JsonObject>,
): Promise<boolean> {
  const manager = await openManager(app);
  const done = await app.change(`${sending(app, 'PATCH', subscription, id)} ${says}`, () => work(manager));
  if (done) await app.print(listOne(done.result, COLUMNS));
  return done !== undefined;
}

function sending(app: App, method: string, { path }: Endpoint, id = ''): string {
  return `send ${method} ${path.replace('{subscription_id}', id)} to ${baseUrlOf(app)}`;
}

function readId(call: Call, command: string): string {
  const id = onlyWord(call, command, 'ID');
  const decoded = subscription.at.subscription_id?.decode(id);
  if (decoded && 'value' in decoded) return id;
  throw wrongWords(
    `'${id}' is no id of a subscription.`,
    'Ids are like sub_01hzx4m2q7; macro webhooks list shows them.',
  );
}

/** Asks for a secret, which is shown once. It is printed or stored; obstacles are found before the request. */
async function disclose(
  app: App,
  { call: { options }, would }: { readonly call: Call; readonly would: string },
  ask: (manager: Manager) => Promise<Disclosed>,
): Promise<void> {
  const manager = await openManager(app);
  const isPrinted = isOn(options, 'print-secret');
  const done = await app.change(would, () => {
    if (!isPrinted) prepareSecrets(app.platform, app.settings.folders, baseUrlOf(app));
    return ask(manager);
  });
  if (!done) return;
  const { subscription: answer, id, secret } = done.result;
  if (isPrinted) {
    const shown = { ...answer, signing_secret: secret.reveal() };
    return app.print(listOne(shown, ['id', 'signing_secret', ...COLUMNS.slice(1)]));
  }
  const path = keep(app, { id, secret });
  await app.print(listOne(answer, COLUMNS));
  await app.warn(
    `the signing secret of ${id} is stored unencrypted in ${path}, readable by you only`,
    'secret_kept_unencrypted',
  );
}

function keep(app: App, { id, secret }: Pick<Disclosed, 'id' | 'secret'>): string {
  const { platform, settings } = app;
  try {
    return keepSecret(platform, settings.folders, { baseUrl: baseUrlOf(app), id, secret });
  } catch (cause) {
    const kind = cause instanceof MacroError ? cause.kind : 'internal';
    throw new MacroError(kind, `The subscription ${id} is in force, but its signing secret could not be stored.`, {
      code: 'secret_lost',
      hint: `Make a new one: macro webhooks rotate-secret ${id} --print-secret`,
      cause,
    });
  }
}

function baseUrlOf({ settings }: App): string {
  return settings.baseUrl.value ?? '';
}

function listRemote(
  app: App,
  given: Pick<Listing, 'columns' | 'spare'> & { endpoint: Endpoint; body: JsonText; args?: Args },
): Listing {
  const { endpoint, body, args = {}, ...columns } = given;
  const now = app.platform.clock.now();
  const reply = { status: 200, body, from: 'live', asOf: now, synthetic: false, notes: [] } as const;
  return { ...listAnswer({ endpoint, args }, reply, { now }), ...columns };
}

function listOne(object: JsonObject, columns: readonly string[]): Listing {
  const row = toJsonText(object);
  return { columns, rows: [row], body: (chosen) => chosen?.[0] ?? asJsonText(row), view: { title: ['Webhook'] } };
}

/** The typed members of a subscription. @throws MacroError of kind `usage`. */
async function readSubscription(app: App, call: Call): Promise<SubscriptionOptions> {
  const { options } = call;
  const url = textOption(options, 'url')?.trim();
  const description = textOption(options, 'description');
  const status = readChoice(options, 'status', ['active', 'disabled']);
  const currencies = await readFilter(app, 'currencies', textOption(options, 'currencies'));
  const indicators = await readFilter(app, 'indicators', textOption(options, 'indicators'));
  if (url !== undefined && (url === '' || url.length > 2048))
    throw bad('The address of a subscription has 1 to 2048 characters.', 'Like --url https://hooks.example.com/in');
  if (description !== undefined && description.length > LONGEST_DESCRIPTION)
    throw bad(`A description has ${LONGEST_DESCRIPTION} characters at most.`, 'Shorten it.');
  return {
    ...(url !== undefined && { url }),
    ...(currencies !== undefined && { currencies }),
    ...(indicators !== undefined && { indicators }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(status !== undefined && { status }),
  };
}

/** A list of words in lower case; null for `all`. */
async function readFilter(app: App, option: keyof typeof FILTERS, typed: string | undefined) {
  if (typed === undefined) return undefined;
  const { noun, form } = FILTERS[option];
  const typedWords = typed.toLowerCase().split(',');
  const words = [...new Set(typedWords.map((word) => word.trim()))].filter((word) => word !== '');
  if (words.length === 1 && words[0] === 'all') return null;
  const odd = words.find((word) => !form.test(word) || word === 'all');
  if (odd !== undefined || words.length === 0)
    throw bad(`'${odd ?? typed}' is no ${noun} for --${option}.`, `Separate them by commas, or say all.`);
  await noteUnknownWords(app, { [option]: words });
  return words;
}

function bad(message: string, hint: string): MacroError {
  return new MacroError('usage', message, { code: 'bad_arguments', hint });
}
