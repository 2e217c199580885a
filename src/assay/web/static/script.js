/* Lights the quote that belongs to a claim, and listens to a few keys. Every page works without it. */
(() => {
  "use strict";
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const beside = window.matchMedia("(min-width: 60.01rem)");

  const putOut = () => all(".lit, .open").forEach((each) => each.classList.remove("lit", "open"));

  const scrollBox = (element) => {
    const box = element.closest(".sources");
    if (!box) return;
    const place = element.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (place.top < frame.top || place.bottom > frame.bottom) {
      box.scrollTop += place.top - frame.top - frame.height / 3;
    }
  };

  const light = (from) => {
    putOut();
    const keys = (from.dataset.shows || "").split(" ").filter(Boolean);
    const found = keys.flatMap((key) => all(`[data-keys~="${key}"]`));
    found.forEach((each) => each.classList.add("lit"));
    const own = from.dataset.key;
    if (own) all(`.claim[data-key="${own}"]`).forEach((each) => each.classList.add("open"));
    if (from.dataset.unit) document.getElementById(from.dataset.unit)?.classList.add("lit");
    const first = found.find((each) => each.closest(".sources")) || found[0];
    const folded = first?.closest("details:not([open])");
    if (folded) folded.open = true;
    if (first) scrollBox(first);
    return first;
  };

  document.addEventListener("click", (event) => {
    const from = event.target.closest("[data-shows]");
    if (from) {
      const first = light(from);
      const isSeen = first && first.closest(".sources") && beside.matches && from.closest(".sides");
      if (isSeen) event.preventDefault();
      return;
    }
    const quote = event.target.closest(".quoted[data-keys]");
    if (quote) {
      putOut();
      quote.classList.add("lit");
      quote.dataset.keys.split(" ").forEach((key) =>
        all(`.claim[data-shows~="${key}"]`).forEach((each) => each.classList.add("open")));
    }
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".claim[data-shows]") && event.target.matches(":focus-visible")) light(event.target);
  });

  const step = (selector, by, focus) => {
    const places = all(selector).filter((each) => each.getClientRects().length);
    if (!places.length) return;
    const now = document.activeElement;
    let at = places.findIndex((each) => each === now);
    if (at < 0) {
      const below = places.findIndex((each) => each.getBoundingClientRect().top > 60);
      at = below < 0 ? places.length : by > 0 ? below - 1 : below;
    }
    const next = places[Math.min(places.length - 1, Math.max(0, at + by))];
    focus(next);
  };

  const toRecord = (place) => {
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: place.matches(".record") ? "start" : "nearest" });
  };
  const toClaim = (place) => {
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "center" });
    light(place);
  };

  const keys = document.getElementById("keys");
  const showKeys = () => keys && (keys.open ? keys.close() : keys.showModal());
  all("[data-keys-list]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", showKeys);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      putOut();
      return;
    }
    if (event.target.closest("input, textarea, select, [contenteditable]") || keys?.open) return;
    const doubts = ".claim.first:not(.t-supported, .t-neutral)";
    const actions = {
      j: () => step("[data-step]", 1, toRecord),
      k: () => step("[data-step]", -1, toRecord),
      n: () => step(doubts, 1, toClaim),
      p: () => step(doubts, -1, toClaim),
      "/": () => document.querySelector("[data-search]")?.focus(),
      "?": showKeys,
    };
    if (Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
    }
  });

  const search = document.querySelector("[data-search]");
  const rows = all("[data-row]");
  if (search && rows.length) {
    search.closest(".search").hidden = false;
    search.addEventListener("input", () => {
      const wanted = search.value.trim().toLowerCase();
      rows.forEach((row) => {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        const body = document.getElementById(row.dataset.row);
        if (body) body.hidden = row.hidden;
      });
    });
  }

  const valueOf = (row, at) => {
    const cell = row.cells[at];
    const value = cell.dataset.value ?? cell.textContent;
    return value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value;
  };
  const isBefore = (one, two) => {
    if (typeof one === typeof two) return one < two ? -1 : one > two ? 1 : 0;
    return typeof one === "number" ? -1 : 1;
  };
  all("table[data-sortable]").forEach((table) => {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const sorted = Array.from(body.rows).sort((a, b) => {
          const [one, two] = [valueOf(a, at), valueOf(b, at)];
          // What has no value comes last, up or down.
          return one === "" || two === "" ? (one === "") - (two === "") : isBefore(one, two) * (down ? -1 : 1);
        });
        body.append(...sorted);
      });
    });
  });

  window.addEventListener("beforeprint", () => all("details").forEach((each) => each.setAttribute("open", "")));
})();
