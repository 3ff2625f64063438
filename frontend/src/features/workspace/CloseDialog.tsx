import { useStore } from "zustand";
import { count } from "../../lib/format";
import { useSession } from "./context";
import { EndingDialog } from "./EndingDialog";

/** The one question before a close that ends something. */
export function CloseDialog() {
  const session = useSession();
  const asking = useStore(session.closing.store, (s) => s.asking);
  if (!asking) return null;
  const { title, items } = asking;
  return (
    <EndingDialog
      title={`Close “${title}”?`}
      text={
        items.length === 1
          ? "This still runs, and ends with it:"
          : `${count(items.length, "thing")} still run, and end with it:`
      }
      note="Terminals can be brought back for 10 s, as they are."
      items={items}
      keep="Keep it open"
      end={`Close and end ${items.length}`}
      onKeep={() => session.closing.cancel()}
      onEnd={() => session.try(`${title} could not be closed`, session.closing.confirm())}
    />
  );
}
