// What matches a text that is being typed, as a list below its field (a combobox of the ARIA Authoring Practices). Without this file the
// buttons findCustomer and findArticle do it.
//
// <div data-combo data-suggest="/contacts/suggest"> has the field of a customer's name; a list of lines with data-suggest has descriptions.
// The address answers with a list whose items have data-id, data-name and what else the choice fills in.
{
  const PAUSE = 120;
  let field;
  let list;
  let timer;
  let running;

  const expand = (isOpen) => {
    if (field?.tagName === "INPUT") field.setAttribute("aria-expanded", String(isOpen));
  };

  const close = () => {
    clearTimeout(timer);
    running?.abort();
    list?.remove();
    list = undefined;
    expand(false);
    field?.removeAttribute("aria-activedescendant");
    field?.removeAttribute("aria-controls");
  };

  const options = () => [...(list?.querySelectorAll("li") ?? [])];
  const current = () => list?.querySelector("[aria-selected=true]");

  const select = (option) => {
    current()?.removeAttribute("aria-selected");
    option.setAttribute("aria-selected", "true");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  const changed = (of) => of.form.dispatchEvent(new Event("input", { bubbles: true }));
  const named = (form, name) => form.querySelector(`[name="${CSS.escape(name)}"]`);

  // The customer's contact, or the text, price and VAT of a line.
  const choose = (option) => {
    const { id, name, description, unit, price } = option.dataset;
    const line = field.closest("[data-lines] .line");
    const chosen = field;
    close();
    if (line) {
      const own = chosen.name.split(".").slice(0, 2).join(".");
      const set = (part, value) => {
        let other = named(chosen.form, `${own}.${part}`);
        // A line has only the hidden fields that say something.
        if (!other) {
          other = Object.assign(document.createElement("input"), { type: "hidden", name: `${own}.${part}` });
          line.append(other);
        }
        other.value = value;
      };
      chosen.value = description;
      set("articleId", id);
      set("unit", unit);
      set("unitPrice", price);
      set("vatProposed", "true");
      set("vatProposal", "");
      const quantity = named(chosen.form, `${own}.quantity`);
      quantity?.focus();
      quantity?.select();
    } else {
      chosen.value = name;
      named(chosen.form, "customer.contactId").value = id;
      named(chosen.form, "customer.chosen").value = name;
      // The details are those of the contact; only other ones are typed.
      chosen.closest("section").querySelector("details")?.removeAttribute("open");
    }
    changed(chosen);
  };

  const show = (html) => {
    const found = new DOMParser().parseFromString(html, "text/html").querySelector("ul");
    const asked = field;
    list?.remove();
    list = undefined;
    if (!found?.children.length) return close();
    list = document.importNode(found, true);
    list.id = "suggestions";
    list.className = "suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", asked.labels?.[0]?.childNodes[0]?.textContent.trim() || asked.name);
    options().forEach((option, place) => {
      option.id = `suggestion-${place}`;
      option.setAttribute("role", "option");
    });
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("li");
      if (option) choose(option);
    });
    (asked.closest("[data-lines] .line") ?? asked.closest("[data-combo]")).append(list);
    expand(true);
    asked.setAttribute("aria-controls", "suggestions");
  };

  const ask = async (address) => {
    running?.abort();
    running = new AbortController();
    try {
      const query = new URLSearchParams({ q: field.value.trim() });
      const form = field.form;
      if (field.closest("[data-lines]")) {
        query.set("contactId", named(form, "customer.contactId")?.value ?? "");
        query.set("language", named(form, "language")?.value ?? "");
        if (form.querySelector("[name=pricesIncludeVat][type=checkbox]")?.checked) query.set("gross", "true");
      }
      const answer = await fetch(`${address}?${query}`, { redirect: "error", signal: running.signal });
      if (answer.ok && document.activeElement === field) show(await answer.text());
    } catch {
      // A later request is pending, or the network failed: there are no suggestions.
    }
  };

  const source = (of) => {
    // A form that has a field called "name" has that field as its name.
    if (typeof of.name !== "string") return undefined;
    if (of.name === "customer.name") return of.closest("[data-combo][data-suggest]")?.dataset.suggest;
    return of.name.endsWith(".description") ? of.closest("[data-lines][data-suggest]")?.dataset.suggest : undefined;
  };

  const begin = (of) => {
    if (field !== of) close();
    field = of;
    of.setAttribute("aria-autocomplete", "list");
    // A text of several lines cannot be a combobox.
    if (of.tagName !== "INPUT") return;
    of.setAttribute("role", "combobox");
    if (!of.hasAttribute("aria-expanded")) of.setAttribute("aria-expanded", "false");
  };

  document.addEventListener("focusin", (event) => {
    if (source(event.target)) begin(event.target);
  });
  if (document.activeElement && source(document.activeElement)) begin(document.activeElement);
  document.addEventListener("focusout", (event) => {
    if (event.target === field) close();
  });
  document.addEventListener("input", (event) => {
    const address = source(event.target);
    if (!address) return;
    begin(event.target);
    clearTimeout(timer);
    if (!field.value.trim()) {
      const own = field.name.split(".").slice(0, 2).join(".");
      const article = named(field.form, `${own}.articleId`);
      // A line whose text was removed is no longer from the article.
      if (article) article.value = "";
      return close();
    }
    timer = setTimeout(() => ask(address), PAUSE);
  });
  document.addEventListener("keydown", (event) => {
    if (!list || event.target !== field || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = options();
    const place = all.indexOf(current());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = event.key === "ArrowDown" ? place + 1 : place < 0 ? all.length - 1 : place - 1;
      select(all[(next + all.length) % all.length]);
    } else if (event.key === "Enter" && place >= 0) {
      choose(all[place]);
    } else if (event.key === "Escape") {
      close();
    } else {
      return;
    }
    event.preventDefault();
  });
}
