// @ts-check
// Search, filters and keys. Without it the page shows everything, opened.
(() => {
  /** @param {string} s @returns {HTMLElement} */
  const one = (s) => /** @type {HTMLElement} */ (document.querySelector(s));
  const form = /** @type {HTMLFormElement} */ (one(".tools"));
  const search = /** @type {HTMLInputElement} */ (one("#_search"));
  const count = one("#_count");
  const none = one(".none");
  const sections = [
    .../** @type {NodeListOf<HTMLElement>} */ (
      document.querySelectorAll("main section")
    ),
  ].map((at) => ({
    at,
    entries: [
      .../** @type {NodeListOf<HTMLElement>} */ (at.querySelectorAll(".entry")),
    ].map((at) => ({ at, names: "", text: "", shown: true })),
  }));
  const entries = sections.flatMap((section) => section.entries);
  const codes = entries.filter(({ at }) => at.dataset.v);

  // What is searched is read when somebody begins to search.
  let read = false;
  const readTexts = () => {
    if (read) return;
    read = true;
    for (const entry of entries) {
      const [row, more] = /** @type {HTMLTableSectionElement} */ (entry.at)
        .rows;
      const told = more.querySelector("dl")?.textContent ?? "";
      const name = row.cells[0].textContent ?? "";
      const places = [...entry.at.querySelectorAll("[id]")].map(({ id }) => id);
      entry.names = `${name} ${places.join(" ")}`.toLowerCase();
      entry.text = `${name} ${row.cells[1].textContent} ${told}`.toLowerCase();
    }
  };

  const tell = () => {
    const found = codes.filter(({ shown }) => shown).length;
    const all = `${codes.length} code${codes.length === 1 ? "" : "s"}`;
    count.textContent = found === codes.length ? all : `${found} of ${all}`;
  };

  const update = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) readTexts();
    const wanted = [...new FormData(form)].filter(([, value]) => value);
    for (const { at, entries } of sections) {
      let any = !entries.length && !words.length && !wanted.length;
      for (const entry of entries) {
        const data = entry.at.dataset;
        const shown =
          wanted.every(([key, value]) =>
            data[key]?.split(" ").includes(String(value)),
          ) && words.every((word) => entry.text.includes(word));
        any ||= shown;
        if (shown !== entry.shown) entry.at.hidden = !(entry.shown = shown);
      }
      if (at.hidden === any) at.hidden = !any;
    }
    tell();
    const asked = words.length + wanted.length > 0;
    none.hidden = !asked || entries.some(({ shown }) => shown);
  };

  /** The entry that a search means first: by its name, else by what it says. */
  const best = () => {
    const word = search.value.trim().toLowerCase();
    const shown = entries.filter(({ shown }) => shown);
    /** @param {(names: string[]) => boolean} test */
    const by = (test) =>
      shown.find(({ names }) => test(names.trim().split(/\s+/)));
    return (
      by((names) => names.includes(word)) ??
      by((names) => names.some((name) => name.startsWith(word))) ??
      by((names) => names.some((name) => name.includes(word))) ??
      shown[0]
    );
  };

  /** @param {Element} at @returns {HTMLElement} */
  const link = (at) => /** @type {HTMLElement} */ (at.querySelector(".code"));

  /** @param {Element} at @param {boolean} open */
  const turn = (at, open) => {
    at.classList.toggle("open", open);
    link(at).setAttribute("aria-expanded", String(open));
    if (open)
      for (const caption of at.querySelectorAll("figcaption")) {
        if (caption.querySelector("button")) continue;
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "Copy";
        caption.append(button);
      }
  };

  const clear = () => {
    form.reset();
    update();
  };

  /** Open what the address names, by any of its names, in any case. */
  const follow = () => {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // as it is
    }
    for (const entry of document.querySelectorAll(".here"))
      entry.classList.remove("here");
    const exact = name && document.getElementById(name);
    const target =
      exact ||
      (name &&
        [...document.querySelectorAll(".entry[id], .entry [id]")].find(
          ({ id }) => id.toLowerCase() === name.toLowerCase(),
        ));
    tell();
    if (name && !target) count.textContent = `${name} is no code of this page`;
    if (!target) return;
    const at = target.closest(".entry");
    if (target.closest("[hidden]")) {
      clear(); // what a filter hides is shown to who asks for it
      target.scrollIntoView();
    }
    if (!at) return;
    turn(at, true);
    at.classList.add("here");
    at.scrollIntoView({ block: "start" });
  };

  /** @param {number} step @param {Element | null} from */
  const move = (step, from) => {
    const shown = entries.filter((entry) => entry.shown);
    const next = shown.findIndex(({ at }) => at === from) + step;
    if (next < 0) return search.focus();
    const to = shown[Math.min(next, shown.length - 1)];
    if (to) link(to.at).focus();
  };

  /** @param {HTMLElement} button */
  const copy = async (button) => {
    const code = button.closest("figure")?.querySelector("code");
    if (!code) return;
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(code); // not allowed: one key does the rest
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  };

  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll(".clear"))
    button.addEventListener("click", () => {
      clear();
      search.focus();
    });
  search.addEventListener("focus", readTexts);
  addEventListener("hashchange", follow);

  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("figcaption button")) return void copy(target);
    const at = target.closest(".row")?.closest(".entry");
    const to = target.closest("a");
    if (to && to.hash && to.hash === location.hash && !at) return void follow();
    if (!at || (to && !to.matches(".code"))) return;
    if (to && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    if (!to && String(getSelection())) return; // somebody marks text
    const open = !at.classList.contains("open");
    turn(at, open);
    // Its address is worth having while it is open, and moves nothing.
    event.preventDefault();
    if (open && at.id) history.replaceState(null, "", `#${at.id}`);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.isComposing) return; // the key is for who composes a letter
    if (event.shiftKey && event.key !== "/") return;
    const target = /** @type {HTMLElement} */ (event.target);
    const at = target.closest(".entry");
    if (event.key === "/" && !target.matches("input, select, textarea"))
      search.focus();
    else if (target === search && event.key === "Enter") {
      readTexts();
      const to = best();
      if (to) {
        turn(to.at, true);
        link(to.at).focus();
        to.at.scrollIntoView({ block: "nearest" });
      }
    } else if (target === search && event.key === "ArrowDown") move(1, null);
    else if (target === search && event.key === "Escape" && search.value) {
      search.value = "";
      update();
    } else if (target === search && event.key === "Escape") search.blur();
    else if (at && target === link(at) && event.key === "ArrowDown")
      move(1, at);
    else if (at && target === link(at) && event.key === "ArrowUp") move(-1, at);
    else if (at && event.key === "Escape")
      if (at.classList.contains("open")) {
        turn(at, false);
        link(at).focus();
      } else search.focus();
    else return;
    event.preventDefault();
  });

  // What stays at the top covers what a link goes to, unless the page keeps clear of it.
  const keepClear = () => {
    const stays = getComputedStyle(form).position === "sticky";
    const room = stays ? `${form.offsetHeight + 16}px` : "";
    document.documentElement.style.scrollPaddingTop = room;
  };
  keepClear();
  new ResizeObserver(keepClear).observe(form);

  // On a phone the picture would be in the way.
  if (matchMedia("(max-width: 40rem)").matches)
    document.querySelector(".glance")?.removeAttribute("open");
  for (const { at } of entries) link(at).setAttribute("aria-expanded", "false");
  update();
  follow();
  addEventListener("pageshow", (event) => {
    update(); // a browser has put back by then what was chosen,
    if (!event.persisted) follow(); // and gone to its own idea of the place
  });
})();
