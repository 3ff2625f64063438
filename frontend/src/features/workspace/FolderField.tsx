import { Folder } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useMirror } from "../../bridge/context";
import { errorText } from "../../lib/format";
import { Field } from "../../ui/Field";
import { complete, completions, expandHome, splitPath } from "./folder";

export interface FolderFieldProps {
  label: string;
  value: string;
  error?: string;
  focus?: boolean;
  onChange: (path: string) => void;
}

/** A folder's path, completed from the folders that are there: arrows choose, Tab or Enter takes. */
export function FolderField({ label, value, error, focus, onChange }: FolderFieldProps) {
  const { api, store } = useMirror();
  const home = store.getState().hello?.home ?? "";
  const listId = useId();
  const [dirs, setDirs] = useState<{ parent: string; names: string[]; error: string }>();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const { parent, prefix } = splitPath(value);
  useEffect(() => {
    let current = true;
    const take = (names: string[], failure: string) => {
      if (current) setDirs({ parent, names, error: failure });
    };
    api.workspaces.listDir({ path: expandHome(parent, home) }).then(
      (list) => take(list.dirs, ""),
      (failure: unknown) => take([], errorText(failure)),
    );
    return () => {
      current = false;
    };
  }, [api, parent, home]);
  const found = dirs?.parent === parent ? completions(dirs.names, prefix).slice(0, 8) : [];
  const list = open && found.length > 0 ? found : [];
  const take = (name: string) => {
    onChange(complete(value, name));
    setAt(-1);
  };
  const said = error || (dirs?.parent === parent ? dirs.error : "");
  return (
    <div className="relative">
      <Field
        label={label}
        icon={Folder}
        value={value}
        placeholder="~"
        role="combobox"
        aria-expanded={list.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        data-autofocus={focus ? "" : undefined}
        {...(said ? { error: said } : {})}
        onChange={(e) => {
          onChange(e.target.value);
          setOpen(true);
          setAt(-1);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(e) => {
          if (e.key === "ArrowDown" && !open) setOpen(true);
          if (list.length === 0) return;
          const chosen = list[at] ?? (list.length === 1 ? list[0] : undefined);
          if (e.key === "ArrowDown" || e.key === "ArrowUp") {
            e.preventDefault();
            setAt((n) => (n + (e.key === "ArrowDown" ? 1 : -1) + list.length) % list.length);
          } else if ((e.key === "Tab" && !e.shiftKey && chosen) || (e.key === "Enter" && at >= 0 && chosen)) {
            e.preventDefault();
            e.stopPropagation();
            take(chosen);
          } else if (e.key === "Escape") {
            e.stopPropagation();
            setOpen(false);
          }
        }}
      />
      {list.length > 0 && (
        <div
          className="menu absolute top-full right-0 left-0 mt-1"
          role="listbox"
          id={listId}
          aria-label="Folders"
        >
          {list.map((name, i) => (
            <div
              key={name}
              id={`${listId}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              className="mi"
              data-highlighted={i === at ? "" : undefined}
              onPointerEnter={() => setAt(i)}
              onPointerDown={(e) => {
                e.preventDefault();
                take(name);
              }}
            >
              <Folder className="ic" aria-hidden />
              {name}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
