import { useEffect, useRef } from "react";
import { useSession } from "./context";

/** Edits a name in place: Enter takes it, Esc leaves it as it was. */
export function RenameBox({ id, name, label }: { id: string; name: string; label: string }) {
  const session = useSession();
  const box = useRef<HTMLInputElement>(null);
  const settled = useRef(false);
  useEffect(() => {
    // After the menu that led here has given its focus back.
    const frame = requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const take = (value: string | undefined) => {
    if (settled.current) return;
    settled.current = true;
    if (value === undefined || value === name) session.ui.setState({ renaming: "" });
    else session.try("That name could not be given", session.rename(id, value));
  };
  return (
    <input
      ref={box}
      className="rename"
      aria-label={label}
      defaultValue={name}
      size={Math.max(6, name.length + 2)}
      onBlur={(e) => take(e.currentTarget.value)}
      onPointerDown={(e) => e.stopPropagation()}
      onDoubleClick={(e) => e.stopPropagation()}
      onKeyDown={(e) => {
        e.stopPropagation();
        if (e.key === "Enter") take(e.currentTarget.value);
        else if (e.key === "Escape") take(undefined);
      }}
    />
  );
}
