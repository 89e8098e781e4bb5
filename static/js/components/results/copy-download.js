/** Downloads a text or bytes as a file, and copies a text to the clipboard. */

const COPIED_MS = 1500;

/** @param {string} name @param {string | Uint8Array<ArrayBuffer>} content @param {string} type */
export function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: typeof content === "string" ? `${type};charset=utf-8` : type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Copies a text; returns whether that worked. Without a secure context there is no clipboard API, so the text is copied by selecting it.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies a text and sets the component's `copied` for COPIED_MS. @param {{copied: boolean}} component @param {string} text */
export async function copyAndTell(component, text) {
  component.copied = await copy(text);
  setTimeout(() => (component.copied = false), COPIED_MS);
}

/** @param {string} text */
function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
