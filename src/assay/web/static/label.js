/* Keys for labelling, and texts that stay where they were read to. Every page works without it. */
(() => {
  "use strict";
  const page = document.querySelector("[data-record]");
  if (!page) return;
  const find = (selector) => page.querySelector(selector);
  const sources = find(".sources");
  const place = `assay sources ${page.dataset.record}`;
  const claim = document.getElementById("claim");
  const showClaim = () => {
    const box = find(".pinned").scrollHeight > find(".pinned").clientHeight + 1 ? find(".pinned") : find(".output");
    box.scrollTop += claim.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  };
  if (claim) {
    showClaim();
    /* Where the page was not laid out yet, the boxes had no size. */
    window.addEventListener("load", showClaim, { once: true });
  }
  sources.scrollTop = Number(sessionStorage.getItem(place) ?? 0);
  sources.addEventListener("scroll", () => sessionStorage.setItem(place, String(sources.scrollTop)));

  /* One answer for each page: of two in a row the server may see the second first. */
  let sent = false;
  window.addEventListener("pageshow", () => { sent = false; });
  document.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.getElementById("keys")?.open) return;
    if (event.target.matches("input, textarea")) return;
    const buttons = {
      u: "[data-undo]", j: "[rel=next]", k: "[rel=prev]",
      ArrowLeft: "[data-side=left]", ArrowRight: "[data-side=right]",
    };
    const selector = /^[0-9]$/.test(event.key) ? `[data-digit="${event.key}"]` : buttons[event.key];
    const target = event.key === "c" ? document.getElementById("note") : selector && find(selector);
    if (!target) return;
    if (event.key === "c") target.focus();
    else target.click();
    event.preventDefault();
  });
})();
