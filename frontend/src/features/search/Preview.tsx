import { type RefObject, useLayoutEffect } from "react";
import { cx } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Key } from "../../ui/Keys";
import { type Chosen, keyOf, markIn } from "./model";
import { useTerminalHead } from "./Results";
import type { Surrounded } from "./surroundings";

interface PreviewProps {
  ref: RefObject<HTMLDivElement | null>;
  chosen: Chosen | undefined;
  shown: Surrounded | undefined;
  /** It is in the log alone, and somebody wanted to go there. */
  lost: boolean;
  copied: boolean;
  copyKey: string;
  onGo: () => void;
  onCopy: () => void;
}

/** The text around the chosen row. */
export function Preview({ ref, chosen, shown, lost, copied, copyKey, onGo, onCopy }: PreviewProps) {
  // A hit in the middle: what led to it counts as much as what came of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each text has a hit of its own
  useLayoutEffect(() => {
    const { current } = ref;
    const line = current?.querySelector<HTMLElement>(".hit");
    if (current && line) current.scrollTop = line.offsetTop - (current.clientHeight - line.clientHeight) / 2;
  }, [ref, shown]);
  const key = chosen && keyOf(chosen.block, chosen.hit.line);
  return (
    <div className="seek-view">
      {chosen && (
        <header>
          <In block={chosen.block} />
          <Button small look="ghost" onClick={onCopy}>
            {copied ? "Copied" : "Copy the line"} <Key>{copyKey}</Key>
          </Button>
          <Button small onClick={onGo}>
            {lost ? "Go to the terminal" : "Go there"} <Key>↵</Key>
          </Button>
        </header>
      )}
      {lost && (
        <p className="seek-lost" role="alert">
          The terminal itself does not show this line any more: this is what was kept of it.
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a section in a dialogue is no landmark */}
      <div
        ref={ref}
        className="seek-text selectable"
        role="region"
        aria-label="Text around it"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
      >
        {shown?.error && <div className="seek-none bad">{shown.error}</div>}
        {shown?.lines.map((line, i) => {
          const hit = i === shown.at;
          const mark = hit && chosen && shown.key === key ? markIn(line.text, chosen.hit) : undefined;
          return (
            <div key={line.offset} className={cx("line", hit && "hit")}>
              {mark ? (
                <>
                  {line.text.slice(0, mark[0])}
                  <mark>{line.text.slice(...mark)}</mark>
                  {line.text.slice(mark[1])}
                </>
              ) : (
                line.text
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function In({ block }: { block: string }) {
  return <span className="cut grow t2">In {useTerminalHead(block).name}</span>;
}
