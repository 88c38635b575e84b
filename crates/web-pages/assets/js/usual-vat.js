// VAT rate of an expense line: the usual one of its category, until a person chooses a rate.
//
// A line whose rate nobody chose has the hidden fields ….vatProposed, with the categories without VAT in data-without, and ….vatProposal, the
// rate that was proposed. The choices of ….vatRate begin with the high rate, which is that of the other categories. Without this file the
// server adapts the rate when the form is sent.
{
  document.addEventListener("change", (event) => {
    const [, line, name] = /^(.*\.)(category|vatRate)$/.exec(event.target.name ?? "") ?? [];
    if (!line) return;
    const field = (last) => event.target.form?.elements.namedItem(line + last);
    const proposed = field("vatProposed");
    if (!proposed?.dataset.without || proposed.value !== "true") return;
    if (name === "vatRate") {
      proposed.value = "";
      return;
    }
    // Another treatment, or VAT printed on the document, belongs to the rate that was chosen with it.
    if (!["", "normal"].includes(field("vatTreatment")?.value ?? "") || field("vat")?.value.trim()) return;
    const rates = field("vatRate");
    const isWithout = proposed.dataset.without.split(" ").includes(event.target.value.trim());
    rates.value = isWithout ? "0" : rates.options[0].value;
    field("vatProposal").value = rates.value;
  });
}
