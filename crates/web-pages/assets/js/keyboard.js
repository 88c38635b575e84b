// Shortcuts: n new, / search, g and a letter go to, ? shows them, Ctrl-Enter submits the form, u undoes.
//
// Any other key clicks [data-key="x"], the first that is visible; a summary opens and focuses its first field. n follows a[data-new] or focuses the first field of form[data-new], / focuses input[data-search],
// "g i" follows a[data-go="i"], and dialog#shortcuts lists them all; [data-shortcuts] opens it, too.
{
  const isTyping = (element) => element.matches?.("input, select, textarea, [contenteditable]");
  let waits = 0;

  // What the focus goes to in a form: its first visible field, or its main button.
  const focusIn = (part) => {
    const fields = [...part.querySelectorAll("form :is(input:not([type='hidden']), select, textarea, button[data-main], button:not([hidden]))")];
    const field = fields.find((field) => field.offsetParent);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "nearest" });
  };
  // A link to a form, such as /bank-lines?kind=invoice#book, leads to its first field; the browser takes the focus away until the page has loaded.
  if (location.hash) {
    const part = document.getElementById(location.hash.slice(1));
    if (part?.matches("[data-focus]") && !document.querySelector(".faults")) addEventListener("load", () => focusIn(part));
  }

  // A kind of booking that is clicked takes the place of the one before it, so that the page stays where it is; without this file, and for a key, its link loads the page. Keys wait: they are meant for the new form.
  let shown;
  let isWaiting = false;
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".kinds a");
    if (!link || event.detail === 0 || event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    isWaiting = true;
    try {
      const answer = await fetch(link.href);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const part = page.getElementById("book").closest("section");
      document.getElementById("book").closest("section").replaceWith(part);
      history.pushState(null, "", link.href);
      shown = location.search;
      focusIn(part.querySelector("#book"));
    } catch {
      location.assign(link.href);
    }
    isWaiting = false;
  });
  addEventListener("popstate", () => {
    if (shown !== undefined && shown !== location.search) location.reload();
  });

  for (const button of document.querySelectorAll("dialog [data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }

  for (const button of document.querySelectorAll("[data-shortcuts]")) {
    button.hidden = false;
    button.addEventListener("click", () => document.getElementById("shortcuts")?.showModal());
  }

  document.addEventListener("keydown", (event) => {
    if (isWaiting) {
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      const form = event.target.form ?? event.target.closest?.("form");
      // Not form.method: the payment form has a field of that name.
      if (form?.getAttribute("method") === "post") {
        event.preventDefault();
        form.requestSubmit(form.querySelector("button[data-main]") ?? undefined);
      }
      return;
    }
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const goes = Date.now() - waits < 1500;
    waits = 0;
    let found;
    if (goes) found = document.querySelector(`a[data-go="${CSS.escape(event.key)}"]`);
    else if (event.key === "g") waits = Date.now();
    else if (event.key === "n") {
      found = document.querySelector("main [data-new]") ?? document.querySelector("a[data-new]");
      if (found instanceof HTMLFormElement) {
        const fields = [...found.querySelectorAll(".today input, input, select, textarea")].filter((field) => field.offsetParent);
        event.preventDefault();
        (fields.find((field) => field.closest(".today")) ?? fields[0])?.focus();
        found = undefined;
      }
    }
    else if (event.key === "/") {
      const search = [...document.querySelectorAll("input[data-search]")].find((field) => field.offsetParent);
      if (search) {
        event.preventDefault();
        search.focus();
        search.select();
      } else {
        found = document.querySelector("a[data-search-page]");
      }
    } else if (event.key === "?") document.getElementById("shortcuts")?.showModal();
    else {
      // Enter and space on a focused link or button are its own.
      if (/^(Enter| )$/.test(event.key) && event.target.matches("a, button, summary")) return;
      found = [...document.querySelectorAll(`main [data-key="${CSS.escape(event.key)}"]`)].find((element) => element.offsetParent);
      if (found?.matches("summary") && !found.parentElement.open) {
        event.preventDefault();
        found.click();
        focusIn(found.parentElement);
        return;
      }
    }
    if (found) {
      event.preventDefault();
      found.click();
    }
  });
}
