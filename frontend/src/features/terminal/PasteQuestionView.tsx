import type { KeyboardEvent } from "react";
import { useId } from "react";
import { count, sizeText } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Key } from "../../ui/Keys";
import type { PasteQuestion } from "./paste";

const SHOWN = 2000;

export type PasteAnswer = "paste" | "one-line" | "cancel";

/** Asks before a paste that would do more than it seems. The focus is on the safe answer. */
export function PasteQuestionView({
  question,
  answer,
}: {
  question: PasteQuestion;
  answer: (answer: PasteAnswer) => void;
}) {
  const id = useId();
  const { text, lines, longest, kept } = question;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    answer("cancel");
  };
  return (
    <div
      className="term-ask"
      role="alertdialog"
      aria-labelledby={`${id}-t`}
      aria-describedby={`${id}-d`}
      onKeyDown={onKeyDown}
    >
      <h3 id={`${id}-t`}>{lines > 0 ? `Paste ${count(lines, "line")}?` : "Paste a long line?"}</h3>
      <p id={`${id}-d`}>
        {lines > 0 && "The program takes them as typed: each line runs as it comes. "}
        {longest > 0 &&
          `One line has ${sizeText(longest)}. The terminal keeps ${sizeText(kept)} of a line as it is now, the rest of it is lost.`}
      </p>
      <pre>{text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text}</pre>
      <footer>
        <Button autoFocus onClick={() => answer("cancel")}>
          Cancel <Key>Esc</Key>
        </Button>
        <span className="grow" />
        {lines > 1 && (
          <Button look="ghost" onClick={() => answer("one-line")}>
            As one line
          </Button>
        )}
        <Button look="primary" onClick={() => answer("paste")}>
          Paste
        </Button>
      </footer>
    </div>
  );
}
