export const MAX_README_BYTES: number;
export const MAX_WORDS: number;
export function documentPaths(): readonly string[];
export function readDocument(path: string): string;
export function readmeBytes(): number;
export function sentencesOf(text: string): readonly string[];
export function wordCount(sentence: string): number;
export interface LongSentence {
  readonly path: string;
  readonly words: number;
  readonly sentence: string;
}
export function longSentences(): readonly LongSentence[];
