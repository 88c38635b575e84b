// Asks for confirmation before leaving a page with unsaved input, using the browser's own dialog.
//
// Only forms with method=post count, except those with a password or a code that carry no other
// form. A page that shows a form again, because of faults or a concurrent edit, has unsaved input
// from the start; [data-unsaved] marks other such forms.
{
  const isSecret = (form) => form.querySelector("input[type=password], input[autocomplete=one-time-code]") !== null;
  const isWork = (form) => form.getAttribute("method") === "post" && (form.matches("[data-unsaved]") || !isSecret(form));
  // A file is compared by name; without a file its field is empty.
  const content = (form) => JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value.name ?? value]));

  const before = new Map();
  const touched = new Set();
  const isShownAgain = document.querySelector("main :is(.faults, #changed-title)") !== null;
  for (const form of document.querySelectorAll("main form")) {
    if (!isWork(form)) continue;
    const isUnsaved = form.matches("[data-unsaved]") || (isShownAgain && form.querySelector("input:not([type=hidden]), select, textarea"));
    before.set(form, isUnsaved ? undefined : content(form));
    if (isUnsaved) touched.add(form);
  }

  // What unfinished.js saves is not lost, except a chosen file.
  const isKept = (form) => form.matches("[data-kept]") && ![...form.querySelectorAll("input[type=file]")].some((field) => field.files.length);

  let sent;
  for (const name of ["input", "change"]) {
    document.addEventListener(name, (event) => {
      const form = event.target.form;
      if (!before.has(form)) return;
      touched.add(form);
      if (form === sent) sent = undefined;
    });
  }
  document.addEventListener("submit", (event) => {
    const target = event.submitter?.getAttribute("formtarget") ?? event.target.getAttribute("target");
    if (!event.defaultPrevented && target !== "_blank") sent = event.target;
  });
  addEventListener("beforeunload", (event) => {
    // Browsers ask only after an interaction with the page; Chromium warns about other attempts.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    if ([...touched].some((form) => form !== sent && !isKept(form) && content(form) !== before.get(form))) event.preventDefault();
  });
}
