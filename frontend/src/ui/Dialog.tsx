import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useState } from "react";

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

/**
 * Gives the focus back to what had it before, when an overlay without a button
 * of its own (one that keys open) goes. Put it on the overlay's onCloseAutoFocus.
 */
export function useFocusBack(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
}

/** A dialogue in the middle of the window. What carries autoFocus gets the focus: the safe answer. */
export function Dialog({ title, aside, width, footer, children, onClose, onKeyDown }: DialogProps) {
  const focusBack = useFocusBack();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog"
          style={{ width }}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={focusBack}
          onOpenAutoFocus={(event) => {
            const first = (event.target as HTMLElement).querySelector<HTMLElement>("[data-autofocus]");
            if (!first) return;
            event.preventDefault();
            first.focus();
            if (first instanceof HTMLInputElement) first.select();
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
