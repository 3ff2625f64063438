import { Check as CheckMark, type LucideIcon } from "lucide-react";
import { Checkbox, Switch, ToggleGroup } from "radix-ui";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "../lib/format";

export interface FieldProps extends ComponentProps<"input"> {
  label?: string;
  icon?: LucideIcon;
  /** Why it was refused; said below. */
  error?: string;
  help?: ReactNode;
  after?: ReactNode;
  box?: string;
}

export function Field({ label, icon: Icon, error, help, after, box, ...rest }: FieldProps) {
  const id = useId();
  const said = error || help;
  return (
    <div className={cx("min-w-0", box)}>
      {label && (
        <label className="lab" htmlFor={id}>
          {label}
        </label>
      )}
      <div className={cx("field", error && "bad")}>
        {Icon && <Icon className="ic" aria-hidden />}
        <input
          id={id}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={said ? `${id}-said` : undefined}
          {...rest}
        />
        {after}
      </div>
      {said && (
        <div id={`${id}-said`} className={cx("said", error && "bad")} role={error ? "alert" : undefined}>
          {said}
        </div>
      )}
    </div>
  );
}

export interface SelectProps extends ComponentProps<"select"> {
  label?: string;
  icon?: LucideIcon;
  after?: ReactNode;
  box?: string;
}

export function Select({ label, icon: Icon, after, box, children, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className={cx("min-w-0", box)}>
      {label && (
        <label className="lab" htmlFor={id}>
          {label}
        </label>
      )}
      <div className="field">
        {Icon && <Icon className="ic" aria-hidden />}
        <select id={id} {...rest}>
          {children}
        </select>
        {after}
      </div>
    </div>
  );
}

export function Toggle(props: { name: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <Switch.Root
      className="toggle"
      aria-label={props.name}
      checked={props.on}
      onCheckedChange={props.onChange}
    >
      <Switch.Thumb />
    </Switch.Root>
  );
}

/** A yes or no in a form, with what it means at the right. */
export function Check(props: { label: string; help?: string; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Checkbox.Root
        id={id}
        className="check"
        checked={props.on}
        aria-describedby={props.help ? `${id}-said` : undefined}
        onCheckedChange={(on) => props.onChange(on === true)}
      >
        <Checkbox.Indicator asChild>
          <CheckMark className="ic" aria-hidden />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <label htmlFor={id}>{props.label}</label>
      <span className="grow" />
      {props.help && (
        <span id={`${id}-said`} className="t3 small">
          {props.help}
        </span>
      )}
    </div>
  );
}

export interface SegProps<T extends string> {
  name: string;
  value: T;
  options: readonly { value: T; label: string; icon?: LucideIcon }[];
  onChange: (value: T) => void;
}

/** One of a few, all in view. */
export function Seg<T extends string>({ name, value, options, onChange }: SegProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      className="seg"
      aria-label={name}
      value={value}
      onValueChange={(next) => next && onChange(next as T)}
    >
      {options.map((o) => (
        <ToggleGroup.Item key={o.value} value={o.value}>
          {o.icon && <o.icon className="ic" aria-hidden />}
          {o.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
