/* Labelling by keyboard, kept at once. Without it the form works as forms do. */
(() => {
  "use strict";
  const form = document.querySelector("[data-label-form]");
  if (!form) return;
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const questions = all("[data-question]", form);
  const key = form.elements.namedItem("key").value;
  const saved = document.querySelector("[data-saved]");
  let now = -1;
  let unsaved = 0;
  let sending = Promise.resolve();

  const chosen = (question) => question.querySelector('input[name^="label-"]:checked')?.value ?? "";
  const needsMore = (question) => (question.dataset.needs || "").split(" ").includes(chosen(question));
  const more = (question) => question.querySelector("[data-more]");
  const showMore = (question) => {
    if (more(question)) more(question).hidden = !needsMore(question);
  };
  questions.forEach(showMore);

  const say = (words, isProblem) => {
    saved.textContent = words;
    saved.classList.toggle("failed", isProblem);
  };

  /* One after another: of two answers to one question the later must be kept. */
  const save = (question) => {
    unsaved += 1;
    sending = sending.then(() => send(question));
  };

  const send = async (question) => {
    const fields = new URLSearchParams();
    all("input", question).forEach((input) => {
      if (input.type !== "radio" || input.checked) fields.append(input.name, input.value);
    });
    try {
      const answer = await fetch(form.action, { method: "POST", headers: { "x-assay-key": key }, body: fields });
      if (!answer.ok) throw new Error(`the server says ${answer.status}`);
      const left = Number(answer.headers.get("x-missing"));
      question.classList.add("said");
      say(left ? `saved; ${left} ${left === 1 ? "question is" : "questions are"} open` : "saved; all questions are answered", false);
    } catch (error) {
      question.classList.remove("said");
      say(`not saved: ${error.message}. It is tried again when you go on.`, true);
    } finally {
      unsaved -= 1;
    }
  };

  const go = (to, focus = true) => {
    if (!questions.length) return;
    now = Math.min(questions.length - 1, Math.max(0, to));
    const question = questions[now];
    questions.forEach((each) => each.classList.toggle("now", each === question));
    all(".lit").forEach((each) => each.classList.remove("lit"));
    if (question.dataset.mark) all(`[data-keys~="${question.dataset.mark}"]`).forEach((each) => each.classList.add("lit"));
    if (focus) {
      const input = question.querySelector("input:checked") || question.querySelector("input");
      input.focus({ preventScroll: true });
      question.scrollIntoView({ block: "nearest" });
    }
  };

  const choose = (digit) => {
    const question = questions[now];
    if (!question) return;
    const first = all('input[name^="label-"]', question);
    const second = all('input[name^="more-"]', question);
    const isSecond = second.length && needsMore(question) && document.activeElement?.closest("[data-more]");
    const group = isSecond ? second : first;
    const input = digit === 0 ? first.find((each) => each.value === "undecided") : group[digit - 1];
    if (!input) return;
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    if (!isSecond && needsMore(question) && second.length) second[0].focus({ preventScroll: true });
    else input.focus({ preventScroll: true });
  };

  const onward = () => {
    if (now + 1 < questions.length) {
      go(now + 1);
      return;
    }
    const after = document.querySelector("[data-more-questions]");
    if (after) after.click();
    else form.requestSubmit(form.querySelector("button[name=next]"));
  };

  form.addEventListener("change", (event) => {
    const question = event.target.closest("[data-question]");
    if (!question) return;
    if (event.target.name.startsWith("label-")) {
      const other = question.querySelector('input[name^="other-"]');
      if (other) other.value = "";
      showMore(question);
    }
    if (event.target.name.startsWith("other-") && event.target.value.trim()) {
      all('input[name^="label-"]', question).forEach((each) => { each.checked = false; });
    }
    save(question);
  });
  form.addEventListener("focusin", (event) => {
    const at = questions.indexOf(event.target.closest("[data-question]"));
    if (at >= 0 && at !== now) go(at, false);
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("keys")?.open) return;
    const isTyping = event.target.matches('input:not([type="radio"]), textarea, select');
    if (event.key === "Enter" && (isTyping || event.target.matches('input[type="radio"], body'))) {
      event.preventDefault();
      onward();
      return;
    }
    if (isTyping) return;
    const actions = {
      j: () => go(now + 1),
      k: () => go(now - 1),
      n: () => document.querySelector('.top a[rel="next"]')?.click(),
      p: () => document.querySelector('.top a[rel="prev"]')?.click(),
      c: () => questions[now]?.querySelector('input[name^="note-"]').focus(),
      "?": () => event.target.matches("input") && document.querySelector("[data-keys-list]")?.click(),
    };
    if (/^[0-9]$/.test(event.key)) choose(Number(event.key));
    else if (Object.hasOwn(actions, event.key)) actions[event.key]();
    else return;
    event.preventDefault();
  });

  const open = questions.findIndex((each) => !each.classList.contains("said"));
  if (questions.length) go(open < 0 ? 0 : open);
})();
