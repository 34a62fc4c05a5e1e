// What pages cannot do alone: keyboard, drafts, and noticing what others do. Nothing here is needed.

const hasTyped = () => document.querySelector("details[open]") !== null
  || [...document.querySelectorAll("textarea, input:not([type=hidden])")]
    .some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);

// The page that is open is marked in the navigation.
for (const link of document.querySelectorAll(".top nav a")) {
  const path = new URL(link.href).pathname;
  if (path === location.pathname || (path !== "/" && location.pathname.startsWith(path + "/"))) {
    link.setAttribute("aria-current", "page");
  }
}

// Ids are copied with a click.
for (const code of document.querySelectorAll("code.copy")) {
  code.tabIndex = 0;
  code.setAttribute("role", "button");
  const copy = async () => {
    await navigator.clipboard?.writeText(code.textContent);
    code.classList.add("copied");
  };
  code.addEventListener("click", copy);
  code.addEventListener("keydown", (event) => { if (event.key === "Enter") copy(); });
}

// What is typed outlives a reload and a session.
for (const form of document.querySelectorAll("form[data-draft]")) {
  const name = "draft " + form.dataset.draft;
  const fields = [...form.elements].filter((field) => field.name && !field.name.startsWith("_")
    && field.type !== "hidden" && field.type !== "submit");
  const kept = JSON.parse(localStorage.getItem(name) ?? "{}");
  for (const field of fields) {
    if (field.name in kept && field.value === field.defaultValue) field.value = kept[field.name];
  }
  form.addEventListener("input", () => {
    localStorage.setItem(name, JSON.stringify(
      Object.fromEntries(fields.map((field) => [field.name, field.value]))));
  });
  if (new URLSearchParams(location.search).has("done")) {
    localStorage.removeItem(name);
    for (const field of fields) field.value = field.defaultValue;
  }
}

// A slider says where it stands, and shows what is there when it is let go.
for (const form of document.querySelectorAll("form[data-slider]")) {
  const slider = form.querySelector("input[type=range]");
  const output = form.querySelector("output");
  slider.addEventListener("input", () => { output.textContent = slider.value; });
  if (form.hasAttribute("action")) slider.addEventListener("change", () => form.requestSubmit());
}

// A file is read into the field that takes its text.
for (const file of document.querySelectorAll("input[type=file][data-into]")) {
  file.closest("[data-file]").hidden = false;
  file.addEventListener("change", async () => {
    document.getElementById(file.dataset.into).value = await file.files[0].text();
  });
}

// j and k go through the rows; a letter on a button presses it.
const rows = [...document.querySelectorAll("[data-keys] tbody a")];
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.("input, textarea, select")) return;
  if (event.key === "j" || event.key === "k") {
    const now = rows.indexOf(document.activeElement);
    const next = Math.min(Math.max(now + (event.key === "j" ? 1 : -1), 0), rows.length - 1);
    rows[next]?.focus();
    return;
  }
  document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.focus();
});

// What others do is shown at once, unless something is typed: then it is said.
const watched = document.querySelector("[data-live]");
if (watched) {
  let lastPosition;
  const feed = new EventSource("/live?" + watched.dataset.live);
  // What is being sent is answered with a page of its own.
  document.addEventListener("submit", () => feed.close());
  feed.onmessage = (message) => {
    if (!message.data || message.lastEventId === lastPosition) return;
    lastPosition = message.lastEventId;
    if (!hasTyped()) {
      const here = new URL(location.href);
      here.searchParams.delete("done");
      here.hash = "";
      location.replace(here);
      return;
    }
    document.querySelector("[data-moved]")?.removeAttribute("hidden");
  };
}
