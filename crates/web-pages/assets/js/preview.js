// The PDF of an invoice or quote next to its form, where there is room: 1 s after the last key.
//
// <section data-preview="/invoices/preview"> in the form holds the frame. The server answers a form that is not complete with what it lacks.
// A new frame for each preview keeps them out of the history.
{
  const PAUSE = 1000;
  const place = document.querySelector("[data-preview]");
  const form = place?.closest("form");
  const wide = matchMedia("(min-width: 80rem)");
  // Values that differ in every page or with every save.
  const passing = new Set(["csrf", "rev", "unfinished", "seen", "submission"]);

  if (form) {
    let timer;
    let shown;
    let count = 0;
    const fields = () => [...new FormData(form)].filter(([name, value]) => typeof value === "string" && name !== "action");
    const content = () => JSON.stringify(fields().filter(([name]) => !passing.has(name)));

    const show = () => {
      const now = content();
      if (!wide.matches || now === shown) return;
      shown = now;
      count += 1;
      const frame = document.createElement("iframe");
      frame.name = `preview-${count}`;
      frame.title = place.querySelector("h2").textContent;
      place.querySelector("iframe")?.remove();
      place.hidden = false;
      place.append(frame);
      const copy = document.createElement("form");
      copy.method = "post";
      // Viewers of PDF files that know these parameters show the page alone.
      copy.action = `${place.dataset.preview}#toolbar=0&navpanes=0&view=FitH`;
      copy.target = frame.name;
      copy.hidden = true;
      for (const [name, value] of fields()) {
        const field = document.createElement("textarea");
        field.name = name;
        field.value = value;
        copy.append(field);
      }
      document.body.append(copy);
      HTMLFormElement.prototype.submit.call(copy);
      setTimeout(() => copy.remove());
    };

    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(show, PAUSE);
    };
    for (const name of ["input", "change"]) form.addEventListener(name, later);
    wide.addEventListener("change", later);
    // A draft has something to show from the start.
    if (/[?&]of=/.test(place.dataset.preview)) later();
  }
}
