// Files dropped on a field: <div data-drop> around <input type=file>; data-drop="submit" sends the form at once. The element with
// data-drop-names shows what was chosen.
{
  for (const zone of document.querySelectorAll("[data-drop]")) {
    const field = zone.querySelector("input[type=file]");
    const names = zone.querySelector("[data-drop-names]");
    const chosen = () => {
      if (names) names.textContent = [...field.files].map((file) => file.name).join(", ");
      if (zone.dataset.drop === "submit" && field.files.length) field.form.requestSubmit();
    };
    for (const name of ["dragenter", "dragover"]) {
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        zone.classList.add("over");
      });
    }
    zone.addEventListener("dragleave", (event) => {
      if (!zone.contains(event.relatedTarget)) zone.classList.remove("over");
    });
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const files = new DataTransfer();
      for (const file of [...event.dataTransfer.files].slice(0, field.multiple ? undefined : 1)) files.items.add(file);
      field.files = files.files;
      chosen();
    });
    field.addEventListener("change", chosen);
  }
}
