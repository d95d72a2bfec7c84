import type { SubscriptionOptions } from '../../../client/manage.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { noteUnknownWords } from '../../parse/known-words.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';

const LONGEST_DESCRIPTION = 256;

interface Filter {
  readonly option: 'currencies' | 'indicators';
  readonly noun: string;
  readonly form: RegExp;
}

const CURRENCIES: Filter = {
  option: 'currencies',
  noun: 'currency code',
  form: /^[a-z]{3}$/,
};

const INDICATOR_SLUGS: Filter = {
  option: 'indicators',
  noun: 'indicator',
  form: /^[a-z0-9][a-z0-9_]{0,79}$/,
};

/**
 * What a subscription is to be, as it was typed; what was not typed is left out.
 * @throws MacroError of kind `usage`.
 */
export async function readSubscription(app: App, call: Call): Promise<SubscriptionOptions> {
  const { options } = call;
  const url = textOption(options, 'url')?.trim();
  const description = textOption(options, 'description');
  const status = textOption(options, 'status')?.toLowerCase();
  const currencies = await readFilter(app, CURRENCIES, textOption(options, 'currencies'));
  const indicators = await readFilter(app, INDICATOR_SLUGS, textOption(options, 'indicators'));
  if (url !== undefined && (url === '' || url.length > 2048))
    throw bad('The address of a subscription has 1 to 2048 characters.', 'Like --url https://hooks.example.com/in');
  if (description !== undefined && description.length > LONGEST_DESCRIPTION)
    throw bad(`A description has ${LONGEST_DESCRIPTION} characters at most.`, 'Shorten it.');
  if (status !== undefined && status !== 'active' && status !== 'disabled')
    throw bad(`'${status}' is no status for --status.`, 'Legal values are active, disabled.');
  return {
    ...(url !== undefined && { url }),
    ...(currencies !== undefined && { currencies }),
    ...(indicators !== undefined && { indicators }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(status !== undefined && { status }),
  };
}

/** A list of words in lower case; null for `all`. */
async function readFilter(
  app: App,
  filter: Filter,
  typed: string | undefined,
): Promise<readonly string[] | null | undefined> {
  if (typed === undefined) return undefined;
  const { option, noun, form } = filter;
  const words = [
    ...new Set(
      typed
        .toLowerCase()
        .split(',')
        .map((word) => word.trim()),
    ),
  ].filter((word) => word !== '');
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
