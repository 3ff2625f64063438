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
  /** When it is gone and the focus is free again: only then can something else take it. */
  onGone?: (() => void) | undefined;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/**
 * Gives the focus back to what had it before, when an overlay without a button
 * of its own (one that keys open) goes. Put it on the overlay's onCloseAutoFocus.
 * What it is called with runs after that.
 */
export function useFocusBack(): (event: Event, after?: () => void) => void {
  const [before] = useState(() => document.activeElement);
  return (event, after) => {
    event.preventDefault();
    // Where it is, is in view: a terminal's text field may lie outside of what its pane shows.
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    after?.();
  };
}

/** A dialogue in the middle of the window. What carries autoFocus gets the focus: the safe answer. */
export function Dialog({ title, aside, width, footer, children, onClose, onGone, onKeyDown }: DialogProps) {
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
          onCloseAutoFocus={(event) => focusBack(event, onGone)}
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
