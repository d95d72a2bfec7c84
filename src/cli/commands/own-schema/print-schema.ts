import type { JsonSchema } from '../../../contract/json/schema.ts';
import { endpointById } from '../../../endpoints/index.ts';
import type { App } from '../../app/app.ts';
import { indentJson } from '../../output/json.ts';
import { rowSchema, SCHEMA_DIALECT } from '../../output/row-schema.ts';
import { isOn } from '../../parse/options.ts';
import type { Call, CommandSpec } from '../command.ts';
import { schemaOfFields } from './fields.ts';
import { ROW_FIELDS } from './row-fields.ts';

/** Commands whose rows are those of an endpoint, by its id. */
const BY_ENDPOINT: Readonly<Record<string, string>> = {
  wait: 'announcements',
  'webhooks create': 'webhook_subscription',
  'webhooks deliveries': 'webhook_deliveries',
  'webhooks enable': 'webhook_subscription',
  'webhooks list': 'webhook_subscriptions',
  'webhooks rotate-secret': 'webhook_subscription',
  'webhooks show': 'webhook_subscription',
  'webhooks trigger': 'announcements_changes',
  'webhooks update': 'webhook_subscription',
};

/** A column for each currency that is compared. */
const COMPARED: JsonSchema = {
  type: 'object',
  properties: { date: { type: 'string' } },
  required: ['date'],
  patternProperties: { '^[a-z]{3}$': { type: ['number', 'null'] } },
  additionalProperties: false,
};

/** Prints the JSON Schema of the rows that a command of ours would print with these options. */
export async function printOwnSchema(
  app: App,
  { options }: Call,
  { path, summary }: Pick<CommandSpec, 'path' | 'summary'>,
): Promise<void> {
  const words = path.join(' ');
  const option = Object.keys(options).find((name) => isOn(options, name) && `${words} --${name}` in ROW_FIELDS);
  const title = option === undefined ? words : `${words} --${option}`;
  const named = { title, description: summary };
  const schema = { $schema: SCHEMA_DIALECT, ...named, ...rowsOf(title), ...named };
  await app.printText(indentJson(JSON.stringify(schema)));
}

function rowsOf(title: string): JsonSchema {
  const fields = ROW_FIELDS[title];
  if (fields) return schemaOfFields(fields);
  const endpoint = endpointById(BY_ENDPOINT[title] ?? '');
  return endpoint ? rowSchema(endpoint) : COMPARED;
}
