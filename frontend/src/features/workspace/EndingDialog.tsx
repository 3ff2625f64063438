import { useKnown } from "../../bridge/context";
import { stateOf } from "../../bridge/describe";
import type { ClosePreview } from "../../bridge/types";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Key } from "../../ui/Keys";
import { StateGlyph } from "../../ui/StateGlyph";

export interface EndingDialogProps {
  title: string;
  text: string;
  /** Said beside the answers. */
  note: string;
  items: ClosePreview["items"];
  /** The safe answer, which has the focus. */
  keep: string;
  end: string;
  onKeep: () => void;
  onEnd: () => void;
}

/** Names what ends by a yes. Only Ctrl Enter or a press on it says yes. */
export function EndingDialog({ title, text, note, items, keep, end, onKeep, onEnd }: EndingDialogProps) {
  const statuses = useKnown((k) => k.statuses);
  return (
    <Dialog
      title={title}
      width={572}
      onClose={onKeep}
      onKeyDown={(e) => {
        if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
          e.preventDefault();
          onEnd();
        }
      }}
      footer={
        <>
          <span className="t2 min-w-0">{note}</span>
          <span className="grow" />
          <Button data-autofocus onClick={onKeep}>
            {keep} <Key>Esc</Key>
          </Button>
          <Button
            look="solid"
            onClick={onEnd}
            // Enter alone must not end anything, wherever the focus stands.
            onKeyDown={(e) => {
              if (e.key === "Enter" && !e.ctrlKey && !e.metaKey) e.preventDefault();
            }}
          >
            {end}
            <span className="keys">
              <Key>Ctrl</Key>
              <Key>↵</Key>
            </span>
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <ul className="list mt-3 max-h-80">
        {items.map((item) => (
          <li key={`${item.block}-${item.name}-${item.detail}`}>
            <StateGlyph state={stateOf(statuses[item.block])} />
            <b className="cut font-medium">{item.name}</b>
            <span className="t3 cut grow">{item.detail}</span>
            <span className="t2">{item.effect}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
