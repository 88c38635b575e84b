// Stores in `window.stopsOfTheTest` the elements that the Tab key must reach, and returns their
// number. Radio buttons with the same name count as one stop.
const looks = ["outline", "boxShadow", "backgroundColor", "borderColor", "color", "textDecoration"];
const usable = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
const seen = new Set();
window.stopsOfTheTest = [...document.querySelectorAll(usable)]
  .filter((element) => element.checkVisibility() && !element.disabled && element.tabIndex >= 0)
  .filter((element) => {
    if (element.type !== "radio") return true;
    const group = [...document.getElementsByName(element.name)];
    return group.some((radio) => radio.checked) ? element.checked : !seen.has(element.name) && seen.add(element.name);
  })
  .map((element) => {
    // The focus indicator may be on the label around a field, or on an adjacent element.
    const shown = [element, element.closest("label"), element.nextElementSibling].filter(Boolean);
    const look = () => JSON.stringify(shown.map((part) => looks.map((property) => getComputedStyle(part)[property])));
    const text = (element.innerText || element.name || element.value || "").trim().slice(0, 40);
    return { element, look, before: look(), name: `${element.localName} "${text}"` };
  });
return window.stopsOfTheTest.length;
