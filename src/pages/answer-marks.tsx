// What an answer says of itself. Nobody sees rows of it without these marks above them.
import type { PresentedAnswer } from '../serve/pages/page-data.ts';

export function AnswerMarks({ answer }: { readonly answer: PresentedAnswer }) {
  const { isSynthetic, isPartial, missing, cures, checkedAt, asOf } = answer;
  return (
    <>
      {isSynthetic && (
        <p class="banner synthetic">
          <strong>MADE UP</strong> These numbers are synthetic, not real.
        </p>
      )}
      {isPartial && (
        <div class="banner partial" role="alert">
          <strong>PARTIAL</strong> The mirror does not hold all of this answer.
          {missing.length > 0 && ` Missing: ${missing.join('; ')}.`}
          {cures.map((cure) => (
            <pre key={cure} tabIndex={0}>
              {cure}
            </pre>
          ))}
        </div>
      )}
      <p class="quiet">
        {isPartial ? 'Partial' : 'Complete'} as of the last look of the mirror, {checkedAt}.
        {asOf !== undefined && ` Shown as it was known on ${asOf}.`}
      </p>
    </>
  );
}
