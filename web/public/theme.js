// Applies the stored or system theme before the first paint, to avoid a flash.
(() => {
  let theme = "system";
  try {
    theme = JSON.parse(localStorage.getItem("plyground.settings") ?? "{}").theme;
  } catch {
    // Storage is unavailable or invalid: use the system theme.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "light" || theme === "dark" ? theme : dark ? "dark" : "light";
})();
