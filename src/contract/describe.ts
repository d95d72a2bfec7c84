// The words that a description of an endpoint consists of, but for schemas.
export * from './answer-members.ts';
export * from './endpoint.ts';
export * from './json/body.ts';
export * from './mapping.ts';
export * from './paging.ts';
export * from './params/params.ts';
export * from './words/words.ts';
