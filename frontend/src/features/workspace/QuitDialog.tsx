import { useEffect, useState } from "react";
import { useMirror } from "../../bridge/context";
import type { ClosePreview } from "../../bridge/types";
import { count } from "../../lib/format";
import { useSession } from "./context";
import { EndingDialog } from "./EndingDialog";

/** The question before the window goes, if something ends with it. */
export function QuitDialog() {
  const session = useSession();
  const mirror = useMirror();
  const [preview, setPreview] = useState<ClosePreview>();
  useEffect(() => {
    const sub = mirror.onQuit.on(setPreview);
    return () => sub.dispose();
  }, [mirror]);
  if (!preview) return null;
  const { items } = preview;
  return (
    <EndingDialog
      title="Quit Drover?"
      text={items.length === 1 ? "This still runs:" : `${count(items.length, "thing")} still run:`}
      note=""
      items={items}
      keep="Stay"
      end="Quit"
      onKeep={() => setPreview(undefined)}
      onEnd={() => {
        setPreview(undefined);
        session.try("Drover could not be quit", mirror.api.app.quit());
      }}
    />
  );
}
