import { mount } from "svelte";
import "./tokens.css";
import "./board/board-tokens.css";
import "./base.css";
import Frame from "./frame/Frame.svelte";
import { findPage } from "./frame/page";
import { PAGES } from "./pages";
import { loadCatalog } from "./state/catalog.svelte";
import { route } from "./state/router.svelte";
import { applyTheme } from "./state/settings.svelte";
import "./state/socket.svelte";

// Start loading everything the first page needs before the frame is drawn.
void findPage(PAGES, route().parts)?.load();
void loadCatalog();
applyTheme();

const target = document.getElementById("app");
if (target) {
  target.replaceChildren();
  mount(Frame, { target, props: { pages: PAGES } });
}
