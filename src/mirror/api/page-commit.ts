import type { JsonObject, JsonText } from '../../contract/json/json.ts';
import type { Via } from './journal.ts';
import type { AccessTag, DataKind, KeyValue, SeriesKey, SkippedRows } from './series.ts';

/** One commit, stored as a whole or not at all: each kind has only its own members. */
export type PageCommit = AnswerCommit | EventsCommit | ImportCommit | UndoCommit;

export type AnswerCommit = CommitWith<AnswerMembers>;
export type EventsCommit = CommitWith<EventsMembers>;
export type ImportCommit = CommitWith<ImportMembers>;
export type UndoCommit = CommitWith<UndoMembers>;

/** Members of the other kinds are never there, so that whoever has a commit of any kind asks for one of them. */
type CommitWith<Own> = CommitMembers &
  Own & {
    readonly [Name in Exclude<keyof (AnswerMembers & EventsMembers & ImportMembers & UndoMembers), keyof Own>]?: never;
  };

interface CommitMembers {
  readonly series: SeriesKey;
  readonly nature: DataKind;
  readonly access: AccessTag;
  /** Method, path and query as sent, for provenance; never a key. */
  readonly request: string;
  /** Canonical text of the question with paging, the key of its validator. */
  readonly question: string;
  readonly envelope?: { readonly text: JsonText; readonly inputs: string };
  readonly rows: readonly NewRow[];
  /**
   * `listed`: a stored row between the first and last one, or in the window, has vanished if not listed. `replaces`:
   * these are all rows. `adds`: others stay. A keyless answer takes nothing from a keyed one, unless it is later.
   */
  readonly extent: 'listed' | 'replaces' | 'adds';
  /** Bounds of the window column, both inclusive; rows outside of them are not stored, but for those of a listed page. */
  readonly window?: { readonly from?: KeyValue; readonly to?: KeyValue };
  /** The coverage after this commit. */
  readonly covered?: {
    readonly from: KeyValue;
    readonly to: KeyValue;
    readonly rows: number;
    /** Milliseconds; default `at`. A walk covers the rows that existed when it started. */
    readonly checkedAt?: number;
    readonly skipped?: SkippedRows;
  };
  /** Milliseconds. */
  readonly at: number;
}

/** An answer of the service, alone or as a page of a walk. */
interface AnswerMembers {
  readonly etag?: string;
  /** An answer to another question, cut down: changes neither the envelope nor members that depend on the question. */
  readonly excerpt?: true;
  /** An answer that is itself incomplete: no walk that it belongs to covers anything. */
  readonly doubtful?: true;
  /** For the feed of release events: the journal takes unknown ones. */
  readonly arrived?: { readonly via: Via };
  /** The walk after this page; null when it is finished. Left out when the page belongs to none. */
  readonly walk?: UnfinishedWalk | null;
  /** Seams of a finished walk, see `UnfinishedWalk`. */
  readonly seams?: UnfinishedWalk['seams'];
  /** Series that this answer, a page of a feed, says have changed. */
  readonly named?: readonly NamedSeries[];
  /** The series is known to its feed's end, `checked` with correctable rows too; not when rows were withheld. */
  readonly follows?: { readonly checked: boolean };
}

/** Release events that came by themselves. They leave the row of a known event as it is: each way spells it a little differently. */
interface EventsMembers {
  readonly arrived: { readonly via: Via };
}

/** A range of a file. */
interface ImportMembers {
  /** The rows say themselves since when they are known: of two states of a row the later one counts, whichever came first. */
  readonly dated?: true;
}

/** Undoes an import in a window; the rows are those ended by that import. */
interface UndoMembers {
  readonly undo: Undo;
}

/** The undoing of an import: its rows go, and the rows that it ended come back. Recorded even without a difference. */
export interface Undo {
  /** The first commit of the import. */
  readonly since: number;
  /** The series as it was when this was found out: a commit in between makes it wrong, and it is refused. */
  readonly chain: string;
  /** When the files that are left confirmed the series last, in milliseconds. */
  readonly checkedAt: number;
  /** The coverage by the remaining files, which replaces all earlier coverage; the mirror counts the rows. */
  readonly coveredRanges: readonly { readonly from: KeyValue; readonly to: KeyValue; readonly checkedAt: number }[];
}

/** A row as received: the mirror takes key and columns from `value` by its mapping. */
export interface NewRow {
  readonly text: JsonText;
  readonly value: JsonObject;
  /** Name of the row in a body that is a map; empty or left out in any other. */
  readonly name?: string;
  /** Publication time (Unix seconds) stated by an importer's rule, where the row carries none. */
  readonly assumedRelease?: number;
  /** For a row that is a release event: the series that it names as changed. They count when it was not known before. */
  readonly names?: readonly NamedSeries[];
}

/** The fate of the rows of a page or a file. */
export interface RowCounts {
  readonly added: number;
  readonly revised: number;
  readonly vanished: number;
  /** Rows that were stored; those whose text was refreshed for a neighbour's or the question's sake are among them. */
  readonly unchanged: number;
}

export interface CommitReport extends RowCounts {
  /** Number of this commit; of the last one before when nothing that can be read has changed, for then none is recorded. */
  readonly commit: number;
  /** For a page of events, row by row: the position of the event in the journal, undefined if it was known before. */
  readonly arrived?: readonly (number | undefined)[];
  /** The service means another series by these words now: that which it meant before was closed. */
  readonly replaced?: { readonly from: string; readonly to: string };
  /** Rows of the page were not taken, because an answer to a key says otherwise: nothing may rest on the page. */
  readonly heldBack?: true;
}
/** A series whose changes are announced by a feed, which was read without a gap since the series was last asked for. */
export interface Follow {
  readonly series: number;
  /** When all that its publisher may still correct was last asked for, in milliseconds. */
  readonly checkedAt: number;
  /** Earliest date that the feed says may have changed; empty when any may have; undefined when none has. */
  readonly due: string | undefined;
}

/** Series that a feed names: every one whose scope has these values. */
export interface NamedSeries {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  /** Earliest date that may have changed; empty when it is not known. */
  readonly due: string;
}

/** An unfinished walk over a closed window. */
export interface UnfinishedWalk {
  readonly question: string;
  readonly from: KeyValue;
  readonly to: KeyValue;
  /** Offset or cursor of the next page. */
  readonly next: string;
  /** Total that every page must repeat; undefined where the service gives none. */
  readonly total: number | undefined;
  readonly seen: number;
  /** The service's version of the data behind the pages; a resumed walk is pinned to it. */
  readonly version?: string;
  /** Key of the last row committed, for contiguity. */
  readonly lastKey: readonly KeyValue[] | undefined;
  /** Key intervals between neighbouring pages: once the walk is complete, rows stored inside them have vanished. */
  readonly seams: readonly (readonly [readonly KeyValue[], readonly KeyValue[]])[];
  readonly startedAt: number;
}
