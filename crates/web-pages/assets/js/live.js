// Live figures: the server computes them, so that they match the booking to the cent.
//
// <form data-live="calculate"> is sent with action=calculate a moment after typing; every element with data-live-part and an id takes the
// content of its like in the answer. It is sent with live=true, so that the answer can leave out the fields of long lists. Without this file the button "Recalculate" does it.
{
  for (const form of document.querySelectorAll("form[data-live]")) {
    let timer;
    let running;
    const update = async () => {
      running?.abort();
      running = new AbortController();
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
      body.set("action", form.dataset.live);
      body.set("live", "true");
      try {
        // Not form.action: the form has a button of that name.
        const answer = await fetch(form.getAttribute("action"), { method: "POST", body, redirect: "error", signal: running.signal });
        if (!answer.headers.get("content-type")?.startsWith("text/html")) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const part of document.querySelectorAll("[data-live-part]")) {
          const fresh = page.getElementById(part.id);
          // The focused field keeps its focus.
          if (part.contains(document.activeElement)) continue;
          if (fresh && fresh.innerHTML !== part.innerHTML) part.innerHTML = fresh.innerHTML;
        }
        // Amounts of lines, matched by order: the server may renumber them.
        const sums = page.querySelectorAll("[data-lines] .line .line-sum");
        const mine = form.querySelectorAll("[data-lines] .line .line-sum");
        if (sums.length === mine.length) mine.forEach((sum, place) => { sum.innerHTML = sums[place].innerHTML; });
        // The VAT proposed to the customer, on the lines whose VAT nobody touched.
        const proposed = page.querySelectorAll("[data-lines] > .line");
        const shown = form.querySelectorAll("[data-lines] > .line");
        if (proposed.length === shown.length) shown.forEach((line, place) => {
          const field = line.querySelector("[name$='.vatProposal']");
          const value = proposed[place].querySelector("[name$='.vatProposal']")?.value;
          const isUntouched = line.querySelector("[name$='.vatProposed']")?.value === "true";
          if (!field || !isUntouched || !value || value === field.value) return;
          const [rate, category] = value.split("/");
          const rates = line.querySelector("[name$='.vatRate']");
          if (![...rates.options].some((option) => option.value === rate)) rates.add(new Option(`${rate}%`, rate));
          rates.value = rate;
          const reason = line.querySelector("[name$='.vatCategory']");
          if (reason) reason.value = category;
          field.value = value;
        });
        // A long form asks for the reason only on lines without VAT.
        const fresh = page.querySelectorAll("[data-lines] > .line");
        const lines = form.querySelectorAll("[data-lines] > .line");
        if (fresh.length === lines.length) lines.forEach((line, place) => {
          const reason = fresh[place].querySelector(":scope > details");
          if (!reason || line.querySelector(":scope > details")) return;
          const own = line.querySelector("[name]").name.split(".")[1];
          line.insertAdjacentHTML("beforeend", reason.outerHTML.replace(/\bitems\.\d+/g, `items.${own}`));
        });
      } catch {
        // A later request is pending, or the network failed: keep the current figures.
      }
    };
    form.addEventListener("change", (event) => {
      if (!/\.(vatRate|vatCategory|exemption)$/.test(event.target.name ?? "")) return;
      const proposed = event.target.closest(".line")?.querySelector("[name$='.vatProposed']");
      if (proposed) proposed.value = "";
    });
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(update, 300);
    });
  }
}
