import { useEffect, useState } from "react";
import { type BoundWindow, isBound } from "../bridge/bound";
import { BrowserLink } from "../bridge/browser";
import { errorText } from "../lib/format";
import { App } from "./App";
import { SignIn } from "./SignIn";
import { createServices, type Services } from "./services";

const keyName = "drover.key";

/** The socket of `drover serve` on the page's own origin. */
function linkTo(key: string): BrowserLink {
  const url = new URL("api", window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return new BrowserLink({
    url: url.href,
    key,
    alive: async () => {
      try {
        return (await fetch(window.location.href, { method: "HEAD", cache: "no-store" })).ok;
      } catch {
        return false;
      }
    },
  });
}

interface Running {
  services: Services;
  link: BrowserLink | undefined;
}

/** Finds the backend: bound by the app's own window, or behind the socket of `drover serve` once the key is right. */
export function Root() {
  const [running, setRunning] = useState<Running>();
  const [key, setKey] = useState(() =>
    isBound(window as BoundWindow) ? "" : sessionStorage.getItem(keyName),
  );
  const [error, setError] = useState("");
  useEffect(() => {
    if (key === null) return;
    const win = window as Window & BoundWindow;
    let current = true;
    let services: Services | undefined;
    let link: BrowserLink | undefined;
    const run = () => {
      services = createServices(win, link);
      setRunning({ services, link });
    };
    if (key === "") run();
    else {
      link = linkTo(key);
      link.install(win);
      link.ready().then(
        () => {
          if (!current) return;
          sessionStorage.setItem(keyName, key);
          run();
        },
        (failure: unknown) => {
          if (!current) return;
          sessionStorage.removeItem(keyName);
          setError(`${errorText(failure).replace(/^the /, "The ")}.`);
          setKey(null);
        },
      );
    }
    return () => {
      current = false;
      setRunning(undefined);
      services?.dispose();
      link?.dispose();
    };
  }, [key]);
  useEffect(() => {
    // A key that was taken back while the page was open.
    const sub = running?.link?.onState.on((state) => {
      if (state.state !== "refused") return;
      sessionStorage.removeItem(keyName);
      setError("The access key is no longer the right one.");
      setKey(null);
    });
    return () => sub?.dispose();
  }, [running]);
  if (running) return <App services={running.services} link={running.link} />;
  if (key === "") return null;
  return (
    <SignIn
      error={error}
      busy={key !== null}
      onKey={(next) => {
        setError("");
        setKey(next);
      }}
    />
  );
}
