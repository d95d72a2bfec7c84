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
