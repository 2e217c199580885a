/* Follows the links to the next and the previous record. Every page works without it. */
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("[data-step], [data-question]")) return;
    if (event.target.closest("input, textarea, select") || document.getElementById("keys")?.open) return;
    const link = { j: 'a[rel="next"]', k: 'a[rel="prev"]' }[event.key];
    if (link) document.querySelector(`.top ${link}`)?.click();
  });
})();
