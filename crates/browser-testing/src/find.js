// Finds the visible field, button or link, or form's button with this name; null if there is none.
const [kind, name] = arguments;
const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const visible = (element) => element.checkVisibility() && !element.disabled;
const among = (selector) => [...document.querySelectorAll(selector)].filter(visible);
const called = (element) => [
  element.getAttribute("aria-label"),
  (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => document.getElementById(id)?.innerText).join(" "),
].map(tidy);
const labels = (element) => [...(element.labels ?? [])].map((label) => tidy(label.innerText));
const first = (list, ...tests) => tests.map((test) => list.find(test)).find(Boolean) ?? null;

if (kind === "field") {
  const fields = among("input:not([type=hidden]), select, textarea");
  return first(
    fields,
    (field) => labels(field).includes(name) || called(field).includes(name),
    (field) => field.name === name,
    (field) => ["checkbox", "radio"].includes(field.type) && field.value === name,
    (field) => labels(field).some((label) => label.startsWith(name)),
  );
}
if (kind === "button") {
  const buttons = among("button, a[href], summary, input[type=submit], [role=button]");
  const text = (button) => tidy(button.innerText || button.value);
  return first(
    buttons,
    (button) => text(button) === name || called(button).includes(name),
    (button) => text(button).includes(name),
  );
}
const form = [...document.forms].find((form) => form.getAttribute("action")?.includes(name) && form.checkVisibility());
return form?.querySelector("button:not([type=button]), input[type=submit]") ?? null;
