import { Dialog as Radix } from "radix-ui";
import type { KeyboardEvent, ReactNode } from "react";

export interface DialogProps {
  title: string;
  /** At the right of the title. */
  aside?: ReactNode;
  width: number;
  footer?: ReactNode;
  children: ReactNode;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A dialogue in the middle of the window. What carries autoFocus gets the focus: the safe answer. */
export function Dialog({ title, aside, width, footer, children, onClose, onKeyDown }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog"
          style={{ width }}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            const first = (event.target as HTMLElement).querySelector<HTMLElement>("[data-autofocus]");
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
        >
          <header>
            <Radix.Title>{title}</Radix.Title>
            <span className="grow" />
            {aside}
          </header>
          <div className="in">{children}</div>
          {footer && <footer>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
