import { createContext, type ReactNode, use } from "react";
import { useStore } from "zustand";
import type { WorkspaceSession, WorkspaceUi } from "./session";

const SessionContext = createContext<WorkspaceSession | undefined>(undefined);

export function SessionProvider({ session, children }: { session: WorkspaceSession; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): WorkspaceSession {
  const session = use(SessionContext);
  if (!session) throw new Error("a part of the window stands outside SessionProvider");
  return session;
}

export function useWorkspaceUi<T>(select: (ui: WorkspaceUi) => T): T {
  return useStore(useSession().ui, select);
}
