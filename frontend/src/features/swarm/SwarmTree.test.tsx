import { Tooltip } from "radix-ui";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scenes } from "../../../dev/scenes";
import { FakeBackend } from "../../../test/fake";
import { createApi } from "../../bridge/api";
import { MirrorProvider } from "../../bridge/context";
import { Events } from "../../bridge/events";
import { Mirror } from "../../bridge/mirror";
import { CommandRegistry } from "../../lib/commands";
import { CommandsProvider } from "../../ui/commands";
import { Toasts } from "../../ui/toasts";
import { SessionProvider, WorkspaceSession } from "../workspace";
import { SwarmTree } from "./SwarmTree";

let backend: FakeBackend;
let events: Events;
let mirror: Mirror;
let session: WorkspaceSession;
let root: Root;
let host: HTMLElement;
const tree = () => host.querySelector<HTMLElement>('[role="tree"]') as HTMLElement;
const active = () => {
  const id = tree().getAttribute("aria-activedescendant");
  return id === null ? undefined : document.getElementById(id)?.title.split("\n")[0];
};
const press = (key: string) =>
  act(async () => void tree().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(300);
  backend = new FakeBackend();
  scenes["busy"]?.(backend);
  events = new Events(backend.runtime);
  mirror = new Mirror(
    createApi((m, ...args) => backend.call(m, ...args)),
    events,
  );
  session = new WorkspaceSession(mirror, new Toasts());
  await mirror.start();
  host = document.body.appendChild(document.createElement("div"));
  root = createRoot(host);
  await act(async () =>
    root.render(
      <MirrorProvider mirror={mirror}>
        <CommandsProvider registry={new CommandRegistry(false)}>
          <SessionProvider session={session}>
            <Tooltip.Provider>
              <SwarmTree />
            </Tooltip.Provider>
          </SessionProvider>
        </CommandsProvider>
      </MirrorProvider>,
    ),
  );
});

afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  session.dispose();
  mirror.dispose();
  events.dispose();
});

describe("the swarm tree", () => {
  it("starts at the focused block and follows the keys", async () => {
    await act(async () => tree().focus());
    expect(active()).toBe("npm");
    await press("ArrowDown");
    expect(active()).toBe("node");
    await press("Home");
    expect(active()).toBe("This machine");
    await press("ArrowLeft");
    expect(host.querySelectorAll('[role="treeitem"]')).toHaveLength(1);
    await press("ArrowRight");
    await press("w");
    expect(active()).toBe("website");
  });

  it("shows a block's pane on Enter, in its workspace", async () => {
    const shown = vi.spyOn(session, "focusBlock");
    await act(async () => tree().focus());
    await press("End");
    await press("Enter");
    expect(shown).toHaveBeenCalledWith("hugo");
    await vi.waitFor(() => expect(backend.model.active).toBe("website"));
  });

  it("says level, place and state of every row", () => {
    const row = [...host.querySelectorAll('[role="treeitem"]')].find((r) => r.textContent?.includes("soak"));
    expect(row?.getAttribute("aria-level")).toBe("3");
    expect(row?.getAttribute("aria-posinset")).toBe("4");
    expect(row?.querySelector("svg.st")?.getAttribute("aria-label")).toBe("reconnecting");
  });

  it("draws only what is in view of ten thousand rows", async () => {
    const model = backend.model;
    const some = model.blocks["zsh"];
    if (!some) throw new Error("the scene has no zsh");
    const blocks = { ...model.blocks };
    for (let i = 0; i < 10_000; i++) blocks[`x${i}`] = { ...some, id: `x${i}` };
    await act(async () => {
      backend.change((m) => ({ ...m, blocks }));
      await mirror.pullModel();
    });
    const drawn = host.querySelectorAll("[role=treeitem]").length;
    expect(drawn).toBeGreaterThan(20);
    expect(drawn).toBeLessThan(60);
  });
});
