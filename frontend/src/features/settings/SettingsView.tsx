import "./settings.css";
import {
  HardDrive,
  Keyboard,
  type LucideIcon,
  Palette,
  RotateCcw,
  Search,
  SquareTerminal,
  X,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useKnown, useMirror } from "../../bridge/context";
import { cx, errorText } from "../../lib/format";
import { IconButton } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { Field } from "../../ui/Field";
import { commandsFor, KeysEditor } from "./KeysEditor";
import { rowsFor, type SectionId, type SettingRow, sections, valueAt } from "./model";
import { Problems } from "./Problems";
import { SettingControl } from "./SettingControl";

const icons: Record<SectionId, LucideIcon> = {
  look: Palette,
  terminal: SquareTerminal,
  keys: Keyboard,
  storage: HardDrive,
};

export interface SettingsViewProps {
  section: SectionId;
  onSection: (section: SectionId) => void;
  onClose: () => void;
}

/** The settings, in the place of the panes, which stay as they are behind it. */
export function SettingsView({ section, onSection, onClose }: SettingsViewProps) {
  const mirror = useMirror();
  const commands = useCommands();
  const view = useKnown((k) => k.settings);
  const [query, setQuery] = useState("");
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const root = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    // The focus may be nowhere, after a button that had it is gone.
    const leave = (e: KeyboardEvent) => {
      const here =
        e.target === document.body || (e.target instanceof Node && root.current?.contains(e.target));
      if (e.key === "Escape" && here && !e.defaultPrevented) close.current();
    };
    document.addEventListener("keydown", leave);
    return () => document.removeEventListener("keydown", leave);
  }, []);
  if (!view) return null;
  const say = (path: string, text: string) => setRefused((old) => ({ ...old, [path]: text }));
  const set = (path: string, value: unknown) => {
    say(path, "");
    mirror.api.settings.set({ path, value }).then(
      (next) => mirror.takeSettings(next),
      (error: unknown) => say(path, errorText(error)),
    );
  };
  const found = rowsFor(section, query);
  const searching = query.trim() !== "";
  const shown = searching || section === "keys" ? commandsFor(commands, query) : [];
  const info = sections.find((s) => s.id === section);
  return (
    <section ref={root} className="settings" aria-label="Settings">
      <header className="pane-tabs">
        <span className="tab on">
          Settings
          <IconButton icon={X} name="Leave the settings" onClick={onClose} />
        </span>
      </header>
      <div className="settings-in">
        <nav aria-label="Settings">
          <Field
            icon={Search}
            aria-label="Find a setting"
            placeholder="Find a setting"
            value={query}
            autoFocus
            onChange={(e) => setQuery(e.target.value)}
          />
          <ul>
            {sections.map((s) => {
              const Icon = icons[s.id];
              const on = !searching && s.id === section;
              return (
                <li key={s.id}>
                  <button
                    type="button"
                    className={cx("nav", on && "on")}
                    aria-current={on ? "page" : undefined}
                    onClick={() => {
                      setQuery("");
                      onSection(s.id);
                    }}
                  >
                    <Icon className="ic" aria-hidden />
                    {s.title}
                  </button>
                </li>
              );
            })}
          </ul>
        </nav>
        <div className="settings-page">
          <div className="settings-col">
            <Problems view={view} />
            <h2>{searching ? "Found" : info?.title}</h2>
            <p className="t3">
              {!searching
                ? info?.text
                : found.length + shown.length > 0
                  ? `What has “${query.trim()}” in it.`
                  : `No setting and no command has “${query.trim()}” in it.`}
            </p>
            {Object.entries(refused).map(
              ([path, text]) =>
                path.startsWith("keys.") &&
                text && (
                  <p key={path} className="said bad" role="alert">
                    {text}
                  </p>
                ),
            )}
            <div className="pt-3">
              {(searching || section !== "keys") &&
                found.map((row) => (
                  <Row
                    key={row.path}
                    row={row}
                    value={valueAt(view.settings, row.path)}
                    standard={valueAt(view.defaults, row.path)}
                    error={refused[row.path] ?? ""}
                    onSet={(value) => set(row.path, value)}
                    onRefuse={(text) => say(row.path, text)}
                  />
                ))}
              {!searching && section === "keys" && (
                <p className="t3 pb-2">
                  While a terminal has the focus, keys that shells use go to its program; they are marked “not
                  in a terminal”. The first key in a row is the one that menus show.
                </p>
              )}
              {shown.length > 0 && (
                <KeysEditor shown={shown} onKey={(id, chord) => set(`keys.${id}`, chord)} />
              )}
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

interface RowProps {
  row: SettingRow;
  value: unknown;
  standard: unknown;
  error: string;
  onSet: (value: unknown) => void;
  onRefuse: (text: string) => void;
}

function Row({ row, value, standard, error, onSet, onRefuse }: RowProps) {
  return (
    <div className="set-row">
      <div className="grow min-w-0">
        <div className="font-medium">{row.title}</div>
        <div className={cx("said", error && "bad")} role={error ? "alert" : undefined}>
          {error || row.help}
        </div>
      </div>
      {value !== standard && (
        <IconButton
          icon={RotateCcw}
          name={`Back to the default, ${String(standard) || "empty"}`}
          onClick={() => onSet(null)}
        />
      )}
      <SettingControl row={row} value={value} onSet={onSet} onRefuse={onRefuse} />
    </div>
  );
}
