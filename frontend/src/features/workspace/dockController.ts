import type { DockviewApi, DockviewGroupPanel } from "dockview-react";
import { blockName } from "../../bridge/describe";
import type { Mirror } from "../../bridge/mirror";
import type { Layout, Model, Place, Side, Workspace } from "../../bridge/types";
import { type Disposable, DisposableStore, disposable } from "../../lib/disposable";
import { errorText } from "../../lib/format";
import { beside, type Direction } from "./beside";
import { type Area, canonical, emptyLayout, fromDock, paneNames, sameLayout, toDock } from "./layout";

/** Dragging a border makes many changes: they are sent together, this long after the last (milliseconds). */
const settle = 120;

const newPaneId = () => `p-${crypto.randomUUID()}`;

/**
 * Keeps one dockview and the layout of one workspace the same. The model is
 * drawn by apply; what a person changes is sent by SetLayout from the model it
 * started from, and on a conflict the model wins.
 */
export class DockController implements Disposable {
  readonly workspace: string;
  readonly api: DockviewApi;
  #mirror: Mirror;
  #names = paneNames(newPaneId);
  #disposables = new DisposableStore();
  /** The layout that both sides agree on. */
  #base: Layout = emptyLayout;
  /** The model's version that last changed it: what the backend judges a new layout by. */
  #version = 0;
  #baseArea: Area = { width: 0, height: 0 };
  #applying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending = false;
  #onFailure: (text: string) => void;

  constructor(api: DockviewApi, workspace: string, mirror: Mirror, onFailure: (text: string) => void) {
    this.api = api;
    this.workspace = workspace;
    this.#mirror = mirror;
    this.#onFailure = onFailure;
    const d = this.#disposables;
    const changed = () => this.#changed();
    for (const event of [
      api.onDidLayoutChange,
      api.onDidActivePanelChange,
      api.onDidActiveGroupChange,
      api.onDidMaximizedGroupChange,
    ] as ((fn: () => void) => Disposable)[]) {
      const sub = event(changed);
      d.add(disposable(() => sub.dispose()));
    }
    d.defer(() => clearTimeout(this.#timer));
  }

  /** Draws the model's layout unless it is what is agreed on already. */
  apply(layout: Layout, version: number): void {
    const target = canonical(layout);
    this.#version = version;
    if (sameLayout(target, this.#base)) return;
    this.#base = target;
    this.#baseArea = this.#area();
    if (sameLayout(target, this.#shown())) return;
    this.#draw(target);
  }

  /** Whether the model is being drawn: what dockview tells now is nobody's doing. */
  get drawing(): boolean {
    return this.#applying;
  }

  /** Sends what a person changed without waiting. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending || this.#disposables.disposed) return;
    const shown = this.#shown();
    const area = this.#area();
    if (sameLayout(shown, this.#base)) return;
    if (area.width !== this.#baseArea.width || area.height !== this.#baseArea.height) {
      // The window was resized: shares that moved by rounding or by the least
      // size of a pane are nobody's wish.
      this.#baseArea = area;
      if (sameLayout(shown, this.#base, false)) {
        this.#base = shown;
        return;
      }
    }
    this.#sending = true;
    try {
      await this.#send(shown, true);
    } catch (error) {
      this.#onFailure(errorText(error));
      this.#redraw();
    } finally {
      this.#sending = false;
    }
    if (this.#timer === undefined && !sameLayout(this.#shown(), this.#base)) this.#changed();
  }

  /** Puts a block in front and its pane in the focus; false when it is in no pane. */
  focusBlock(block: string): boolean {
    const panel = this.api.getPanel(block);
    if (!panel) return false;
    panel.api.setActive();
    return true;
  }

  has(block: string): boolean {
    return this.api.getPanel(block) !== undefined;
  }

  /** The block in front in the focused pane. */
  get activeBlock(): string | undefined {
    return this.api.activePanel?.id;
  }

  /** Where a new block goes relative to the focused pane, or to the pane of a block. */
  place(side: Side, block?: string): Place {
    const group = (block ? this.api.getPanel(block) : this.api.activePanel)?.group;
    return {
      workspace: this.workspace,
      pane: group ? this.#names.paneOf(group.id) : "",
      side,
      index: -1,
    };
  }

  /** The place of a drop beside or into a group. */
  placeAt(groupId: string | undefined, position: string): Place {
    const sides: Record<string, Side> = { left: "left", right: "right", top: "above", bottom: "below" };
    const pane = groupId === undefined ? "" : this.#names.paneOf(groupId);
    return { workspace: this.workspace, pane, side: sides[position] ?? "center", index: -1 };
  }

  focusToward(direction: Direction): void {
    // The panes beside a zoomed one are hidden: looking there ends the zoom.
    if (this.api.hasMaximizedGroup()) this.api.exitMaximizedGroup();
    const next = this.#beside(this.api.activeGroup, direction);
    next?.api.setActive();
  }

  /** Moves the tab in front into the next pane in a direction, or to a new pane at that side when there is none. */
  moveToward(direction: Direction): void {
    const panel = this.api.activePanel;
    if (!panel) return;
    const next = this.#beside(panel.group, direction);
    if (next) panel.api.moveTo({ group: next, position: "center" });
    else if (panel.group.panels.length > 1) {
      const position = { left: "left", right: "right", up: "top", down: "bottom" } as const;
      panel.api.moveTo({ group: panel.group, position: position[direction] });
    }
  }

  nextTab(step: 1 | -1): void {
    const group = this.api.activeGroup;
    if (!group?.activePanel || group.panels.length < 2) return;
    const at = group.panels.indexOf(group.activePanel);
    group.panels[(at + step + group.panels.length) % group.panels.length]?.api.setActive();
  }

  get zoomed(): boolean {
    return this.api.hasMaximizedGroup();
  }

  toggleZoom(): void {
    const panel = this.api.activePanel;
    if (this.api.hasMaximizedGroup()) this.api.exitMaximizedGroup();
    else if (panel && panel.group.api.location.type === "grid") this.api.maximizeGroup(panel);
  }

  /** Floats the tab in front, or docks it again. */
  toggleFloat(): void {
    const panel = this.api.activePanel;
    if (!panel) return;
    if (panel.group.api.location.type === "floating") {
      const docked = this.api.groups.find((g) => g.api.location.type === "grid");
      panel.api.moveTo(docked ? { group: docked, position: "right" } : { position: "right" });
      return;
    }
    if (this.api.hasMaximizedGroup()) this.api.exitMaximizedGroup();
    const { width, height } = this.#area();
    this.api.addFloatingGroup(panel, {
      position: { left: Math.round(width * 0.25), top: Math.round(height * 0.2) },
      width: Math.round(width * 0.5),
      height: Math.round(height * 0.55),
    });
  }

  /** Makes the focused pane larger or smaller by pixels. */
  resize(dx: number, dy: number): void {
    const group = this.api.activeGroup;
    if (!group) return;
    if (dx) group.api.setSize({ width: Math.max(120, group.api.width + dx) });
    if (dy) group.api.setSize({ height: Math.max(80, group.api.height + dy) });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #beside(group: DockviewGroupPanel | undefined, direction: Direction): DockviewGroupPanel | undefined {
    if (!group) return undefined;
    const others = this.api.groups.filter((g) => g !== group && g.api.isVisible);
    const boxes = others.map((g) => ({ group: g, box: g.element.getBoundingClientRect() }));
    return beside(group.element.getBoundingClientRect(), boxes, direction)?.group;
  }

  #area(): Area {
    return { width: this.api.width || 1200, height: this.api.height || 700 };
  }

  #shown(): Layout {
    return fromDock(this.api.toJSON(), this.#area(), this.#names);
  }

  #inModel(model: Model = this.#mirror.known.model): Workspace | undefined {
    return model.workspaces.find((w) => w.id === this.workspace);
  }

  #draw(layout: Layout): void {
    this.#applying = true;
    try {
      const panel = (id: string) => ({
        id,
        contentComponent: "block",
        tabComponent: "block",
        // Titles are drawn by our own tab; dockview reads this one out.
        title: this.#title(id),
        renderer: "always" as const,
        params: { block: id },
      });
      this.api.fromJSON(toDock(layout, this.#area(), panel, this.#names), { reuseExistingPanels: true });
    } finally {
      this.#applying = false;
    }
  }

  #title(id: string): string {
    const { model, statuses } = this.#mirror.known;
    const block = model.blocks[id];
    return block ? blockName(block, statuses[id]) : id;
  }

  #redraw(): void {
    const now = this.#inModel();
    if (!now) return;
    this.#take(now);
    if (!sameLayout(this.#base, this.#shown())) this.#draw(this.#base);
  }

  #take({ layout, layoutVersion }: Workspace): void {
    this.#base = canonical(layout);
    this.#version = layoutVersion;
  }

  #changed(): void {
    if (this.#applying || this.#disposables.disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), settle);
  }

  async #send(layout: Layout, again: boolean): Promise<void> {
    const base = this.#version;
    try {
      const model = await this.#mirror.api.workspaces.setLayout({ workspace: this.workspace, base, layout });
      const now = this.#inModel(model);
      if (now) this.#take(now);
      this.#mirror.takeModel(model);
    } catch (error) {
      if (!/conflict/i.test(errorText(error))) throw error;
      await this.#mirror.pullModel();
      const fresh = this.#inModel();
      // It was changed and changed back: the wish still fits, so it is sent again.
      if (again && fresh && sameLayout(canonical(fresh.layout), this.#base)) {
        this.#take(fresh);
        return this.#send(layout, false);
      }
      this.#redraw();
    }
  }
}

/** The docks that are on screen, by workspace. */
export class Docks {
  #all = new Map<string, DockController>();

  add(dock: DockController): Disposable {
    this.#all.set(dock.workspace, dock);
    return disposable(() => {
      if (this.#all.get(dock.workspace) === dock) this.#all.delete(dock.workspace);
    });
  }

  of(workspace: string): DockController | undefined {
    return this.#all.get(workspace);
  }
}
