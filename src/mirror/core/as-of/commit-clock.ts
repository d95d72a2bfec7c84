/** Times of commits. */
export interface CommitClock {
  /** When a commit was, in milliseconds. */
  at(commit: number): number;
  /** Number of the last commit at or before a moment in milliseconds; 0 when there was none. */
  lastBy(at: number): number;
}
