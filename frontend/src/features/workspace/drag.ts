// A block that is being dragged by the pointer: from a tab or from a row of the
// tree, into a pane or onto the tab of a workspace. The browser hides the data of
// a drag until it is dropped, so that what hovers must be known by other means:
// it stands on the document for as long as the drag lasts.

/** The type of the dragged data. */
export const blockDragType = "application/x-drover-block";

export function startBlockDrag(event: Event, block: string): void {
  document.documentElement.dataset["dragged"] = block;
  // A drag by pointer (touch) has no data of its own.
  if (event instanceof DragEvent) event.dataTransfer?.setData(blockDragType, block);
}

/** The block that is being dragged, if one is. */
export function draggedBlock(): string | undefined {
  return document.documentElement.dataset["dragged"];
}

export function endBlockDrag(): void {
  delete document.documentElement.dataset["dragged"];
}
