/**
 * Whose knowledge of a moment counts: the `public`'s (publication times), that of the service (`captured`, its own capture
 * times) or that of this mirror (`mirrored`, what it had taken in by then).
 */
export type Availability = 'public' | 'captured' | 'mirrored';

export const AVAILABILITIES: readonly Availability[] = ['public', 'captured', 'mirrored'];

/** A moment of the past that a question is put at: the answer knows nothing that came later. */
export interface AsOf {
  /** Milliseconds. */
  readonly at: number;
  readonly by: Availability;
}
