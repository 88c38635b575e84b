// Enhancements of every page. Every page works without any of these files.
{
  const page = document;

  // Copy buttons appear only where copying works: data-copy names the element, data-copied the confirmation.
  if (navigator.clipboard) {
    for (const button of page.querySelectorAll("button[data-copy]")) {
      const text = button.querySelector("span") ?? button;
      const before = text.textContent;
      button.hidden = false;
      button.addEventListener("click", async () => {
        const from = page.getElementById(button.dataset.copy);
        try {
          await navigator.clipboard.writeText(from.dataset.value ?? from.textContent);
          text.textContent = button.dataset.copied;
          setTimeout(() => { text.textContent = before; }, 2500);
        } catch {
          getSelection().selectAllChildren(from);
        }
      });
    }
  }

  page.addEventListener("click", (event) => {
    // A link in the list of faults focuses its field.
    const link = event.target.closest?.(".faults a");
    const field = link && page.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (field) {
      event.preventDefault();
      field.focus();
    }
    // data-fill sets the value of the field named by data-for.
    const fill = event.target.closest?.("button[data-fill]");
    const target = fill && page.getElementById(fill.dataset.for);
    if (target) {
      target.value = fill.dataset.fill;
      target.dispatchEvent(new Event("input", { bubbles: true }));
      target.focus();
    }
    // A click elsewhere closes a menu.
    for (const menu of page.querySelectorAll("details.menu[open], .dock details[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  page.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of page.querySelectorAll("details.menu[open], .dock details[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Choice that reloads the page: <select data-submit>.
  page.addEventListener("change", (event) => {
    if (event.target.matches?.("[data-submit]")) event.target.form.requestSubmit();
  });

  // The number of ticked boxes of a form, in elements with data-ticked="the form's id".
  page.addEventListener("change", (event) => {
    const form = event.target.matches?.("[type='checkbox'][form]") ? event.target.form : null;
    if (!form) return;
    const ticked = [...form.elements].filter((field) => field.type === "checkbox" && field.checked).length;
    for (const count of page.querySelectorAll(`[data-ticked="${CSS.escape(form.id)}"]`)) count.textContent = ticked;
  });

  // Scroll the current tab into view.
  for (const current of page.querySelectorAll(".tabs [aria-current]")) {
    const tabs = current.closest(".tabs");
    const hidden = current.getBoundingClientRect().right - tabs.getBoundingClientRect().right;
    if (hidden > 0) tabs.scrollLeft = hidden + 24;
  }

  // Scroll the line shown next to its list into view, unless the page has something to report.
  if (!page.querySelector(".flash, .faults")) page.querySelector(".split tr.chosen")?.scrollIntoView({ block: "nearest" });

  // Remove buttons that are needed only without scripts.
  for (const spare of page.querySelectorAll("[data-without-script]")) spare.hidden = true;

  // Browsers keep pages as they were for their Back button, some in spite of `no-store`. Whoever signed out meanwhile must not be seen.
  addEventListener("pageshow", (event) => {
    if (event.persisted) {
      page.documentElement.hidden = true;
      location.reload();
    }
  });
}
