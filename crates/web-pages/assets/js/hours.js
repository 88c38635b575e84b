// Week of hours: arrow keys in the grid, totals while typing, and running clocks.
{
  // 1:30, 1,5, 90m and 1u30 in minutes, as the server reads them.
  const minutes = (text) => {
    const tight = text.replace(/\s/g, "").toLowerCase();
    let found;
    if (tight === "") return 0;
    if ((found = /^(\d*)[:uh](\d{1,2})(?:m|min)?$/.exec(tight))) return Number(found[1]) * 60 + Number(found[2]);
    if ((found = /^(\d+)(?:m|min|minuten|minutes)$/.exec(tight))) return Number(found[1]);
    if ((found = /^(\d*)(?:[.,](\d+))?(?:u|h|uur|hours?)?$/.exec(tight))) return Math.round(Number(`${found[1] || 0}.${found[2] ?? 0}`) * 60);
    return NaN;
  };
  const clock = (sum) => (sum === 0 ? "–" : `${Math.floor(sum / 60)}:${String(sum % 60).padStart(2, "0")}`);

  for (const grid of document.querySelectorAll("table[data-grid]")) {
    const rows = () => [...grid.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td input")]).filter((row) => row.length);
    grid.addEventListener("keydown", (event) => {
      const field = event.target;
      if (!field.matches("td input")) return;
      const all = rows();
      const y = all.findIndex((row) => row.includes(field));
      const x = all[y].indexOf(field);
      // Select the content of a field reached by the arrow keys, so that they move on from there.
      const isWhole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
      const atStart = isWhole || field.selectionEnd === 0;
      const atEnd = isWhole || field.selectionStart === field.value.length;
      let next;
      if (event.key === "ArrowUp") next = all[y - 1]?.[x];
      else if (event.key === "ArrowDown" || (event.key === "Enter" && !event.ctrlKey && !event.metaKey)) next = all[y + 1]?.[x];
      else if (event.key === "ArrowLeft" && atStart) next = all[y][x - 1];
      else if (event.key === "ArrowRight" && atEnd) next = all[y][x + 1];
      else return;
      event.preventDefault();
      next?.focus();
      next?.select();
    });
    // Totals: data-sum="row" in a row, data-sum="column" in the foot (by its place among them), data-sum="all".
    grid.addEventListener("input", () => {
      const all = rows().map((row) => row.map((field) => minutes(field.value)));
      const add = (numbers) => numbers.reduce((sum, number) => sum + (Number.isNaN(number) ? 0 : number), 0);
      [...grid.querySelectorAll("[data-sum=row]")].forEach((cell, y) => { cell.textContent = clock(add(all[y] ?? [])); });
      [...grid.querySelectorAll("[data-sum=column]")].forEach((cell, x) => { cell.textContent = clock(add(all.map((row) => row[x] ?? 0))); });
      for (const cell of grid.querySelectorAll("[data-sum=all]")) cell.textContent = clock(add(all.flat()));
    });
  }

  // <time data-since="2026-11-20T13:42:00Z"> shows the time elapsed since then.
  const clocks = document.querySelectorAll("[data-since]");
  const tick = () => {
    for (const shown of clocks) {
      const passed = Math.max(0, Math.floor((Date.now() - Date.parse(shown.dataset.since)) / 60000));
      shown.textContent = `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")}`;
    }
  };
  if (clocks.length) {
    tick();
    setInterval(tick, 10000);
  }
}
