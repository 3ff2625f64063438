import type { LucideIcon } from "lucide-react";
import { ContextMenu, DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../lib/format";
import { CommandKeys } from "./Keys";

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  /** Shows the key of this command. */
  command?: string;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}

/** Items in groups; groups are set apart by a line, empty ones left out. */
export type MenuGroups = readonly (readonly MenuItem[])[];

type Parts = Pick<typeof DropdownMenu, "Item" | "Separator">;

function Items({ groups, parts }: { groups: MenuGroups; parts: Parts }) {
  const full = groups.filter((g) => g.length > 0);
  return full.map((group, i) => (
    <div key={group[0]?.label}>
      {i > 0 && <parts.Separator className="msep" />}
      {group.map((item) => (
        <parts.Item
          key={item.label}
          className={cx("mi", item.danger && "danger")}
          disabled={item.disabled ?? false}
          onSelect={item.run}
        >
          {item.icon ? <item.icon className="ic" aria-hidden /> : <span className="ic" />}
          <span>{item.label}</span>
          {item.command && <CommandKeys id={item.command} />}
        </parts.Item>
      ))}
    </div>
  ));
}

/** A menu below a button. The groups are asked for when it opens. */
export function Menu({ groups, children }: { groups: () => MenuGroups; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <Items groups={groups()} parts={DropdownMenu} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A menu at a place in what it stands in, as long as it is shown. */
export function MenuAt({
  groups,
  left,
  top,
  head,
  onClose,
}: {
  groups: MenuGroups;
  left: number;
  top: number;
  head: ReactNode;
  onClose: () => void;
}) {
  return (
    <DropdownMenu.Root modal={false} open onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span className="absolute" style={{ left, top }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" collisionPadding={8}>
          <DropdownMenu.Label className="mhead">{head}</DropdownMenu.Label>
          <Items groups={groups} parts={DropdownMenu} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A menu at the pointer, by right click or the menu key on its child. */
export function PopMenu({ groups, children }: { groups: () => MenuGroups; children: ReactNode }) {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className="menu" collisionPadding={8}>
          <Items groups={groups()} parts={ContextMenu} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
