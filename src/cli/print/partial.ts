import { KEYLESS_DAYS, needsKey } from '../../contract/access.ts';
import { ITS_OWNER_CAN, MIRROR_INCOMPLETE, type PartialMark } from '../../contract/answer-members.ts';
import type { MissingPart } from '../../contract/hooks.ts';
import { addDays, dateOf } from '../../contract/time/time.ts';
import type { PartialAnswer } from '../../coverage/partial-answer.ts';
import { missingTexts } from '../../coverage/partial-mark.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import { MacroError } from '../../errors.ts';
import { namesOf, syncOf } from '../../source/not-mirrored.ts';
import { cureWithoutService } from '../../source/without-service.ts';
import type { App } from '../app/app.ts';
import { isKeyless } from '../app/keys.ts';
import { isOn } from '../parse/options.ts';
import { namesText } from './text.ts';

/** Missing parts that a sentence names; the data has them all. */
const MAX_NAMED = 3;

/** Ends a partial answer with exit 10, or a warning, and names the cure. @throws MacroError of kind `incomplete`. */
export async function endIfPartial(
  app: App,
  { partial }: { readonly partial?: PartialAnswer | undefined },
): Promise<void> {
  if (!partial) return;
  const message = `This answer is partial${missingSentence(partial)}.`;
  const hint = await cureOf(app, partial);
  if (isOn(app.options, 'allow-partial')) return app.warn(`${message} ${hint}`, MIRROR_INCOMPLETE);
  throw new MacroError('incomplete', message, { code: MIRROR_INCOMPLETE, hint });
}

function missingSentence({ mark, holder }: PartialAnswer): string {
  if (mark.missing.length === 0) return `: the ${holder} itself has only part of it`;
  return `. Missing in the ${holder}: ${missingWords(mark)}`;
}

function missingWords(mark: PartialMark): string {
  const parts = missingTexts(mark.missing);
  const named = parts.slice(0, MAX_NAMED).join(', ');
  const others = parts.length - MAX_NAMED;
  if (others <= 0) return named;
  if (others === 1 && !mark.truncated) return `${named} and 1 other part`;
  return `${named} and ${others}${mark.truncated ? ' or more' : ''} other parts`;
}

/** The command that brings the missing part, with the present service and key. */
export async function cureOf(app: App, partial: PartialAnswer): Promise<string> {
  const { cures, lost, holder } = partial;
  if (holder === 'service') return ITS_OWNER_CAN;
  if (!lost) return bringing(app, partial);
  return `${lost.text} ${cures.length > 0 ? await bringing(app, partial) : `To go on behind them: ${lost.goOn}`}`;
}

async function bringing(app: App, partial: PartialAnswer): Promise<string> {
  const { missingParts, cures } = partial;
  if (app.settings.baseUrl.value === undefined) return withoutServiceCure(app, partial);
  const today = dateOf(app.platform.clock.now());
  const keyed = isKeyless(app) ? missingParts.filter((missingPart) => isKeyed(missingPart, today)) : [];
  if (keyed.length === 0) return `Complete it with: ${cures.join(' && ')}`;
  return keyFirst(keyed.length === missingParts.length ? 'This part needs' : 'Some of it needs', cures);
}

/** Files that were fetched before are fetched again; nobody can name those of other publishers. A service has the rest. */
async function withoutServiceCure(app: App, { missingParts, cures }: PartialAnswer): Promise<string> {
  const handle = await app.mirrorIfAny();
  const { fetchesOf } = await import('../app/publishers.ts');
  const { fetches, rest } = handle ? await fetchesOf(handle.mirror, missingParts) : { fetches: [], rest: [] };
  if (fetches.length === 0) return cureWithoutService(cures.join());
  const names = namesOf(rest.map(({ series }) => series)).map((name) => name.toLowerCase());
  const brought = `Get the file of the publisher with: ${fetches.join(' && ')}`;
  if (names.length === 0) return brought;
  return `${brought}. Other parts are ${namesText(names)}. ${cureWithoutService(syncOf(names))}`;
}

export function keyFirst(what: string, cures: readonly string[]): string {
  return `${what} an API key: macro auth login, then: ${cures.join(' && ')}`;
}

/** True for what the service gives to the holder of a key only. */
function isKeyed({ series, range }: MissingPart, today: string): boolean {
  const endpoint = loadedEndpoint(series.endpoint);
  if (!endpoint) return false;
  if (needsKey(endpoint.access, series.scope)) return true;
  return endpoint.access.window === true && typeof range?.to === 'string' && range.to < addDays(today, -KEYLESS_DAYS);
}
