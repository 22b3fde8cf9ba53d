// Before the first paint, so that nothing flashes: the theme chosen last time, or the system's.
(() => {
  let theme = "system";
  try {
    theme = JSON.parse(localStorage.getItem("plyground.settings") ?? "{}").theme;
  } catch {
    // Storage is closed or holds something else: the system's theme it is.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
})();
