/** What an answer is made of, for as long as the mirror is in one state. */
export interface KnownBasis {
  /** What the validators of all pages have in common. */
  readonly digest: string;
  /** The name under which what was made of it is kept. */
  readonly maker: string;
  /** When the part of it that was looked at longest ago was looked at, in milliseconds. */
  readonly checkedAt: number;
}
