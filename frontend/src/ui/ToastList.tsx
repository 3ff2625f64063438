import { CircleAlert, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { Button, IconButton } from "./Button";
import { CommandKeys } from "./Keys";
import { StateGlyph } from "./StateGlyph";
import type { Toast, Toasts } from "./toasts";

const icons = { info: Info, warn: TriangleAlert, error: CircleAlert };

/** Whole seconds until a moment, counted down. */
function useCountdown(until: number | undefined): number | undefined {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (until === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? undefined : Math.max(0, Math.ceil((until - now) / 1000));
}

function ToastCard({ toast, toasts }: { toast: Toast; toasts: Toasts }) {
  const left = useCountdown(toast.until);
  const Icon = icons[toast.level ?? "info"];
  return (
    <li
      className="toast"
      onPointerEnter={() => toasts.hold(toast.id)}
      onPointerLeave={() => toasts.release(toast.id)}
      onFocus={() => toasts.hold(toast.id)}
      onBlur={() => toasts.release(toast.id)}
    >
      {toast.state ? <StateGlyph state={toast.state} /> : <Icon className="ic" aria-hidden />}
      <div className="grow min-w-0">
        <p className="tt">{toast.title}</p>
        {toast.text && <p>{toast.text}</p>}
        {toast.actions && toast.actions.length > 0 && (
          <div className="go">
            {toast.actions.map((action, i) => (
              <Button
                key={action.label}
                small
                look={i === 0 ? "plain" : "ghost"}
                onClick={() => {
                  if (!action.keep) toasts.remove(toast.id);
                  action.run();
                }}
              >
                {i === 0 && left !== undefined ? `${action.label}, ${left} s` : action.label}
                {action.command && <CommandKeys id={action.command} />}
              </Button>
            ))}
          </div>
        )}
      </div>
      <IconButton icon={X} name="Dismiss" onClick={() => toasts.remove(toast.id)} />
    </li>
  );
}

export function ToastList({ toasts }: { toasts: Toasts }) {
  const all = useStore(toasts.store);
  return (
    <ul className="toasts" aria-label="Notices" aria-live="polite">
      {all.map((toast) => (
        <ToastCard key={toast.id} toast={toast} toasts={toasts} />
      ))}
    </ul>
  );
}
