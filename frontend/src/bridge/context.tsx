import { createContext, type ReactNode, use } from "react";
import { useStore } from "zustand";
import type { Known, Mirror } from "./mirror";

const MirrorContext = createContext<Mirror | undefined>(undefined);

export function MirrorProvider({ mirror, children }: { mirror: Mirror; children: ReactNode }) {
  return <MirrorContext value={mirror}>{children}</MirrorContext>;
}

export function useMirror(): Mirror {
  const mirror = use(MirrorContext);
  if (!mirror) throw new Error("a part of the window stands outside MirrorProvider");
  return mirror;
}

/** Reads from the page's copy; draws again when what the selector returns is another value. */
export function useKnown<T>(select: (known: Known) => T): T {
  return useStore(useMirror().store, select);
}
