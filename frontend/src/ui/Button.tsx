import type { LucideIcon } from "lucide-react";
import { Tooltip } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../lib/format";
import { CommandKeys } from "./Keys";

export interface ButtonProps extends ComponentProps<"button"> {
  look?: "plain" | "primary" | "ghost" | "danger" | "solid";
  small?: boolean;
}

export function Button({ look = "plain", small, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={cx("btn", look !== "plain" && look, small && "sm", className)}
      {...rest}
    />
  );
}

/** A tooltip on its child, with the key of a command. */
export function Tip({ text, command, children }: { text: ReactNode; command?: string; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={4} collisionPadding={8}>
          {text}
          {command && <CommandKeys id={command} />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

export interface IconButtonProps extends ComponentProps<"button"> {
  icon: LucideIcon;
  /** Read out and shown as tooltip: a sign alone is never enough. */
  name: string;
  /** The command it runs, for the key in the tooltip. */
  command?: string;
  on?: boolean;
}

export function IconButton({ icon: Icon, name, command, on, className, ...rest }: IconButtonProps) {
  return (
    <Tip text={name} {...(command ? { command } : {})}>
      <button type="button" aria-label={name} className={cx("ib", on && "on", className)} {...rest}>
        <Icon className="ic" aria-hidden />
      </button>
    </Tip>
  );
}
