/** A part that an answer lacks, as the answer tells it: `series` are the words of the command. */
export interface Missing {
  readonly from?: string | number;
  readonly to?: string | number;
  readonly series?: string;
}

/** What a partial answer says of itself: the member `mirror` of its body. */
export interface PartialMark {
  readonly complete: false;
  readonly missing: readonly Missing[];
  readonly truncated?: true;
  /** When the mirror last looked at what the answer rests on, ISO; left out where it never did: an event came by itself. */
  readonly checked_at?: string;
}

/** More parts than this are not listed. */
export const MAX_LISTED = 100;

/** Code of a partial answer, and of the refusal to give one. */
export const MIRROR_INCOMPLETE = 'mirror_incomplete';

/** Who can bring what an answer of another server lacks. */
export const ITS_OWNER_CAN = 'Whoever runs that server can bring it; macro sync at this end cannot.';
