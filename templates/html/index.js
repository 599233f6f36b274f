// @ts-check
// The search over all catalogues. Without it the page lists everything.
(() => {
  const search = /** @type {HTMLInputElement} */ (
    document.querySelector("#_search")
  );
  const count = /** @type {HTMLElement} */ (document.querySelector("#_count"));
  const none = /** @type {HTMLElement} */ (document.querySelector(".none"));
  const sections = [
    .../** @type {NodeListOf<HTMLElement>} */ (
      document.querySelectorAll(".catalogue")
    ),
  ].map((at) => ({
    at,
    codes: [...at.querySelectorAll("li")].map((at) => ({
      at,
      text: [...at.querySelectorAll("a, small, em")]
        .map(({ textContent }) => textContent)
        .join(" ")
        .toLowerCase(),
    })),
  }));
  const codes = sections.flatMap((section) => section.codes);

  const update = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { at, codes } of sections) {
      const before = found;
      for (const { at, text } of codes) {
        at.hidden = !words.every((word) => text.includes(word));
        if (!at.hidden) found++;
      }
      at.hidden = words.length > 0 && found === before;
    }
    none.hidden = found > 0 || !words.length;
    const all = `${codes.length} code${codes.length === 1 ? "" : "s"}`;
    count.textContent = words.length ? `${found} of ${all}` : all;
  };

  search.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    codes
      .find(({ at }) => !at.hidden)
      ?.at.querySelector("a")
      ?.click();
  });
  search.addEventListener("input", update);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.isComposing) return; // the key is for who composes a letter
    if (event.key === "/" && event.target !== search) search.focus();
    else if (event.key === "Escape" && search.value) {
      search.value = "";
      update();
    } else return;
    event.preventDefault();
  });
  update();
  addEventListener("pageshow", update); // a browser may have put back what was typed
})();
