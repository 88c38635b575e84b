// The renderer takes its colours from attributes: they follow what the system asks for, as the other pages do.
const docs = document.querySelector("rapi-doc");
const dark = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  const colours = dark.matches
    ? { "theme": "dark", "bg-color": "#0f141b", "text-color": "#e8edf3", "primary-color": "#9cc3f6", "nav-bg-color": "#171e28", "nav-text-color": "#aab5c3" }
    : { "theme": "light", "bg-color": "#ffffff", "text-color": "#16202e", "primary-color": "#1b4d8f", "nav-bg-color": "#f5f6f8", "nav-text-color": "#4a5666" };
  for (const [name, colour] of Object.entries(colours)) docs.setAttribute(name, colour);
}

follow();
dark.addEventListener("change", follow);

// Patterns are for programs: beside every field they hide from people what it is.
function withoutPatterns(value) {
  if (value === null || typeof value !== "object") return value;
  if (typeof value.pattern === "string") delete value.pattern;
  Object.values(value).forEach(withoutPatterns);
  return value;
}

customElements.whenDefined("rapi-doc").then(async () => {
  const description = await fetch("/api/openapi.json");
  docs.loadSpec(withoutPatterns(await description.json()));
});
