import { KEYLESS_DAYS, needsKey } from '../../contract/access.ts';
import { ITS_OWNER_CAN, MIRROR_INCOMPLETE, type PartialMark } from '../../contract/answer-members.ts';
import type { Lack } from '../../contract/hooks.ts';
import { addDays, dateOf } from '../../contract/time/time.ts';
import { endpointById } from '../../endpoints/index.ts';
import { advised, hinted, MacroError } from '../../errors.ts';
import { missingText } from '../../source/coverage/mark.ts';
import type { Shortfall } from '../../source/coverage/shortfall.ts';
import type { App } from '../app/app.ts';
import { accessWith } from '../app/keys.ts';
import { isOn, type Options, textOption } from '../parse/options.ts';

/** Missing parts that a sentence names; the data has them all. */
const MAX_NAMED = 3;

/** What brings data while no service is chosen: `macro sync` cannot. */
const NO_SERVICE_CURE =
  'Choose a service with: macro init. The whole file of the publisher, where there is one: macro import FILE';

/** Refusals of a question whose data nobody has brought. */
const UNFILLED: readonly unknown[] = ['not_mirrored', 'no_mirror'];

const LOGIN = 'macro auth login';

/** What a shell takes as it stands. An address with a name, a password or a query may hold a key: it is not repeated. */
const PLAIN = /^[\w.:/[\]-]+$/;

/**
 * Ends a command whose answer is partial, once its rows are printed: exit 10, or a warning under `--allow-partial`. Both
 * name a command that brings what is missing.
 *
 * @throws MacroError of kind `incomplete`.
 */
export async function endIfPartial(
  app: App,
  { shortfall }: { readonly shortfall?: Shortfall | undefined },
): Promise<void> {
  if (!shortfall) return;
  const message = `This answer is partial: ${lackWords(shortfall)}.`;
  const hint = cureOf(app, shortfall);
  if (isOn(app.options, 'allow-partial')) return app.warn(`${message} ${hint}`, MIRROR_INCOMPLETE);
  throw new MacroError('incomplete', message, { code: MIRROR_INCOMPLETE, hint });
}

function lackWords({ mark, holder }: Shortfall): string {
  if (holder === 'mirror') return `the mirror does not hold ${missingWords(mark)}`;
  return `the service itself does not hold ${mark.missing.length === 0 ? 'all of it' : missingWords(mark)}`;
}

function missingWords(mark: PartialMark): string {
  const named = mark.missing.slice(0, MAX_NAMED).map(missingText).join(', ');
  const others = mark.missing.length - MAX_NAMED;
  if (others <= 0) return named;
  if (others === 1 && !mark.truncated) return `${named} and 1 other part`;
  return `${named} and ${others}${mark.truncated ? ' or more' : ''} other parts`;
}

/** What to type: only a command that can bring what is missing as things stand. */
export function cureOf(app: App, shortfall: Shortfall): string {
  const { cures, lost, holder } = shortfall;
  if (holder === 'service') return ITS_OWNER_CAN;
  if (!lost) return bringing(app, shortfall);
  return `${lost.text} ${cures.length > 0 ? bringing(app, shortfall) : `To go on behind them: ${lost.goOn}`}`;
}

function bringing(app: App, { lacks, cures }: Shortfall): string {
  const { baseUrl } = app.settings;
  if (baseUrl.value === undefined) return NO_SERVICE_CURE;
  const isKeyless = accessWith(app.platform, app.settings, baseUrl.value) === 'keyless';
  const today = dateOf(app.platform.clock.now());
  if (isKeyless && lacks.every((lack) => isKeyed(lack, today))) return 'Give your key first, with: macro auth login';
  return `Complete it with: ${cures.join(' && ')}`;
}

/** True for what the service gives to the holder of a key only. */
function isKeyed({ series, range }: Lack, today: string): boolean {
  const endpoint = endpointById(series.endpoint);
  if (!endpoint) return false;
  if (needsKey(endpoint.access, series.scope)) return true;
  return endpoint.access.window === true && typeof range?.to === 'string' && range.to < addDays(today, -KEYLESS_DAYS);
}

/** An error whose hint names `macro sync`, as it is told where no service is chosen. */
export function withoutService(error: MacroError): MacroError {
  if (!UNFILLED.includes(error.code) || !error.hint?.includes('macro sync')) return error;
  const { kind, message, code, status, cause } = error;
  const details = { ...(code && { code }), ...(status && { status }), ...(cause !== undefined && { cause }) };
  return advised(new MacroError(kind, message, details), NO_SERVICE_CURE);
}

/** A text whose `macro auth login` works as typed: a service that was named for this command alone is named there too. */
export function withTypedService(text: string, options: Options): string {
  if (!text.includes(LOGIN)) return text;
  const named = ['profile', 'base-url'].flatMap((name) => {
    const value = textOption(options, name);
    return value !== undefined && PLAIN.test(value) ? [`--${name} ${value}`] : [];
  });
  return text.replaceAll(LOGIN, [LOGIN, ...named].join(' '));
}

/** The same for the hint of an error. */
export function advisedForService(error: unknown, options: Options): unknown {
  if (!(error instanceof MacroError) || error.hint === undefined) return error;
  const hint = withTypedService(error.hint, options);
  return hint === error.hint ? error : hinted(error, hint);
}
