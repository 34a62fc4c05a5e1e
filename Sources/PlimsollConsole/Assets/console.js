// What pages cannot do alone: keyboard, drafts, and noticing what others do. Nothing here is needed.

// What came as the answer to a form has in it what was typed.
const hasTyped = () => document.querySelector("details[open], [data-posted]") !== null
  || [...document.querySelectorAll("textarea, input:not([type=hidden])")]
    .some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);

// Only pages of this service are read so, and what is written in them was escaped there.
const policy = globalThis.trustedTypes?.createPolicy("plimsoll", { createHTML: (text) => text });
const parsed = (text) => new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html");

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

// What is typed outlives a reload, in its own tab, until it was sent and taken.
const sent = sessionStorage.getItem("sent");
sessionStorage.removeItem("sent");
if (sent && !document.querySelector("[role=alert]") && !document.body.matches(".plain")) {
  sessionStorage.removeItem(sent);
}
for (const form of document.querySelectorAll("form[data-draft]")) {
  const name = "draft " + form.dataset.draft;
  const fields = [...form.elements].filter((field) => field.name && !field.name.startsWith("_")
    && field.matches("textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=file])"));
  const kept = JSON.parse(sessionStorage.getItem(name) ?? "{}");
  // What the service has shown again is newer than what is kept.
  const isPosted = document.querySelector("[data-posted]") !== null;
  let isRestored = false;
  for (const field of isPosted ? [] : fields) {
    if (!(field.name in kept) || field.value !== field.defaultValue || field.value === kept[field.name]) continue;
    field.value = kept[field.name];
    isRestored = true;
    const closed = field.closest("details");
    if (closed) closed.open = true;
  }
  if (isRestored && form.dataset.restored) {
    const note = document.createElement("p");
    note.className = "banner";
    note.setAttribute("role", "status");
    note.textContent = form.dataset.restored;
    form.before(note);
  }
  form.addEventListener("input", () => {
    for (const field of fields) {
      if (field.value !== field.defaultValue || (isPosted && field.name in kept)) {
        kept[field.name] = field.value;
      } else {
        delete kept[field.name];
      }
    }
    sessionStorage.setItem(name, JSON.stringify(kept));
  });
  form.addEventListener("submit", (event) => {
    if (!["look", "show"].includes(event.submitter?.name)) sessionStorage.setItem("sent", name);
  });
}

// Who signs out leaves nothing behind.
document.querySelector("form.out")?.addEventListener("submit", () => sessionStorage.clear());

// What is there now, unless somebody has typed something.
const showAnew = () => {
  if (hasTyped()) return false;
  const here = new URL(location.href);
  here.searchParams.delete("done");
  here.hash = "";
  location.replace(here);
  return true;
};

// A service that is away is missed within seconds; the page stays as it is until it is there again.
const reached = () => fetch(document.querySelector("link[rel=icon]").href, {
  cache: "no-store", signal: AbortSignal.timeout(5000),
}).then((answer) => answer.ok, () => false);
const away = document.querySelector("[data-away]");
const returned = new EventTarget();
let returning;
const waitForReturn = () => {
  away.hidden = false;
  returning ??= setInterval(async () => {
    if (!returning || !(await reached())) return;
    clearInterval(returning);
    returning = undefined;
    away.hidden = true;
    if (!showAnew()) returned.dispatchEvent(new Event("return"));
  }, 1000);
};
if (away) {
  setInterval(async () => {
    if (!document.hidden && !returning && !(await reached())) waitForReturn();
  }, 3000);
  document.addEventListener("click", (event) => {
    if (returning && event.target.closest("a[href]")) event.preventDefault();
  }, { capture: true });
}

// What is sent once is not sent twice, and stays on the page while nobody could take it.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", async (event) => {
    if (!away || form.dataset.isReached) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.dataset.isSent) return;
    form.dataset.isSent = "yes";
    const isReached = await reached();
    delete form.dataset.isSent;
    if (!isReached) { waitForReturn(); return; }
    form.dataset.isReached = "yes";
    form.requestSubmit(event.submitter);
    form.dataset.isSent = "yes";
    delete form.dataset.isReached;
  }, { capture: true });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[method=post]")) delete form.dataset.isSent;
});

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

// A document fills in a form: what an address may prefill, by the same names.
for (const place of document.querySelectorAll("[data-prefill]")) {
  const form = place.closest("form");
  const beside = /^(title|reason|at|until|zone|incident|operations)$/;
  const ofPlatform = /^(android|ios|jvm|macos)\./;
  const refuse = (why, name) => {
    const note = document.createElement("p");
    note.className = "banner bad";
    note.setAttribute("role", "alert");
    note.textContent = place.dataset[why].replace("{field}", () => name?.slice(0, 80));
    form.previousElementSibling?.matches(".banner.bad") && form.previousElementSibling.remove();
    form.before(note);
    note.scrollIntoView({ block: "nearest" });
  };
  const fill = async (file) => {
    if (file.size > 64 * 1024) return refuse("large");
    let values;
    try { values = JSON.parse(await file.text()); } catch { return refuse("unreadable"); }
    if (values === null || typeof values !== "object" || Array.isArray(values)) return refuse("unreadable");
    const pairs = Object.entries(values);
    if (pairs.length === 0) return refuse("unreadable");
    for (const [name, value] of pairs) {
      if (!beside.test(name) && !ofPlatform.test(name)) return refuse("unknown", name);
      const isGood = typeof value === "string" || typeof value === "number"
        || (name === "operations" && Array.isArray(value));
      if (!isGood) return refuse("wrong", name);
    }
    for (const [name, value] of pairs) {
      let field = form.elements.namedItem(name);
      if (!field) {
        field = document.createElement("input");
        Object.assign(field, { type: "hidden", name });
        form.append(field);
      }
      field.value = typeof value === "object" ? JSON.stringify(value) : value;
    }
    form.dispatchEvent(new Event("input"));
    form.requestSubmit(form.querySelector("[name=show][aria-current]"));
  };
  place.hidden = false;
  const chosen = place.querySelector("input[type=file]");
  chosen.addEventListener("change", () => { if (chosen.files[0]) fill(chosen.files[0]); });
  // Beside the form too: a browser would go to the file, and away from what was typed.
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files[0]) return;
    event.preventDefault();
    fill(event.dataTransfer.files[0]);
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
  let isLeaving = false;
  const moved = () => {
    if (isLeaving || showAnew()) return;
    document.querySelector("[data-moved]")?.removeAttribute("hidden");
  };
  let feed;
  const follow = () => {
    feed = new EventSource("/live?" + watched.dataset.live);
    feed.onmessage = (message) => {
      if (!message.data || message.lastEventId === lastPosition) return;
      lastPosition = message.lastEventId;
      moved();
    };
  };
  follow();
  // A service that was just starting may have turned the reader away for good.
  returned.addEventListener("return", () => {
    if (feed.readyState === EventSource.CLOSED && !isLeaving) follow();
  });
  // Who is on their way to another page, or sends something, is not called back.
  const stop = () => { isLeaving = true; feed.close(); };
  document.addEventListener("submit", stop);
  addEventListener("beforeunload", stop);
}

// What would come of a form is shown while it is typed: the page that "Check it" would lead to says so.
for (const form of document.querySelectorAll("form[data-check]")) {
  const outcome = form.querySelector("#check");
  let waiting;
  let asked = 0;
  const check = async () => {
    const mine = ++asked;
    const fields = new URLSearchParams(new FormData(form));
    fields.set("look", "yes");
    const answer = await fetch(form.action, { method: "POST", body: fields, redirect: "error" }).catch(() => null);
    if (!answer || mine !== asked) return;
    const text = await answer.text();
    const page = parsed(text);
    const parts = page.querySelectorAll("main > .banner[role=alert], #check > *");
    outcome.replaceChildren(...[...parts].map((part) => document.importNode(part, true)));
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(check, 600); });
  form.addEventListener("submit", () => { clearTimeout(waiting); asked += 1; });
}

// How long a text is.
for (const field of document.querySelectorAll("textarea[data-count]")) {
  const shown = document.getElementById(`${field.id}-count`)?.querySelector("[data-length]");
  field.addEventListener("input", () => { if (shown) shown.textContent = [...field.value].length; });
}
