/* The desk's behaviour: everything here is a faster way to do what the links and forms of the page do without it.
   No inline handlers, no strings of the page's language, no counting of characters: words carry token ids. */
(() => {
  "use strict";

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const desk = () => one("main[data-desk]");
  const narrow = matchMedia("(max-width: 900px)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const GAP = 6; // pixels between two receipts
  const FRESH = 350; // ms in which a decision key pressed twice does not decide the answer that has just come
  const AHEAD = 150; // ms after which the answer that follows is fetched
  const CROWD = 10; // marks from which receipts shrink to their first lines

  let here = 0; // number of the mark in hand, 0: none
  let shownAt = 0;
  let busy = false;

  /* Marks, receipts, evidence ------------------------------------------------------------------------------------ */

  const marks = () => all("#proof .m[id]");
  const receipts = () => all(".receipt[data-mark]");

  function choose(number, { focus = false } = {}) {
    here = number;
    const tag = String(number);
    for (const element of all("#proof .m, .receipt[data-mark]")) {
      element.classList.toggle("here", element.dataset.mark === tag);
    }
    for (const element of all(".ev, .ev-near")) {
      element.classList.toggle("lit", (element.dataset.marks || "").split(" ").includes(tag));
    }
    const lit = one(".ev.lit") || one(".ev-near.lit");
    for (const source of all(".source")) source.classList.toggle("here", Boolean(lit) && source.contains(lit));
    layout();
    if (focus) one(`#m${number}`)?.focus({ preventScroll: false });
    if (lit) {
      const source = lit.closest("details");
      if (source) source.open = true;
      if (!narrow.matches) centre(lit, one(".sources"));
    }
  }

  function centre(element, pane) {
    if (!pane || pane.contains(document.activeElement)) return;
    const box = element.getBoundingClientRect();
    const frame = pane.getBoundingClientRect();
    if (box.top >= frame.top + 30 && box.bottom <= frame.bottom - 10) return;
    const top = pane.scrollTop + box.top - frame.top - frame.height / 3;
    pane.scrollTo({ top, behavior: still.matches ? "auto" : "smooth" });
  }

  function step(by) {
    const numbers = marks().map((mark) => Number(mark.dataset.mark));
    if (!numbers.length) return;
    const at = numbers.indexOf(here);
    const to = at < 0 ? (by > 0 ? 0 : numbers.length - 1) : Math.min(numbers.length - 1, Math.max(0, at + by));
    choose(numbers[to], { focus: true });
  }

  /* Receipts stand at the height of their marks. The one in hand stands exactly there, the others make room,
     if need be beyond the upper edge: each comes back with its own mark. */
  function layout() {
    const margin = one("#margin");
    const proof = one("#proof");
    if (!margin || !proof) return;
    if (narrow.matches) return fold(margin, proof);
    unfold(margin, proof);
    const list = all(":scope > .receipt", margin);
    margin.classList.toggle("aligned", list.length > 0);
    margin.classList.toggle("crowded", list.length > CROWD);
    if (!list.length) return;
    const origin = margin.getBoundingClientRect().top;
    let last = 8;
    const wanted = list.map((receipt) => {
      const anchor = receipt.dataset.mark && one(`#m${receipt.dataset.mark}`);
      if (anchor) last = Math.max(8, anchor.getBoundingClientRect().top - origin - 3);
      return last;
    });
    const heights = list.map((receipt) => receipt.offsetHeight + GAP);
    const order = list.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b] || a - b);
    const tops = place(order.map((i) => wanted[i]), order.map((i) => heights[i]), order.findIndex((i) => list[i].classList.contains("here")));
    order.forEach((i, at) => { list[i].style.transform = `translateY(${Math.round(tops[at])}px)`; });
    margin.style.minHeight = `${Math.ceil(tops[tops.length - 1] + heights[order[order.length - 1]])}px`;
  }

  function place(wanted, heights, fixed) {
    const tops = [];
    wanted.forEach((want, i) => tops.push(i ? Math.max(want, tops[i - 1] + heights[i - 1]) : want));
    if (fixed < 0) return tops;
    tops[fixed] = wanted[fixed];
    for (let i = fixed - 1; i >= 0; i -= 1) tops[i] = Math.min(tops[i], tops[i + 1] - heights[i]);
    for (let i = fixed + 1; i < tops.length; i += 1) tops[i] = Math.max(wanted[i], tops[i - 1] + heights[i - 1]);
    return tops;
  }

  /* On a phone the receipts stand on a shelf under their line, the one in hand right behind its mark. */
  function fold(margin, proof) {
    margin.classList.remove("aligned");
    margin.style.minHeight = "";
    proof.dataset.folded = "yes";
    for (const receipt of all(":scope > .receipt", margin)) receipt.style.transform = "";
    const focused = document.activeElement;
    for (const receipt of receipts()) {
      const number = receipt.dataset.mark;
      const anchor = one(`#m${number}`);
      if (!anchor) continue;
      const behind = one(`#proof .m-no[data-mark="${number}"]`) || anchor;
      if (receipt.classList.contains("here")) {
        if (behind.nextElementSibling !== receipt) behind.after(receipt);
      } else {
        const shelf = shelfOf(anchor.closest("#proof > p"));
        const later = all(":scope > .receipt", shelf).find((other) => Number(other.dataset.mark) > Number(number));
        if (receipt.parentElement !== shelf) shelf.insertBefore(receipt, later || null);
      }
    }
    if (focused !== document.activeElement && proof.contains(focused)) focused.focus({ preventScroll: true });
  }

  function shelfOf(line) {
    if (line.nextElementSibling?.classList.contains("inline-receipts")) return line.nextElementSibling;
    const shelf = document.createElement("div");
    shelf.className = "inline-receipts";
    line.after(shelf);
    return shelf;
  }

  function unfold(margin, proof) {
    if (!proof.dataset.folded) return;
    delete proof.dataset.folded;
    const after = one(".receipt:not([data-mark])", margin);
    const folded = all(".receipt", proof).sort((a, b) => a.dataset.mark - b.dataset.mark);
    for (const receipt of folded) margin.insertBefore(receipt, after);
    for (const shelf of all(".inline-receipts", proof)) shelf.remove();
  }

  /* Verdicts and decisions --------------------------------------------------------------------------------------- */

  function giveVerdict(says) {
    if (!here) return step(1);
    const receipt = one(`.receipt[data-mark="${here}"]`);
    const button = receipt && one(`[data-verdict="${says}"]`, receipt);
    if (!button) return;
    const given = Boolean(button.value);
    button.click();
    if (given && here < marks().length) step(1);
  }

  /* A correction that a receipt leaves open, by its number; the mark stays in hand when the page comes back. */
  function takeAlternative(number) {
    const button = here && !busy && one(`.receipt[data-mark="${here}"] [data-candidate="${number}"]`);
    if (button) button.click();
    return Boolean(button);
  }

  function act(name) {
    if (pending) return whenKept(() => act(name));
    if (busy || performance.now() - shownAt < FRESH) return;
    const names = name === "keep" ? ["confirm", "keep", "accept_healed"] : [name];
    const button = names.map((known) => one(`[data-act="${known}"]`)).find(Boolean);
    if (button) button.click();
  }

  /* The switch of the edit in hand: the focused one, else that of the mark in hand; with neither, the first comes to hand. */
  function switchEdit() {
    const edits = all("#diff .edit");
    const focused = document.activeElement?.closest?.("#diff .edit");
    const index = here && one(`.receipt[data-mark="${here}"]`)?.dataset.index;
    const own = index && edits.find((label) => (label.dataset.marks || "").split(" ").includes(index));
    const box = one("input", focused || own || document.createElement("p"));
    if (box) return box.click();
    if (edits.length) one("input", edits[0]).focus();
  }

  function undo() {
    if (pending) return whenKept(undo);
    if (busy) return;
    const button = one('[data-act="undo"]') || one("[data-undo] button");
    if (button) button.click();
    else trouble("nothing");
  }

  function edit() {
    const editor = one("#editor");
    if (!editor) return;
    const text = one("#text");
    if (closeEditor()) return;
    if (!editor.open) editor.dataset.untouched = text.value;
    editor.open = true;
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
    text.scrollIntoView({ block: "nearest" });
  }

  /* Closes the editor where nothing was typed since it was opened; whether it did. */
  function closeEditor() {
    const editor = one("#editor");
    if (!editor?.open || editor.dataset.untouched !== one("#text").value) return false;
    editor.open = false;
    one("#q")?.focus({ preventScroll: true });
    return true;
  }

  /* The next answer is fetched while this one is read, and shown the moment this one is decided. The server says
     afterwards whether it is held now; if a colleague was faster, what it sends instead takes the place, and if
     nothing could be sent, this answer comes back as it was. ------------------------------------------------------- */

  let next = null; // {from: the main it follows, shown, title, main}
  let asked = null; // the main for which it was fetched last
  let pending = null; // while a decision is on its way: resolves to whether the answer on the screen stays

  const whenKept = (step) => pending.then((kept) => { if (kept) step(); });

  async function lookAhead() {
    const page = desk();
    if (!page?.dataset.ahead || pending || asked === page) return;
    next = null;
    asked = page;
    try {
      const answer = await fetch(page.dataset.ahead, { headers: { "X-Requested-With": "fetch" } });
      if (answer.status !== 200) return;
      const parts = document.createElement("template");
      parts.innerHTML = await answer.text();
      const main = one("main", parts.content);
      if (!main || desk() !== page) return;
      page.dataset.next = answer.headers.get("X-Shown");
      next = { from: page, main, title: one("title", parts.content).textContent, shown: answer.headers.get("X-Shown") };
    } catch { /* the next answer then comes with the decision */ }
  }

  function show(main, title) {
    one("main").replaceWith(main);
    document.title = title;
    htmx.process(main);
    arrive();
  }

  function decideAhead(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    body.set("shown", next.shown);
    const old = { main: next.from, title: document.title, here };
    const { shown, main, title } = next;
    pending = fetch(form.action, { method: "POST", body, headers: { "X-CSRFToken": token(), "HX-Request": "true" } })
      .then((answer) => settle(answer, shown, old), () => takeBack(old, "offline"))
      .finally(() => { pending = null; });
    show(main, title);
    greet();
  }

  async function settle(answer, shown, old) {
    if (!answer.ok && ![409, 422].includes(answer.status)) return takeBack(old, kindOf(answer.status));
    const text = await answer.text();
    const kept = answer.headers.get("X-Shown") === shown;
    if (answer.headers.get("HX-Push-Url")) history.pushState({}, "", answer.headers.get("HX-Push-Url"));
    htmx.swap("#main", text, { swapStyle: kept ? "none" : "outerHTML" });
    if (kept) {
      startLease();
      tick();
      hideToastsLater();
    }
    setTimeout(lookAhead, AHEAD);
    return kept;
  }

  function takeBack(old, kind) {
    asked = null;
    show(old.main, old.title);
    choose(old.here);
    trouble(kind);
    setTimeout(lookAhead, AHEAD);
    return false;
  }

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target.id !== "decision" || button?.name !== "kind" || pending || next?.from !== desk()) return;
    event.preventDefault();
    event.stopPropagation();
    decideAhead(event.target, button);
  }, true);

  /* What is pressed on an answer that is not held yet waits until it is. */
  document.addEventListener("htmx:confirm", (event) => {
    if (!pending) return;
    event.preventDefault();
    whenKept(() => event.detail.issueRequest(true));
  });

  /* An edit that agrees with another goes off with it. */
  function followParents(changed) {
    const label = changed.closest(".edit");
    if (!label) return;
    const pending = [label.dataset.edit];
    while (pending.length) {
      const parent = pending.pop();
      for (const child of all(`.edit[data-parent="${parent}"]`)) {
        one("input", child).checked = changed.checked;
        pending.push(child.dataset.edit);
      }
    }
  }

  /* Marks the machine missed: words chosen by mouse, or by a word cursor with the arrow keys. ---------------------- */

  let cursor = null; // {first, last}: places among the words, the second one moves

  /* A long answer has spans of several words: data-t is the first one's id, data-u the last one's. */
  const words = () => all("#proof [data-t]");
  const firstOf = (word) => Number(word.dataset.t);
  const lastOf = (word) => Number(word.dataset.u || word.dataset.t);

  function chosenWords() {
    if (cursor) return ((ids) => [Math.min(...ids), Math.max(...ids)])(underCursor().flatMap((word) => [firstOf(word), lastOf(word)]));
    const selection = getSelection();
    const proof = one("#proof");
    if (!proof || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(proof)) return null;
    const inside = words().filter((word) => range.intersectsNode(word) && touches(range, word));
    if (!inside.length) return null;
    return [firstOf(inside[0]), lastOf(inside[inside.length - 1])];
  }

  /* A range that only ends before or begins behind a word does not hold it. */
  function touches(range, word) {
    const own = document.createRange();
    own.selectNodeContents(word);
    return range.compareBoundaryPoints(Range.END_TO_START, own) < 0 && range.compareBoundaryPoints(Range.START_TO_END, own) > 0;
  }

  function addMark() {
    const chosen = chosenWords();
    const url = one("#proof")?.dataset.addMark;
    if (!chosen || !url) return;
    cursor = null;
    htmx.ajax("POST", url, { values: { first: Math.min(...chosen), last: Math.max(...chosen) }, target: "#main", swap: "outerHTML" });
  }

  function showAdder() {
    const adder = one("#add-mark");
    if (!adder) return;
    const chosen = chosenWords();
    adder.hidden = !chosen;
    if (!chosen) return;
    const box = words().findLast((word) => firstOf(word) <= chosen[1]).getBoundingClientRect();
    adder.style.left = `${Math.max(8, Math.min(box.left, innerWidth - adder.offsetWidth - 8))}px`;
    adder.style.top = `${Math.min(box.bottom + 8, innerHeight - 60)}px`;
  }

  function moveCursor(by, extend) {
    const list = words();
    if (!list.length) return;
    if (!cursor) {
      const start = Math.max(0, list.indexOf(one(`#m${here} [data-t]`)));
      cursor = { first: start, last: start };
    } else {
      cursor.last = Math.min(list.length - 1, Math.max(0, cursor.last + by));
      if (!extend) cursor.first = cursor.last;
    }
    drawCursor();
  }

  /* How many words it is to the one above or below the cursor. */
  function wordsToLine(down) {
    const list = words();
    const from = list[cursor.last].getBoundingClientRect();
    const middle = (from.left + from.right) / 2;
    let line = null;
    let best = null;
    for (let at = cursor.last + down; at >= 0 && at < list.length; at += down) {
      const box = list[at].getBoundingClientRect();
      if (down > 0 ? box.top < from.bottom - 2 : box.bottom > from.top + 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) > box.height / 2) break;
      const away = Math.max(box.left - middle, middle - box.right, 0);
      if (!best || away < best.away) best = { at, away };
    }
    return best ? best.at - cursor.last : 0;
  }

  const underCursor = () => words().slice(Math.min(cursor.first, cursor.last), Math.max(cursor.first, cursor.last) + 1);

  function drawCursor() {
    for (const word of all("#proof .word-cursor")) word.classList.remove("word-cursor");
    if (cursor) {
      for (const word of underCursor()) word.classList.add("word-cursor");
      words()[cursor.last]?.scrollIntoView({ block: "nearest" });
    }
    showAdder();
  }

  /* Keys --------------------------------------------------------------------------------------------------------- */

  const ACTIONS = {
    next_mark: () => step(1),
    previous_mark: () => step(-1),
    unsupported: () => giveVerdict("unsupported"),
    supported: () => giveVerdict("supported"),
    unsure: () => giveVerdict("unsure"),
    accept_healed: () => act("accept_healed"),
    switch_edit: switchEdit,
    nothing_else: () => one('[name="nothing_else_unsupported"]')?.click(),
    edit,
    keep: () => act("keep"),
    reject: () => act("reject"),
    reason: () => one(".reason")?.focus(),
    skip: () => act("skip"),
    flag: () => act("flag"),
    undo,
    add_mark: addMark,
    words: () => moveCursor(0, false),
    help: () => one("#help")?.showModal(),
  };

  function actionOf(key) {
    const page = one("main[data-keys]");
    if (!page || page.dataset.keys !== "on") return null;
    return Object.keys(ACTIONS).find((name) => page.getAttribute(`data-key-${name}`) === key) || null;
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.('textarea, select, input:not([type="checkbox"]):not([type="radio"])');
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "text") {
      event.preventDefault();
      return act("accept_edited");
    }
    if (event.key === "Enter" && event.target.matches?.(".reason")) {
      event.preventDefault();
      return one('[data-act="reject"]')?.focus();
    }
    if (event.key === "Escape") {
      if (cursor) { cursor = null; drawCursor(); }
      if (typing?.id === "text" && closeEditor()) return;
      if (typing) { typing.blur(); one("#q")?.focus({ preventScroll: true }); }
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    if (cursor && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      return moveCursor(wordsToLine(event.key === "ArrowDown" ? 1 : -1), event.shiftKey);
    }
    if (cursor && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      const forward = (event.key === "ArrowRight") === (getComputedStyle(one("#proof p")).direction !== "rtl");
      return moveCursor(forward ? 1 : -1, event.shiftKey);
    }
    if (event.key === " " && event.target.matches?.("#proof .m")) {
      event.preventDefault();
      return choose(Number(event.target.dataset.mark));
    }
    if (/^[1-9]$/.test(event.key) && desk()?.dataset.keys === "on" && !event.repeat && takeAlternative(event.key)) {
      event.preventDefault();
      return;
    }
    const name = actionOf(event.key);
    if (!name) return;
    event.preventDefault();
    if (event.repeat && !["next_mark", "previous_mark"].includes(name)) return;
    ACTIONS[name]();
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) return opener.dataset.open === "help" ? one("#help")?.showModal() : edit();
    if (event.target.closest("#add-mark")) return addMark();
    const toast = event.target.closest(".toast");
    if (toast && !event.target.closest("button, a")) return toast.remove();
    const link = event.target.closest("#proof .m, .receipt h3 a, a.ev, .ev-near");
    const receipt = event.target.closest(".receipt[data-mark]");
    if (!link && receipt && getSelection().isCollapsed && !event.target.closest("button, a, input")) {
      return choose(Number(receipt.dataset.mark)); // shows all of it
    }
    if (!link) return;
    event.preventDefault();
    const number = Number(link.dataset.mark || link.closest(".receipt")?.dataset.mark || link.dataset.marks.trim().split(" ")[0]);
    choose(number, { focus: true });
  });

  document.addEventListener("focusin", (event) => {
    const mark = event.target.closest("#proof .m");
    if (mark && Number(mark.dataset.mark) !== here) return choose(Number(mark.dataset.mark));
    const evidence = event.target.closest("a.ev");
    if (evidence) return choose(Number(evidence.dataset.marks.trim().split(" ")[0]));
    const receipt = event.target.closest(".receipt[data-mark]");
    if (receipt && Number(receipt.dataset.mark) !== here) choose(Number(receipt.dataset.mark));
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches('.edit input[name="on"]')) followParents(event.target);
  }, true);

  document.addEventListener("selectionchange", showAdder);
  document.addEventListener("toggle", (event) => { if (event.target.id === "editor") layout(); }, true);

  /* The lease ---------------------------------------------------------------------------------------------------- */

  let lease = null; // {until: performance.now() value, whole: ms}
  let active = false;

  function startLease() {
    const shown = one(".lease[data-seconds]");
    lease = null;
    if (!shown) return;
    const left = Number(shown.dataset.seconds) * 1000;
    lease = { until: performance.now() + left, whole: Math.max(left, lease?.whole || 0) };
  }

  function tick() {
    const shown = one(".lease[data-seconds]");
    if (!shown || !lease) return;
    const left = Math.max(0, Math.round((lease.until - performance.now()) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const face = one("[data-left]", shown);
    if (face && face.textContent !== text) face.textContent = text;
    shown.classList.toggle("short", left < 60);
  }

  async function renew() {
    const shown = one(".lease[data-renew]");
    if (!active || !shown || !lease || lease.until - performance.now() > lease.whole * 0.9) return;
    active = false;
    try {
      const answer = await fetch(shown.dataset.renew, { method: "POST", headers: { "X-CSRFToken": token() } });
      if (answer.ok) lease.until = performance.now() + (await answer.json()).seconds * 1000;
    } catch { /* the next try is half a minute away, and a late decision is kept in any case */ }
  }

  const token = () => JSON.parse(document.body.getAttribute("hx-headers") || "{}")["X-CSRFToken"] || "";

  for (const name of ["keydown", "pointerdown", "input", "wheel"]) {
    addEventListener(name, () => { active = true; }, { passive: true });
  }
  setInterval(tick, 500);
  setInterval(renew, 30000);

  /* Pages come and go --------------------------------------------------------------------------------------------- */

  function arrive() {
    const page = one("main");
    if (!page || page.dataset.seen) return layout();
    page.dataset.seen = "yes";
    here = 0;
    cursor = null;
    shownAt = performance.now();
    startLease();
    tick();
    layout();
    hideToastsLater();
    setTimeout(lookAhead, AHEAD);
  }

  function greet() {
    const target = one("[autofocus]", one("main")) || one("[data-focus]") || one("#q");
    target?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  let toastTimer = 0;
  function hideToastsLater() {
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => {
      const toasts = one("#toasts");
      if (toasts && !toasts.matches(":hover, :focus-within")) toasts.replaceChildren();
    }, 8000);
  }

  function trouble(kind) {
    const said = one("#troubles")?.dataset[kind];
    const toasts = one("#toasts");
    if (!said || !toasts) return;
    const note = document.createElement("p");
    note.className = kind === "nothing" ? "toast" : "toast bad";
    note.textContent = said;
    toasts.replaceChildren(note);
    if (kind !== "login") return hideToastsLater();
    clearTimeout(toastTimer); // it stays until one is logged in again
    const link = document.createElement("a");
    link.href = one("#troubles").dataset.loginUrl;
    link.target = "_blank";
    link.textContent = one("#troubles").dataset.loginText;
    note.append(" ", link);
  }

  let returnTo = 0; // number of the mark whose alternatives are being chosen
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target?.id === "main") busy = true;
    const choices = event.detail.elt?.closest?.(".choices");
    returnTo = choices ? Number(choices.dataset.mark) : 0;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.target?.id === "main") busy = false;
    if (event.detail.successful && lease) lease.until = Math.max(lease.until, performance.now() + lease.whole);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const fresh = !one("main")?.dataset.seen;
    arrive();
    if (fresh && returnTo && one(`#m${returnTo}`)) choose(returnTo, { focus: true });
    else if (fresh) greet();
    else if (event.detail.target?.closest?.(".receipt")) choose(here);
  });
  document.addEventListener("htmx:sendError", () => trouble("offline"));
  document.addEventListener("htmx:timeout", () => trouble("offline"));
  /* Logging in again in another tab changes the token that forms need; this page fetches the new one for itself. */
  let stale = false;
  async function freshToken() {
    try {
      const text = await (await fetch(location.href)).text();
      const fresh = new DOMParser().parseFromString(text, "text/html").body.getAttribute("hx-headers");
      if (!fresh) return;
      document.body.setAttribute("hx-headers", fresh);
      for (const field of all('[name="csrfmiddlewaretoken"]')) field.value = token();
      if (stale) one("#toasts")?.replaceChildren();
      stale = false;
    } catch { /* still away; the next return to this tab tries again */ }
  }
  addEventListener("focus", () => { if (stale) freshToken(); });

  const KINDS = { 401: "login", 403: "login", 404: "gone", 413: "large", 429: "busy" };

  function kindOf(status) {
    if (status === 401) stale = true;
    if (status === 403) freshToken();
    return KINDS[status] || "failed";
  }

  document.addEventListener("htmx:responseError", (event) => trouble(kindOf(event.detail.xhr.status)));

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-theme-form]");
    if (!form) return;
    event.preventDefault();
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = dark ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    const body = new URLSearchParams({ theme });
    fetch(form.action, { method: "POST", body, headers: { "X-CSRFToken": token(), "X-Requested-With": "fetch" } }).catch(() => {});
  });

  narrow.addEventListener("change", layout);
  addEventListener("resize", layout);
  document.fonts?.ready.then(layout);
  arrive();
})();
