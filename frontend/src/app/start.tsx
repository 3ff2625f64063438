import "../ui/styles/base.css";
import "../ui/styles/controls.css";
import "../ui/styles/picker.css";
import "./window.css";
import { createRoot } from "react-dom/client";
import { Root } from "./Root";
import { drawTheme } from "./theme";

/** Draws the window into the page. */
export function start(): void {
  const host = document.getElementById("root");
  if (!host) throw new Error("the page has no element with the id root");
  drawTheme(window);
  createRoot(host).render(<Root />);
}
