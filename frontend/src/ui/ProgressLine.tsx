import type { Progress } from "../lib/progress";

/** How far a program says it is, as a thin line at the foot of what is around it. Said by title and role, too. */
export function ProgressLine({ progress }: { progress: Progress }) {
  const { kind, percent, words } = progress;
  return (
    <span
      className={`progress is-${kind}`}
      role="progressbar"
      aria-label={words}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={percent === undefined ? undefined : { width: `${percent}%` }} />
    </span>
  );
}
