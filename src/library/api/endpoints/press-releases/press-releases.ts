// Made from the endpoints by npm run gen. Do not edit.
/** Publications of a central bank, with their stance: what is asked. */
export interface PressReleasesQuery {
  /** currency of the central bank */ readonly currency: string;
  /** rows a page */ readonly limit?: number;
  /** rows to skip, newest first */ readonly offset?: number;
}

/** Publications of a central bank, with their stance: one row. */
export interface PressReleasesRow {
  readonly title: string;
  /** address of the publication; names it */ readonly url: string;
  /** day of publication */ readonly date: string;
  readonly summary?: string | null;
  /** policy_decision, minutes, statement, speech, report or other */ readonly category?: string | null;
  /** in 0..1 */ readonly relevance?: number | null;
  /** in -1..1 */ readonly sentiment?: number | null;
  readonly topics?: readonly string[] | null;
  readonly ai_summary?: string | null;
  /** hawkish, neutral or dovish */ readonly ai_stance?: string | null;
  /** in -1..1 */ readonly ai_stance_score?: number | null;
  /** hike, hold or cut */ readonly ai_next_meeting_action?: string | null;
  /** in 0..1 */ readonly ai_next_meeting_probability?: number | null;
  readonly ai_rationale?: string | null;
  readonly rate_path?: { /** in -1..1 */ readonly score?: number | null; /** hawkish, neutral or dovish */ readonly label?: string | null; /** hike, hold or cut */ readonly bias_action?: string | null; /** in 0..1 */ readonly confidence?: number | null; readonly raw_score?: number | null; readonly matches?: readonly (string | { readonly phrase: string; readonly weight?: number | null; })[] | null; } | null;
}

/** Publications of a central bank, with their stance: the whole answer. */
export interface PressReleasesBody {
  readonly currency: string;
  readonly source?: string;
  readonly source_url?: string;
  /** rows of this page */ readonly count?: number;
  readonly limit?: number;
  readonly offset?: number;
  readonly data: readonly PressReleasesRow[];
}
