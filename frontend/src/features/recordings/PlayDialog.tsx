import { FileVideo } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { useKnown } from "../../bridge/context";
import { errorText } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Field } from "../../ui/Field";
import { Key } from "../../ui/Keys";
import { expandHome, folderName, useSession } from "../workspace";

/** Asks for the file of a recording and plays it in a new terminal. What is wrong with the file is said there. */
export function PlayDialog({ path: first, onClose }: { path: string; onClose: () => void }) {
  const session = useSession();
  const home = useKnown((k) => k.hello?.home ?? "");
  const binary = useKnown((k) => k.hello?.binary ?? "");
  const form = useId();
  const [path, setPath] = useState(first || "~/");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  // The dialogue keeps the focus to itself while it is there.
  const opened = useRef("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const file = expandHome(path.trim(), home);
    if (file === "" || /[\\/]$/.test(file)) return setError("Name a file.");
    setBusy(true);
    try {
      const block = await session.openTerminal({
        side: "center",
        command: [binary, "play", file],
        name: folderName(file),
      });
      opened.current = block.id;
      onClose();
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Play a recording"
      width={582}
      onClose={onClose}
      onGone={() => opened.current && session.focusBlock(opened.current)}
      footer={
        <>
          <span className="t3">Space pauses, + and − change the speed, q ends it</span>
          <span className="grow" />
          <Button onClick={onClose}>
            Cancel <Key>Esc</Key>
          </Button>
          <Button look="primary" type="submit" form={form} disabled={busy}>
            Play <Key>↵</Key>
          </Button>
        </>
      }
    >
      <form id={form} className="pt-2" onSubmit={(event) => void submit(event)}>
        <Field
          label="File"
          icon={FileVideo}
          value={path}
          placeholder="~/session.cast"
          help="An asciicast of version 2, as Drover and asciinema 2 write them. It plays in a new terminal."
          data-autofocus=""
          {...(error ? { error } : {})}
          onChange={(event) => {
            setPath(event.target.value);
            setError("");
          }}
        />
      </form>
    </Dialog>
  );
}
