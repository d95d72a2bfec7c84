import { resolve } from 'node:path';
import { isJsonObject, parseJson } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import { signDelivery } from '../../../webhooks/sign.ts';
import type { App } from '../../app/app.ts';
import { signingSecrets } from '../../app/webhook-secrets.ts';
import { textOption } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import type { Call } from '../command.ts';

const COLUMNS = ['header', 'value'] as const;

/**
 * Signs a body as the service would, for tests of a receiver: the five headers of a delivery. Nobody is contacted.
 * @throws MacroError of kind `usage`.
 */
export async function signWebhook(app: App, call: Call): Promise<void> {
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
  await app.print(listOwn({ columns: COLUMNS, rows, title: ['Headers of the delivery'] }));
}

async function readBody({ platform }: App, { options }: Call): Promise<Uint8Array> {
  const file = textOption(options, 'body');
  if (file === '-') return platform.io.stdin.readBytes();
  if (file !== undefined) return platform.files.readBytes(resolve(platform.cwd, file));
  throw new MacroError('usage', 'What is signed is the body of a delivery.', {
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
