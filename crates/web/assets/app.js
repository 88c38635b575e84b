// Niceties. Every page works without this file.

// Copy buttons show themselves only where copying works.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const text = button.querySelector("span");
    const before = text.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
        text.textContent = button.dataset.copied;
        setTimeout(() => { text.textContent = before; }, 2500);
      } catch {
        getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      }
    });
  }
}

// A link from the list of faults puts the cursor into its field.
for (const link of document.querySelectorAll(".faults a")) {
  link.addEventListener("click", (event) => {
    const field = document.getElementById(link.hash.slice(1));
    if (field) {
      event.preventDefault();
      field.focus();
    }
  });
}

// Browsers keep pages as they were for their Back button, some in spite of `no-store`. Whoever signed out meanwhile must not be seen.
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    document.documentElement.hidden = true;
    location.reload();
  }
});
