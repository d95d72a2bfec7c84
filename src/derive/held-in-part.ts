/** Keeps a person from taking a part for the whole. `words` name the part as a command does; `by` is what completes it. */
export function heldInPart(words: string, by: 'sync' | 'live' = 'sync'): string {
  const typed = words.toLowerCase();
  const cure = by === 'sync' ? `Complete it with: macro sync ${typed}` : 'Ask with --live: what comes is kept.';
  return `The mirror holds ${typed} only in part: rows may be missing. ${cure}`;
}
