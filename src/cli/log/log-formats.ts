// Forms that a log can have.

export const LOG_FORMATS = ['pretty', 'json'] as const;

/** `common` is the form of web servers, for requests alone. */
export const REQUEST_LOG_FORMATS = [...LOG_FORMATS, 'common'] as const;
export type LogFormat = (typeof REQUEST_LOG_FORMATS)[number];
