// Draws the parts of a page that are marked so anew every three seconds, and says where that has ended.
(() => {
  "use strict";

  const EVERY_MS = 3000;

  const shown = document.querySelectorAll("[data-renewed]");
  const from = document.querySelector("[data-from]")?.dataset.from ?? location.href;
  const old = document.getElementById("old");

  setInterval(async () => {
    const answer = await fetch(from).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    old.hidden = text !== null;
    if (text === null) return;
    const next = new DOMParser().parseFromString(text, "text/html");
    for (const part of shown) {
      const wanted = next.getElementById(part.id);
      if (wanted && wanted.innerHTML !== part.innerHTML) part.innerHTML = wanted.innerHTML;
    }
  }, EVERY_MS);
})();
