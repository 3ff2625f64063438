import { useStore } from "zustand";
import { useKnown } from "../../bridge/context";
import { stateOf } from "../../bridge/describe";
import { count } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Key } from "../../ui/Keys";
import { StateGlyph } from "../../ui/StateGlyph";
import { useSession } from "./context";

/** The one question before a close that ends something. */
export function CloseDialog() {
  const session = useSession();
  const asking = useStore(session.closing.store, (s) => s.asking);
  const statuses = useKnown((k) => k.statuses);
  if (!asking) return null;
  const yes = () => session.try(`${asking.title} could not be closed`, session.closing.confirm());
  const no = () => session.closing.cancel();
  return (
    <Dialog
      title={`Close “${asking.title}”?`}
      width={572}
      onClose={no}
      onKeyDown={(e) => {
        if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
          e.preventDefault();
          yes();
        }
      }}
      footer={
        <>
          <span className="t2 whitespace-nowrap">Panes can be brought back for 10 s.</span>
          <span className="grow" />
          <Button data-autofocus onClick={no}>
            Keep it open <Key>Esc</Key>
          </Button>
          <Button
            look="solid"
            onClick={yes}
            // Enter alone must not end anything, wherever the focus stands.
            onKeyDown={(e) => {
              if (e.key === "Enter" && !e.ctrlKey && !e.metaKey) e.preventDefault();
            }}
          >
            Close and end {asking.items.length}
            <span className="keys">
              <Key>Ctrl</Key>
              <Key>↵</Key>
            </span>
          </Button>
        </>
      }
    >
      <p>
        {asking.items.length === 1
          ? "This still runs, and ends with it:"
          : `${count(asking.items.length, "thing")} still run, and end with it:`}
      </p>
      <ul className="list mt-3 max-h-80">
        {asking.items.map((item) => (
          <li key={`${item.block}-${item.name}-${item.detail}`}>
            <StateGlyph state={stateOf(statuses[item.block])} />
            <b className="font-medium">{item.name}</b>
            <span className="t3 cut grow">{item.detail}</span>
            <span className="t2">{item.effect}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
