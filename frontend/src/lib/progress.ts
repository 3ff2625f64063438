/** How far a program says it is. */
export interface Progress {
  readonly kind: "normal" | "error" | "busy" | "paused";
  /** Undefined while it does not say how much of it is done. */
  readonly percent: number | undefined;
  readonly words: string;
}
