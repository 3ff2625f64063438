// The window with a backend in memory, for working on its look: never part of
// what is built. ?scene= chooses what it shows, ?theme= the theme.

import { start } from "../src/app/start";
import type { BoundWindow } from "../src/bridge/bound";
import { FakeBackend } from "../test/fake";
import { scenes } from "./scenes";

const query = new URLSearchParams(location.search);
const backend = new FakeBackend();
(scenes[query.get("scene") ?? "busy"] ?? scenes["busy"])?.(backend);
const theme = query.get("theme");
if (theme === "light" || theme === "dark") backend.view.settings.theme = theme;
const win: Window & BoundWindow = window;
backend.install(win);
Object.assign(window, { fake: backend });
start();
