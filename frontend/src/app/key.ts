/**
 * An access key as typed or pasted. Keys are capitals and digits without gaps:
 * small letters, blanks and dashes can only be somebody's way of writing them.
 */
export function readKey(typed: string): string {
  return typed.replace(/[\s-]+/g, "").toUpperCase();
}
