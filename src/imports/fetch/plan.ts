/** Which files of a publisher a run fetches, and why. Nobody is contacted; the run sends this very list. */
import { addDays, dateOf, isoSeconds } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { type Download, type FetchedFrom, latestAppearance, wordsOf } from './download.ts';
import type { PastFetch, UnitState } from './state.ts';
import type { FetchUnit } from './units.ts';

export interface FetchTime {
  /** Milliseconds. */
  readonly now: number;
  /** Somebody named the unit: it is fetched even if it is not due. */
  readonly isNamed?: boolean | undefined;
  /** Ask for every file of the unit, whole and without what the last answer gave. */
  readonly full?: boolean | undefined;
}

/** One request of a plan: of a file, or of a page that says which files there are. */
export interface PlannedFetch {
  readonly kind: 'file' | 'page';
  readonly address: string;
  /** The name of the file. */
  readonly file: string;
  readonly why: string;
  /** The last fetch of this address. */
  readonly last: PastFetch | undefined;
  /** Validators of the last answer, if the mirror still has its rows. */
  readonly validators: Partial<Pick<FetchedFrom, 'etag' | 'modified'>>;
  /** Last date that the file may ever have. */
  readonly until: string | undefined;
  /** Its window moves, so it may begin later and be smaller than the last one. */
  readonly isMoving: boolean;
}

type Ask = Pick<PlannedFetch, 'address' | 'file' | 'why'> & Partial<PlannedFetch>;

/** While a file that should have come has not, it is asked for again after so long, for so long. */
const AGAIN_MS = 3_600_000;
const LATE_MS = 6 * AGAIN_MS;

/** The new file of a year takes some days to be there. */
const FIRST_DAYS_OF_YEAR = '01-15';

/** The due files of a unit; none if it is up to date. */
export function planUnit(unit: FetchUnit, state: UnitState, time: FetchTime): readonly PlannedFetch[] {
  const why = reasonOf(unit, state, time);
  const { download, id } = unit;
  const { address = '', file, recent } = download;
  const planned = (ask: Ask) => plannedFetch(unit, state, time, ask);
  if (/\{year\}/.test(address)) return yearsDue(unit, state, time, why).map(planned);
  if (why === undefined) return [];
  if (download.vintages)
    return [planned({ kind: 'page', address: fill(download.vintages.address, { id }), file, why })];
  if (download.link) return [planned({ kind: 'page', address, file, why })];
  if (recent && isRecentEnough(recent, state, time)) return [planned(recentAsk(recent, state, why))];
  const words = { ...wordsOf(id), from: unit.start ?? download.begins ?? '' };
  return [planned({ address: fill(address, words), file: fill(file, words), why })];
}

type Recent = NonNullable<Download['recent']>;

/** Does the small file go on where the mirror ends? */
function isRecentEnough({ days, address }: Recent, state: UnitState, { full, now }: FetchTime): boolean {
  const { checkedAt, dates, fetches } = state;
  const hasLarge = fetches.some(({ fetched }) => fetched.address !== address);
  return !full && hasLarge && checkedAt !== undefined && (dates[0] ?? '') >= addDays(dateOf(now), -days);
}

const recentAsk = (recent: Recent, { dates }: UnitState, why: string): Ask => ({
  ...recent,
  why: `${why}; the mirror ends at ${dates[0]}`,
  isMoving: true,
});

function plannedFetch(unit: FetchUnit, { fetches }: UnitState, { full }: FetchTime, ask: Ask): PlannedFetch {
  const of = (one: PastFetch) => (unit.download.link ? true : one.fetched.address === ask.address);
  const last = fetches.findLast(of);
  const { etag, modified } = last?.fetched ?? {};
  const hasValidators = last?.isLast && !full && ask.kind !== 'page';
  return {
    kind: 'file',
    until: undefined,
    isMoving: false,
    ...ask,
    last,
    validators: hasValidators ? { etag, modified } : {},
  };
}

/** The files behind the links or dates of a page. */
export function filesBehind(
  unit: FetchUnit,
  state: UnitState,
  page: PlannedFetch,
  { text, time }: { readonly text: string; readonly time: FetchTime },
): readonly PlannedFetch[] {
  const { download } = unit;
  if (!download.vintages) {
    const address = linkIn(text, page.address, download);
    return address === undefined
      ? []
      : [plannedFetch(unit, state, time, { address, file: download.file, why: page.why })];
  }
  return vintageFiles(unit, state, page, { text, time });
}

function vintageFiles(
  { download, id, vintages: range, ...unit }: FetchUnit,
  state: UnitState,
  { address, why }: PlannedFetch,
  { text, time }: { readonly text: string; readonly time: FetchTime },
): readonly PlannedFetch[] {
  const max = download.vintages?.max ?? 1;
  const listed = [...text.matchAll(/<option value="(\d{4}-\d{2}-\d{2})"/g)].flatMap(([, day]) => day ?? []);
  const all = [...new Set(listed)].sort();
  const last = all.at(-1);
  const meant = all.filter((day) => day >= (range?.from ?? '') && (range?.to === undefined || day <= range.to));
  const known = new Set(time.full ? [] : state.fetches.flatMap(({ fetched }) => vintagesOf(fetched.address)));
  const gone = [...known].find((day) => !all.includes(day));
  if (gone !== undefined)
    throw new MacroError(
      'protocol',
      `${address} does not list the vintage of ${gone}, which was there the last time.`,
      {
        code: 'no_link',
        hint: 'Nothing was changed. Try again later. If the publisher has withdrawn it: macro sync --full',
      },
    );
  const missing = meant.filter((day) => !known.has(day));
  if (missing.length > MAX_FILES * (max - 1))
    throw new MacroError('usage', `${id} has ${missing.length} vintages since ${range?.from}, too many for one run.`, {
      code: 'bad_words',
      hint: `Ask for ${MAX_FILES * (max - 1)} at most: name a later first day, or a last one, as in 2020-01..2022-12.`,
    });
  const files: PlannedFetch[] = [];
  for (let at = 0; at < missing.length; at += max - 1) {
    // The vintage before shows which values are new in the first requested one.
    const fresh = missing.slice(at, at + max - 1);
    const before = all[all.indexOf(fresh[0] ?? '') - 1];
    const days = [...(before === undefined ? [] : [before]), ...fresh];
    const words = { id, ids: days.map(() => id).join(','), vintages: days.join(','), vintage: days.at(-1) ?? '' };
    files.push(
      plannedFetch({ ...unit, download, id, vintages: range }, state, time, {
        address: fill(download.address ?? '', words),
        file: fill(download.file, words),
        why,
        // A file without the newest vintage says nothing of what came after it.
        ...(days.at(-1) !== last && { until: '0001-01-01' }),
      }),
    );
  }
  return files;
}

/** Files of one series that one run asks for: a second apart, they take two minutes. */
const MAX_FILES = 100;

const vintagesOf = (address: string): readonly string[] => address.match(/\d{4}-\d{2}-\d{2}/g) ?? [];

/** The first link of a page to a file, on the page's own site or a host that the description names. */
function linkIn(text: string, page: string, { link: form, hosts = [] }: Download): string | undefined {
  for (const [, link = ''] of text.matchAll(/href\s*=\s*["']([^"']+)["']/gi)) {
    const target = link.replaceAll('&amp;', '&').trim();
    const url = form?.test(target) && URL.canParse(target, page) ? new URL(target, page) : undefined;
    if (url && (url.host === new URL(page).host || hosts.includes(url.host))) return url.href;
  }
  return undefined;
}

/** Years that are missing, years that are over and were fetched before their end, and the present one when it is due. */
function yearsDue(
  { download, start }: FetchUnit,
  state: UnitState,
  time: FetchTime,
  why: string | undefined,
): readonly Ask[] {
  const { now, full } = time;
  const { recent } = download;
  const today = dateOf(now);
  const present = Number(today.slice(0, 4));
  const begins = Number((download.begins ?? today).slice(0, 4));
  const typed = start === undefined ? undefined : Number(start.slice(0, 4));
  const fetchedYears = state.fetches.flatMap(({ fetched: { until } }) =>
    until === undefined ? [] : Number(until.slice(0, 4)),
  );
  const first = Math.max(begins, Math.min(typed ?? present - 1, ...fetchedYears));
  const asks: Ask[] = [];
  for (let year = first; year <= present; year += 1) {
    const isOver = year < present;
    if (!isOver && why !== undefined && recent && isRecentEnough(recent, state, time)) {
      asks.push(recentAsk(recent, state, why));
      continue;
    }
    const words = { year: String(year) };
    const until = `${year}-12-31`;
    const [address, file] = [fill(download.address ?? '', words), fill(download.file, words)];
    const last = state.fetches.findLast(({ fetched }) => fetched.address === address)?.fetched;
    const isWhole = last !== undefined && dateOf(last.at) > `${year + 1}-${FIRST_DAYS_OF_YEAR}`;
    const reason = !isOver || full ? why : isWhole ? undefined : last ? 'the year is over' : NEVER;
    if (reason !== undefined) asks.push({ address, file, why: reason, until });
  }
  return asks;
}

const NEVER = 'never fetched';

/** Why a unit is due; undefined when it is not. */
function reasonOf({ download: { appears } }: FetchUnit, state: UnitState, time: FetchTime): string | undefined {
  const { checkedAt, changedAt } = state;
  if (checkedAt === undefined) return NEVER;
  const latest = latestAppearance(appears, time.now);
  const isLate = latest !== undefined && (changedAt ?? 0) < latest && time.now < latest + LATE_MS;
  if (latest !== undefined && (checkedAt < latest || (isLate && time.now >= checkedAt + AGAIN_MS)))
    return `a new state since ${isoSeconds(latest / 1000)}`;
  return time.full ? 'read whole' : time.isNamed ? 'named' : undefined;
}

/** When a unit that is up to date has something to do again, in milliseconds. */
export function nextCheck({ download: { appears } }: FetchUnit, state: UnitState, now: number, next: number): number {
  const latest = latestAppearance(appears, now);
  const isLate = latest !== undefined && (state.changedAt ?? 0) < latest && now < latest + LATE_MS;
  return isLate ? Math.min(next, (state.checkedAt ?? now) + AGAIN_MS) : next;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A template with its words in place of the braces. */
export function fill(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)(?::[^}]*)?\}/g, (whole, name: string) => {
    const word = words[name] ?? '';
    const [year, month = '', day] = word.split('-');
    return whole.endsWith(':DD/MMM/YYYY}') ? `${day}/${MONTHS[Number(month) - 1]}/${year}` : word;
  });
}

/** An address that shows whether the publisher of a format answers. */
export function probeAddress(download: Download, now: number): string {
  const { address = '', vintages, ids } = download;
  const id = ids?.example ?? ids?.defaults[0] ?? '';
  const day = dateOf(now - 31 * 86_400_000);
  return fill(vintages?.address ?? address, { ...wordsOf(id), year: dateOf(now).slice(0, 4), from: day });
}

/** Address that a person asks for: with the words that stand for what only a run knows left in their braces. */
export function shownAddresses({
  download,
  id,
  start,
}: Pick<FetchUnit, 'download' | 'id' | 'start'>): readonly string[] {
  const { address = '', recent, vintages } = download;
  const words = { ...wordsOf(id), from: start ?? download.begins ?? '' };
  const open = { ids: '{ids}', year: '{year}', vintages: '{vintages}' };
  const all = [...(vintages ? [vintages.address] : []), address, ...(recent ? [recent.address] : [])];
  return all.map((one) => fill(one, { ...open, ...words }));
}
