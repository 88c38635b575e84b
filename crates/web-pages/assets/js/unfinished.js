// Typed work is saved before it is submitted: 3 s after the last key, and when the page is left.
//
// Every form with a hidden field "unfinished" (a UUID) is sent to /unfinished, with the number of the save in "rev". Nothing is sent as long
// as nothing was typed. Another window that saved the form first gets it (409); this one goes on under another UUID. data-kept marks the form
// as long as saving works, so that leaving the page needs no question.
{
  const PAUSE = 3000;
  const RETRY = 30000;
  const uuid = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  // Values that differ in every page or with every save.
  const passing = new Set(["csrf", "rev", "unfinished"]);

  for (const id of document.querySelectorAll("main form input[name=unfinished]")) {
    const form = id.form;
    const rev = form.querySelector("input[name=rev]");
    const fields = () => {
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
      return body;
    };
    const content = () => {
      const body = fields();
      for (const name of passing) body.delete(name);
      return body.toString();
    };
    let saved = content();
    let timer;
    let running = false;
    let isSent = false;
    form.dataset.kept = "";

    const later = (delay) => {
      clearTimeout(timer);
      timer = setTimeout(save, delay);
    };
    const next = () => {
      rev.value = Number(rev.value) + 1;
      return fields();
    };

    const save = async () => {
      if (running || isSent) return;
      const now = content();
      if (now === saved) return;
      running = true;
      let wait;
      try {
        const answer = await fetch("/unfinished", { method: "POST", body: next(), redirect: "error" });
        if (answer.ok) {
          saved = now;
          form.dataset.kept = "";
        } else if (answer.status === 409) {
          id.value = uuid();
          rev.value = 0;
          wait = 0;
        } else {
          delete form.dataset.kept;
          // A form that is too large will not become smaller by itself, and a session that ended does not come back.
          if (answer.status === 429 || answer.status >= 500) wait = Number(answer.headers.get("retry-after")) * 1000 || RETRY;
        }
      } catch {
        delete form.dataset.kept;
        wait = RETRY;
      }
      running = false;
      if (wait !== undefined) later(wait);
      else if (content() !== saved) later(PAUSE);
    };

    // Saves without waiting for an answer. `isLast`: nobody will be here to repeat it.
    const leave = (isLast) => {
      clearTimeout(timer);
      const now = content();
      if (now === saved) return;
      const body = next();
      if (isLast) body.set("leaving", "true");
      // A beacon is limited to 64 KiB.
      if (navigator.sendBeacon("/unfinished", body)) saved = now;
      else fetch("/unfinished", { method: "POST", body }).catch(() => {});
    };

    for (const name of ["input", "change"]) {
      form.addEventListener(name, () => {
        isSent = false;
        later(PAUSE);
      });
    }
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && !isSent) save();
    });
    document.addEventListener("submit", (event) => {
      if (event.target !== form || event.defaultPrevented) return;
      leave(false);
      isSent = true;
    });
    addEventListener("pagehide", () => {
      if (!isSent) leave(true);
    });
  }
}
