import { mount } from "svelte";
import "./tokens.css";
import "./board/board-tokens.css";
import "./base.css";
import Frame from "./frame/Frame.svelte";
import { pageOf } from "./pages";
import { loadCatalog } from "./state/catalog.svelte";
import { route } from "./state/router.svelte";
import { applyTheme } from "./state/settings.svelte";
import "./state/socket.svelte";

// Everything the first page needs is on its way before the frame is drawn.
void pageOf(route().parts)?.load();
void loadCatalog();
applyTheme();

const target = document.getElementById("app");
if (target) {
  target.replaceChildren();
  mount(Frame, { target });
}
