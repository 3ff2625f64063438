import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend } from "../../../test/fake";
import { createApi } from "../../bridge/api";
import { MirrorProvider } from "../../bridge/context";
import { Events } from "../../bridge/events";
import { Mirror } from "../../bridge/mirror";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { EndingDialog } from "./EndingDialog";

let root: Root;
let host: HTMLElement;
let mirror: Mirror;
let events: Events;
const keep = vi.fn();
const end = vi.fn();
const press = (init: KeyboardEventInit) =>
  act(
    async () =>
      void document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }),
      ),
  );

const part = { broken: true };

function Part() {
  if (part.broken) throw new Error("the emulator is gone");
  return <p>drawn</p>;
}

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const backend = new FakeBackend();
  events = new Events(backend.runtime);
  mirror = new Mirror(
    createApi((m, ...args) => backend.call(m, ...args)),
    events,
  );
  host = document.body.appendChild(document.createElement("div"));
  root = createRoot(host);
  keep.mockReset();
  end.mockReset();
});

afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  mirror.dispose();
  events.dispose();
});

describe("the question before something ends", () => {
  beforeEach(() =>
    act(async () =>
      root.render(
        <MirrorProvider mirror={mirror}>
          <EndingDialog
            title="Close “api”?"
            text="This still runs:"
            note=""
            items={[{ block: "a", name: "vite", kind: "process", detail: "of api", effect: "ends" }]}
            keep="Keep it open"
            end="Close and end 1"
            onKeep={keep}
            onEnd={end}
          />
        </MirrorProvider>,
      ),
    ),
  );

  it("names what runs and has the focus on the safe answer", () => {
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain("vite");
    expect(document.activeElement?.textContent).toContain("Keep it open");
  });

  it("ends nothing by Enter alone, wherever the focus is", async () => {
    const button = [...document.querySelectorAll("button")].find((b) =>
      b.textContent?.startsWith("Close and"),
    );
    button?.focus();
    await press({ key: "Enter" });
    expect(end).not.toHaveBeenCalled();
  });

  it("takes Ctrl Enter for yes and Esc for no", async () => {
    await press({ key: "Enter", ctrlKey: true });
    expect(end).toHaveBeenCalledOnce();
    await press({ key: "Escape" });
    expect(keep).toHaveBeenCalledOnce();
  });
});

describe("a pane that cannot be drawn", () => {
  it("says what happened, and draws again when asked", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    part.broken = true;
    await act(async () =>
      root.render(
        <ErrorBoundary what="This pane" action="Reload pane">
          <Part />
        </ErrorBoundary>,
      ),
    );
    expect(host.textContent).toContain("the emulator is gone");
    part.broken = false;
    await act(async () => host.querySelector("button")?.click());
    expect(host.textContent).toBe("drawn");
  });
});
