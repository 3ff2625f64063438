import { useEffect, useState } from "react";
import type { BrowserLink } from "../bridge/browser";
import { useKnown } from "../bridge/context";
import { Button } from "../ui/Button";
import { StateGlyph } from "../ui/StateGlyph";

/** Said while the link to `drover serve` is down; what is shown may be old by then. */
export function LinkBar({ link }: { link: BrowserLink | undefined }) {
  const state = useKnown((k) => k.link);
  const [now, setNow] = useState(() => Date.now());
  const lost = state.state === "lost";
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [lost]);
  if (!lost || !link) return null;
  const wait = Math.max(0, Math.ceil((state.nextTry - now) / 1000));
  return (
    <div className="linkbar" role="alert">
      <StateGlyph state="reconnecting" silent />
      <span className="grow">
        <b>Connection lost, trying again</b>
        {wait > 0 ? ` in ${wait} s` : " now"} · try {state.attempt}.{" "}
        <span className="t3">Shown is what was known last.</span>
      </span>
      <Button small onClick={() => link.retryNow()}>
        Try now
      </Button>
    </div>
  );
}
