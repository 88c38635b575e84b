// Draws a receipt as a JPEG and drops it on the page's drop zone.
const paper = Object.assign(document.createElement("canvas"), { width: 900, height: 1200 });
const pen = paper.getContext("2d");
pen.fillStyle = "#fdfcf8";
pen.fillRect(0, 0, 900, 1200);
pen.fillStyle = "#222";
pen.font = "48px sans-serif";
pen.fillText("Papierhal", 80, 160);
pen.fillText("Toner 121,00", 80, 300);
const coded = paper.toDataURL("image/jpeg", 0.8).split(",")[1];
const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
const dataTransfer = new DataTransfer();
dataTransfer.items.add(new File([bytes], arguments[0], { type: "image/jpeg" }));
const zone = document.querySelector("[data-drop]");
for (const type of ["dragenter", "dragover", "drop"]) zone.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
return null;
