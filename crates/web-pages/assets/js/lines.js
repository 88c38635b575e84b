// Lines of a form, added and removed in place. Without this file the server does it (action=addLine, action=removeLine.2).
//
// <div class="lines" data-lines="items"> holds .line elements whose fields are named items.0.…; the button that adds one has
// data-add-line="items", the one in a line that removes it the value removeLine.0. What a new line begins with is in data-default of a field,
// or for all lines in data-defaults of the list ("quantity=1"). Lines are moved by the buttons moveUp.0 and moveDown.0, and by dragging where
// the list has data-grip, the title of the grip. A long list lacks these buttons; data-up and data-down are their labels.
{
  const remover = "[data-lines] button[value^='removeLine.']";
  const mover = "[data-lines] button[value^='move']";
  const numbered = /^(removeLine|moveUp|moveDown|findArticle)\.\d+$/;
  const attributes = ["name", "id", "for", "aria-describedby", "aria-labelledby", "value"];

  const renumber = (line, list, number) => {
    const old = new RegExp(`\\b${list}\\.\\d+\\b`, "g");
    for (const element of [line, ...line.querySelectorAll("*")]) {
      for (const attribute of attributes) {
        const value = element.getAttribute(attribute);
        if (value?.includes(`${list}.`) && (attribute !== "value")) element.setAttribute(attribute, value.replace(old, `${list}.${number}`));
      }
      if (element.tagName === "BUTTON") element.value = element.value.replace(numbered, `$1.${number}`);
    }
  };

  const clear = (line) => {
    const defaults = new URLSearchParams(line.parentElement?.dataset.defaults);
    for (const field of line.querySelectorAll("input, select, textarea")) {
      if (field.type === "checkbox" || field.type === "radio") field.checked = field.defaultChecked;
      else if (field.tagName !== "SELECT") field.value = field.dataset.default ?? defaults.get(field.name.split(".").pop()) ?? "";
      field.removeAttribute("aria-invalid");
      if (field.getAttribute("aria-describedby")?.endsWith("-fault")) field.removeAttribute("aria-describedby");
    }
    for (const fault of line.querySelectorAll(".fault")) fault.remove();
    for (const wrong of line.querySelectorAll(".wrong")) wrong.classList.remove("wrong");
    for (const sum of line.querySelectorAll(".line-sum")) sum.textContent = "";
  };

  // The buttons that remove or move a line contain its number.
  const count = (lines) => {
    [...lines.querySelectorAll(".line")].forEach((line, place) => {
      for (const button of line.querySelectorAll(`${remover}, ${mover}`)) {
        button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/\d+/, place + 1));
      }
    });
  };

  // The server orders lines by their numbers.
  const order = (lines) => {
    [...lines.querySelectorAll(".line")].forEach((line, place) => renumber(line, lines.dataset.lines, place));
    count(lines);
  };

  const changed = (form) => form?.dispatchEvent(new Event("input", { bubbles: true }));

  document.addEventListener("click", (event) => {
    const add = event.target.closest?.("[data-add-line]");
    if (add) {
      const list = add.dataset.addLine;
      const lines = (add.form ?? document).querySelector(`[data-lines="${list}"]`);
      const all = lines?.querySelectorAll(".line");
      if (!all?.length) return;
      event.preventDefault();
      const numbers = [...lines.querySelectorAll("[name]")].map((field) => Number(field.name.split(".")[1])).filter(Number.isInteger);
      const line = all[all.length - 1].cloneNode(true);
      renumber(line, list, Math.max(-1, ...numbers) + 1);
      all[all.length - 1].after(line);
      clear(line);
      count(lines);
      line.querySelector("input, select, textarea")?.focus();
      changed(add.form);
    }
    const move = event.target.closest?.(mover);
    if (move) {
      event.preventDefault();
      const moved = move.closest(".line");
      const up = move.value.startsWith("moveUp");
      const other = up ? moved.previousElementSibling : moved.nextElementSibling;
      if (!other?.matches(".line")) return;
      if (up) other.before(moved);
      else other.after(moved);
      order(moved.parentElement);
      move.focus();
      changed(move.form);
    }
    const remove = event.target.closest?.(remover);
    const line = remove?.closest(".line");
    if (line) {
      event.preventDefault();
      const form = remove.form;
      const lines = line.parentElement;
      const beside = line.nextElementSibling ?? line.previousElementSibling;
      if (lines.querySelectorAll(".line").length > 1) {
        line.remove();
        count(lines);
        beside?.querySelector?.("input, select, textarea")?.focus();
      } else {
        clear(line);
      }
      changed(form);
    }
  });

  let dragged;
  const grip = (line, title) => {
    if (line.querySelector(".grip")) return;
    const handle = document.createElement("span");
    handle.className = "grip";
    handle.draggable = true;
    handle.title = title;
    handle.textContent = "⠿";
    handle.setAttribute("aria-hidden", "true");
    line.querySelector(".acts")?.prepend(handle);
  };
  // Buttons that move a line, where the page leaves them out.
  const movable = (line, { up, down }) => {
    const remove = line.querySelector(remover);
    if (!up || !remove || line.querySelector(mover)) return;
    for (const [action, label] of [["moveUp", up], ["moveDown", down]]) {
      const button = document.createElement("button");
      button.name = "action";
      button.value = remove.value.replace("removeLine", action);
      button.setAttribute("aria-label", label);
      remove.before(button);
    }
  };
  for (const lines of document.querySelectorAll("[data-lines][data-grip]")) {
    for (const line of lines.querySelectorAll(".line")) {
      movable(line, lines.dataset);
      grip(line, lines.dataset.grip);
    }
    count(lines);
    lines.addEventListener("dragstart", (event) => {
      if (!event.target.matches?.(".grip")) return;
      dragged = event.target.closest(".line");
      dragged.classList.add("dragged");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", "");
      event.dataTransfer.setDragImage(dragged, 0, 0);
    });
    lines.addEventListener("dragover", (event) => {
      const over = event.target.closest?.(".line");
      if (!dragged || !over || dragged.parentElement !== lines) return;
      event.preventDefault();
      if (over === dragged) return;
      const { top, height } = over.getBoundingClientRect();
      if (event.clientY < top + height / 2) over.before(dragged);
      else over.after(dragged);
    });
    lines.addEventListener("drop", (event) => {
      if (dragged) event.preventDefault();
    });
    lines.addEventListener("dragend", () => {
      if (!dragged) return;
      dragged.classList.remove("dragged");
      dragged = undefined;
      order(lines);
      changed(lines.closest("form"));
    });
  }
}
