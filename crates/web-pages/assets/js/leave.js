// Leaving a page asks first where something that was filled in would be lost; the question is the browser's own.
//
// Only forms with method=post count, and none with a password or a code, unless another form goes along in it. A page that shows a form again, because of faults or of a
// change meanwhile, holds what was typed from the start; [data-unsaved] says so of another form.
{
  const isSecret = (form) => form.querySelector("input[type=password], input[autocomplete=one-time-code]") !== null;
  const isWork = (form) => form.getAttribute("method") === "post" && (form.matches("[data-unsaved]") || !isSecret(form));
  // A file counts by its name; without one its field is empty.
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
    // Browsers ask only those who did something on the page; Chromium complains of other attempts.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    if ([...touched].some((form) => form !== sent && content(form) !== before.get(form))) event.preventDefault();
  });
}
