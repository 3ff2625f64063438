import type { ReactElement } from "react";
import { cx } from "../lib/format";
import { type StateName, stateWords } from "../lib/state";

const line = {
  fill: "none",
  stroke: "currentColor",
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

// One shape for each state, so that it reads in grey.
const shapes: Record<StateName, ReactElement> = {
  idle: <circle cx="8" cy="8" r="4.5" {...line} strokeWidth="1.6" />,
  thinking: (
    <g fill="currentColor">
      <circle cx="2.9" cy="8" r="2" />
      <circle cx="8" cy="8" r="2" />
      <circle cx="13.1" cy="8" r="2" />
    </g>
  ),
  tool: (
    <path
      d="M4.6 3.2c0-.7.75-1.13 1.35-.78l7.7 4.5c.6.35.6 1.2 0 1.55l-7.7 4.5c-.6.36-1.35-.08-1.35-.78z"
      fill="currentColor"
    />
  ),
  waiting: (
    <>
      <path
        d="M7 1.1a1.4 1.4 0 0 1 2 0L14.9 7a1.4 1.4 0 0 1 0 2L9 14.9a1.4 1.4 0 0 1-2 0L1.1 9a1.4 1.4 0 0 1 0-2z"
        fill="currentColor"
        stroke="var(--dr-st-waiting)"
        strokeWidth="1"
      />
      <path
        d="M6.2 6.3a1.8 1.8 0 1 1 2.5 1.7c-.5.25-.7.5-.7 1"
        {...line}
        stroke="var(--dr-text-on-wait)"
        strokeWidth="1.4"
      />
      <circle cx="8" cy="11.1" r=".95" fill="var(--dr-text-on-wait)" />
    </>
  ),
  stalled: (
    <path
      d="M4 2.2h8M4 13.8h8M5 2.4c0 3 3 3.6 3 5.6s-3 2.6-3 5.6M11 2.4c0 3-3 3.6-3 5.6s3 2.6 3 5.6"
      {...line}
      strokeWidth="1.5"
    />
  ),
  starting: (
    <>
      <circle cx="8" cy="8" r="5.2" {...line} strokeWidth="1.6" opacity=".32" />
      <path d="M8 2.8a5.2 5.2 0 0 1 5.2 5.2" {...line} strokeWidth="1.8" />
    </>
  ),
  running: <circle cx="8" cy="8" r="4.6" fill="currentColor" />,
  reconnecting: (
    <>
      <path d="M3 6.2A5.3 5.3 0 0 1 12.2 4.7M13 9.8A5.3 5.3 0 0 1 3.8 11.3" {...line} strokeWidth="1.7" />
      <circle cx="8" cy="8" r="1.5" fill="currentColor" />
    </>
  ),
  stopping: (
    <>
      <circle
        cx="8"
        cy="8"
        r="5.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="2.6 1.8"
      />
      <rect x="5.7" y="5.7" width="4.6" height="4.6" rx=".9" fill="currentColor" />
    </>
  ),
  killing: (
    <>
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <rect x="5.7" y="5.7" width="4.6" height="4.6" rx=".9" fill="currentColor" />
    </>
  ),
  exited: <rect x="3.9" y="3.9" width="8.2" height="8.2" rx="1.8" {...line} strokeWidth="1.6" />,
  done: <path d="M3.4 8.6l3 3 6.2-7" {...line} strokeWidth="1.9" />,
  failed: <path d="M3.9 3.9l8.2 8.2M12.1 3.9l-8.2 8.2" {...line} strokeWidth="2.1" />,
  interrupted: (
    <>
      <rect x="3.9" y="3.9" width="8.2" height="8.2" rx="1.8" {...line} strokeWidth="1.6" />
      <path d="M2.6 13.4L13.4 2.6" {...line} strokeWidth="1.6" />
    </>
  ),
  unknown: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeDasharray="1.7 2"
      />
      <path d="M6.5 6.6a1.55 1.55 0 1 1 2.2 1.4c-.5.25-.7.5-.7.9" {...line} strokeWidth="1.35" />
      <circle cx="8" cy="10.9" r=".85" fill="currentColor" />
    </>
  ),
  scheduled: (
    <>
      <circle cx="8" cy="8" r="5.4" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M8 5v3l2 1.4" {...line} strokeWidth="1.4" />
    </>
  ),
};

/** The sign of a state. Its name is read out; beside a written word pass silent. */
export function StateGlyph({
  state,
  small,
  silent,
}: {
  state: StateName;
  small?: boolean;
  silent?: boolean;
}) {
  return (
    <svg
      className={cx("st", `st-${state}`, small && "sz")}
      viewBox="0 0 16 16"
      role="img"
      aria-label={stateWords[state]}
      aria-hidden={silent}
    >
      {shapes[state]}
    </svg>
  );
}

/** The mark of Drover. */
export function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 18 18"
      role="img"
      aria-label="Drover"
      fill="none"
      strokeLinecap="round"
    >
      <path d="M2.5 5.2h5.2M2.5 9h8.6M2.5 12.8h5.2" stroke="currentColor" strokeWidth="1.9" />
      <path d="M10.6 4.6L15 9l-4.4 4.4" stroke="var(--dr-accent)" strokeWidth="1.9" strokeLinejoin="round" />
    </svg>
  );
}
