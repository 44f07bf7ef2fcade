// The time line of a pass: letting go of it, or an arrow key, leads to a moment. Without this its form does.
(() => {
  "use strict";

  const at = document.getElementById("at");
  const shown = document.querySelector("output[for=at]");
  at.addEventListener("input", () => (shown.textContent = at.value));
  at.addEventListener("change", () => at.form.requestSubmit());
  addEventListener("keydown", (event) => {
    if (event.target === at || event.ctrlKey || event.altKey || event.metaKey) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (rel) document.querySelector(`.scrub a[rel=${rel}]`)?.click();
  });
})();
