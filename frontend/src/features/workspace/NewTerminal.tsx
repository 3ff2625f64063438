import { ChevronDown } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useKnown, useMirror } from "../../bridge/context";
import type { Side } from "../../bridge/types";
import { errorText, tildePath } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Check, Field, Select } from "../../ui/Field";
import { Key } from "../../ui/Keys";
import { useSession, useWorkspaceUi } from "./context";
import { FolderField } from "./FolderField";
import { expandHome, folderName, trimPath } from "./folder";

const places: readonly { value: Side; label: string }[] = [
  { value: "center", label: "As a tab of the focused pane" },
  { value: "right", label: "To the right" },
  { value: "below", label: "Below" },
  { value: "left", label: "To the left" },
  { value: "above", label: "Above" },
];

/** Which field an error is about, by what its text speaks of. */
function errorField(text: string): "dir" | "shell" | "command" {
  if (/shell/i.test(text)) return "shell";
  return /folder|director|no such file|start in/i.test(text) ? "dir" : "command";
}

function Footer({ form, action, busy, note, onCancel }: FooterProps) {
  return (
    <>
      <span className="t3">{note}</span>
      <span className="grow" />
      <Button onClick={onCancel}>
        Cancel <Key>Esc</Key>
      </Button>
      <Button look="primary" type="submit" form={form} disabled={busy}>
        {action} <Key>↵</Key>
      </Button>
    </>
  );
}

interface FooterProps {
  form: string;
  action: string;
  busy: boolean;
  note: string;
  onCancel: () => void;
}

export function NewTerminalDialog() {
  const wish = useWorkspaceUi((ui) => ui.newTerminal);
  return wish ? <NewTerminalForm side={wish.side} /> : null;
}

function NewTerminalForm({ side }: { side: Side }) {
  const session = useSession();
  const { api } = useMirror();
  const hello = useKnown((k) => k.hello);
  const home = hello?.home ?? "";
  const form = useId();
  const [shells, setShells] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [wish, setWish] = useState(() => ({
    dir: tildePath(session.dir, home),
    shell: "",
    commandLine: "",
    name: "",
    unrecorded: false,
    side,
  }));
  const set = (part: Partial<typeof wish>) => {
    setWish((old) => ({ ...old, ...part }));
    setError("");
  };
  useEffect(() => {
    api.workspaces.shells().then(setShells, () => setShells([]));
  }, [api]);
  const close = () => session.ui.setState({ newTerminal: undefined });
  // The dialogue keeps the focus to itself while it is there.
  const opened = useRef("");
  const gone = () => {
    if (opened.current) session.focusBlock(opened.current);
  };
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    try {
      const { dir, ...rest } = wish;
      const block = await session.openTerminal({
        ...rest,
        dir: dir ? trimPath(expandHome(dir, home)) : "",
        like: "",
      });
      opened.current = block.id;
      close();
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
    }
  };
  const field = error ? errorField(error) : undefined;
  const note = places.find((p) => p.value === wish.side)?.label ?? "";
  return (
    <Dialog
      title="New terminal"
      width={582}
      onClose={close}
      onGone={gone}
      footer={
        <Footer form={form} action="Open" busy={busy} note={`Opens ${note.toLowerCase()}`} onCancel={close} />
      }
    >
      <form id={form} className="grid gap-4 pt-2" onSubmit={(e) => void submit(e)}>
        <FolderField
          label="Folder"
          value={wish.dir}
          focus
          {...(field === "dir" ? { error } : {})}
          onChange={(dir) => set({ dir })}
        />
        <Field
          label="Command"
          value={wish.commandLine}
          placeholder="Nothing: an interactive shell"
          className="mono"
          help="Run by the shell; the pane stays when it ends."
          {...(field === "command" ? { error } : {})}
          onChange={(e) => set({ commandLine: e.target.value })}
        />
        <div className="grid grid-cols-2 gap-4">
          <div>
            <Select
              label="Shell"
              value={wish.shell}
              after={<ChevronDown className="ic sz" aria-hidden />}
              onChange={(e) => set({ shell: e.target.value })}
            >
              <option value="">Yours{hello?.shell ? ` (${hello.shell.split(/[\\/]/).at(-1)})` : ""}</option>
              {shells.map((s) => (
                <option key={s} value={s}>
                  {s}
                </option>
              ))}
            </Select>
            {field === "shell" && (
              <div className="said bad" role="alert">
                {error}
              </div>
            )}
          </div>
          <Field
            label="Name"
            value={wish.name}
            placeholder="The program's own"
            onChange={(e) => set({ name: e.target.value })}
          />
        </div>
        <Select
          label="Where it opens"
          value={wish.side}
          after={<ChevronDown className="ic sz" aria-hidden />}
          onChange={(e) => set({ side: e.target.value as Side })}
        >
          {places.map((p) => (
            <option key={p.value} value={p.value}>
              {p.label}
            </option>
          ))}
        </Select>
        <Check
          label="Do not record this terminal"
          help="If so, its output is kept in memory only."
          on={wish.unrecorded}
          onChange={(unrecorded) => set({ unrecorded })}
        />
      </form>
    </Dialog>
  );
}

export function FolderDialog() {
  return useWorkspaceUi((ui) => ui.openFolder) ? <FolderForm /> : null;
}

function FolderForm() {
  const session = useSession();
  const home = useKnown((k) => k.hello?.home ?? "");
  const form = useId();
  const [dir, setDir] = useState("~/");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const close = () => session.ui.setState({ openFolder: false });
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    try {
      const path = trimPath(expandHome(dir, home));
      // Listing it first says what is wrong before a workspace is made of it.
      await session.mirror.api.workspaces.listDir({ path });
      await session.createWorkspace(folderName(path), path);
      close();
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Open a folder"
      width={582}
      onClose={close}
      footer={
        <Footer form={form} action="Open" busy={busy} note="As a workspace of its own" onCancel={close} />
      }
    >
      <form id={form} className="min-h-56 pt-2" onSubmit={(e) => void submit(e)}>
        <FolderField
          label="Folder"
          value={dir}
          focus
          {...(error ? { error } : {})}
          onChange={(path) => {
            setDir(path);
            setError("");
          }}
        />
      </form>
    </Dialog>
  );
}
