import { FileDown, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../../ui/Button";

/** The terminal's text as text: for screen readers, for selecting, for reading in peace. */
export function TextView({ text, close, save }: { text: string; close: () => void; save: () => void }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = area;
    if (!current) return;
    current.focus();
    current.scrollTop = current.scrollHeight;
  }, []);
  return (
    <div className="term-text" role="dialog" aria-label="Terminal as text">
      <header>
        <span className="grow t2">Text of this terminal, as it was when opened</span>
        <IconButton icon={FileDown} name="Save text" command="terminal.saveText" onClick={save} />
        <IconButton icon={X} name="Close" onClick={close} />
      </header>
      <textarea
        ref={area}
        readOnly
        wrap="off"
        aria-label="Terminal text"
        spellCheck={false}
        value={text}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          close();
        }}
      />
    </div>
  );
}
