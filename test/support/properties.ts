import fc from 'fast-check';

/**
 * fast-check with the same draws in every run: whether a change passes may not depend on luck. `npm run prove` draws anew,
 * and prints the seed of what fails.
 */
const SEED = 20_261_123;

/** Whether `npm run prove` runs, which takes what `npm test` takes a part of. */
export const PROVES = process.env.MACRO_PROVE !== undefined;
if (!PROVES) fc.configureGlobal({ seed: SEED });

/** Draws of a slow property: a few in `npm test`, five times as many in `npm run prove`. */
export const draws = (few: number): number => (PROVES ? few * 5 : few);

export default fc;
