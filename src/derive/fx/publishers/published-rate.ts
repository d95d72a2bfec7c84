import type { FxObservation as DailyObservation } from '../pairs/legs.ts';

/** A rate of one pair as its source published it, and when. It outlives the question that it was first read for. */
export interface PublishedRate extends Omit<DailyObservation, 'series'> {
  readonly val: number;
  /** Of its series. */
  readonly origin: string;
  /** Unix seconds. */
  readonly at: number;
  /** `fixing`, `published` or a word of the service's, without `official_`. */
  readonly type: string;
  readonly sourceId: string;
  /** The time is the publisher's usual one: nobody stated that of this observation. */
  readonly assumed: boolean;
}
