/** Questions carry dates, so new ones come every day: only this many validators of a series and access are kept. */
export const KEPT_VALIDATORS = 50;
