// What a pane does with links: it says where they go, and opens what may be opened.

import { type LinkActions, openable, shownTarget } from "./links";
import type { PaneState } from "./pane-state";
import type { TerminalServices } from "./services";
import { trouble } from "./trouble";

/** `show` gets the target of the link under the pointer; undefined when it has left. */
export function paneLinks(
  services: TerminalServices,
  show: (target: PaneState["target"]) => void,
): LinkActions {
  const mac = () => services.platform === "darwin";
  return {
    get hostname() {
      return services.hostname;
    },
    open: (url) =>
      services.openLink(url).catch((error) => trouble(services, "The link was not opened", error)),
    refuse: (url) =>
      services.notify({
        level: "warn",
        title: "This link is not opened",
        text: shownTarget(url),
        fix: "Only http, https and mailto links are, and files of this machine. Select its text to copy it.",
      }),
    hover: (url) => {
      if (url === undefined) {
        show(undefined);
        return;
      }
      const opens = mac() ? "⌘ click opens" : "Ctrl+click opens";
      const hint = openable(url, services.hostname) === undefined ? "is not opened" : opens;
      show({ url: shownTarget(url), hint });
    },
    wants: (event) => (mac() ? event.metaKey : event.ctrlKey),
  };
}
