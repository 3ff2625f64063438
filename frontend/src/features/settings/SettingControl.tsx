import { useState } from "react";
import { Field, Seg, Toggle } from "../../ui/Field";
import { readNumber, type SettingRow } from "./model";

export interface ControlProps {
  row: SettingRow;
  value: unknown;
  onSet: (value: unknown) => void;
  onRefuse: (text: string) => void;
}

/** Typed values are taken on Enter or when the field is left. */
function TextControl({ row, value, onSet, onRefuse }: ControlProps) {
  const [draft, setDraft] = useState<string>();
  const { control } = row;
  const take = () => {
    if (draft === undefined) return;
    if (draft === String(value ?? "")) return setDraft(undefined);
    if (control.kind === "number") {
      const read = readNumber(draft, control);
      if ("error" in read) return onRefuse(read.error);
      onSet(read.value);
    } else onSet(draft.trim());
    setDraft(undefined);
  };
  const unit = control.kind === "number" ? control.unit : undefined;
  return (
    <Field
      box={control.kind === "number" ? "w-32" : "w-60"}
      className={control.kind === "text" && control.mono ? "mono" : "num"}
      aria-label={row.title}
      inputMode={control.kind === "number" ? "decimal" : "text"}
      placeholder={control.kind === "text" ? control.placeholder : undefined}
      value={draft ?? String(value ?? "")}
      after={unit && <span className="t3">{unit}</span>}
      onChange={(e) => {
        setDraft(e.target.value);
        onRefuse("");
      }}
      onBlur={take}
      onKeyDown={(e) => {
        if (e.key === "Enter") take();
        if (e.key === "Escape") {
          setDraft(undefined);
          onRefuse("");
        }
      }}
    />
  );
}

export function SettingControl(props: ControlProps) {
  const { row, value, onSet } = props;
  switch (row.control.kind) {
    case "toggle":
      return <Toggle name={row.title} on={value === true} onChange={onSet} />;
    case "choice":
      return <Seg name={row.title} value={String(value)} options={row.control.options} onChange={onSet} />;
    case "number":
    case "text":
      return <TextControl {...props} />;
  }
}
