/** Whether a copy has a selection of its own to take. */
export function anySelected(): boolean {
  const { activeElement: field } = document;
  const inField = field instanceof HTMLInputElement && field.selectionStart !== field.selectionEnd;
  return inField || (document.getSelection()?.toString() ?? "") !== "";
}
