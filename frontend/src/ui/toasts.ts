import { createStore, type StoreApi } from "zustand/vanilla";
import type { Disposable } from "../lib/disposable";
import type { StateName } from "../lib/state";

export interface ToastAction {
  label: string;
  /** Shows the key of this command. */
  command?: string;
  /** Keeps the toast: the action changes it or removes it itself. */
  keep?: boolean;
  run: () => void;
}

export interface Toast {
  id: string;
  state?: StateName;
  level?: "info" | "warn" | "error";
  title: string;
  text?: string;
  actions?: readonly ToastAction[];
  /** Milliseconds until it goes; 0 keeps it until dismissed. */
  life: number;
  /** With it the first action counts down to this moment (milliseconds). */
  until?: number;
}

/** How long a toast stays, and how many there are at a time. */
export const toastLife = 6000;
const most = 4;

/** The toasts of the window, newest last. A held one (pointer or focus on it) does not age. */
export class Toasts implements Disposable {
  readonly store: StoreApi<readonly Toast[]> = createStore<readonly Toast[]>(() => []);
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #next = 1;

  /** Shows a toast; one with an id that is shown already takes its place. */
  show(toast: Omit<Toast, "id" | "life"> & { id?: string; life?: number }): string {
    const full: Toast = { life: toastLife, ...toast, id: toast.id ?? `toast-${this.#next++}` };
    const all = this.store.getState();
    const at = all.findIndex((t) => t.id === full.id);
    const next = at >= 0 ? all.with(at, full) : [...all, full];
    for (const gone of next.slice(0, -most)) this.#stop(gone.id);
    this.store.setState(next.slice(-most), true);
    this.#start(full);
    return full.id;
  }

  remove(id: string): void {
    this.#stop(id);
    this.store.setState(
      this.store.getState().filter((t) => t.id !== id),
      true,
    );
  }

  hold(id: string): void {
    this.#stop(id);
  }

  release(id: string): void {
    const toast = this.store.getState().find((t) => t.id === id);
    if (toast) this.#start(toast);
  }

  dispose(): void {
    for (const id of [...this.#timers.keys()]) this.#stop(id);
    this.store.setState([], true);
  }

  #start(toast: Toast): void {
    this.#stop(toast.id);
    if (toast.life > 0) {
      this.#timers.set(
        toast.id,
        setTimeout(() => this.remove(toast.id), toast.life),
      );
    }
  }

  #stop(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
