// What pages cannot do alone: keyboard, drafts, and noticing what others do. Nothing here is needed.

// What came as the answer to a form has in it what was typed.
const hasTyped = () => document.querySelector("details[open], [data-posted]") !== null
  || [...document.querySelectorAll("textarea, select, input:not([type=hidden])")]
    .some((field) => valueOf(field) !== firstOf(field));
const isChoice = (field) => field.matches("[type=checkbox], [type=radio]");
const valueOf = (field) => isChoice(field) ? field.checked : field.value;
const firstOf = (field) => {
  if (isChoice(field)) return field.defaultChecked;
  if (!field.matches("select")) return field.defaultValue;
  return (field.querySelector("option[selected]") ?? field.options[0])?.value ?? "";
};

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

// Ids are copied with a click, and it is said that they are. Where nothing is encrypted nothing can be.
const copied = document.querySelector("[data-copied]");
for (const code of navigator.clipboard ? document.querySelectorAll("code.copy") : []) {
  code.tabIndex = 0;
  code.setAttribute("role", "button");
  code.setAttribute("aria-label", `${copied.dataset.copy} ${code.textContent}`);
  const copy = async () => {
    await navigator.clipboard.writeText(code.textContent);
    code.classList.add("copied");
    copied.textContent = copied.dataset.copied;
  };
  code.addEventListener("click", copy);
  code.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    copy();
  });
}

// What is typed outlives a reload, in its own tab, until it was sent and taken. What could not be taken
// yet is pending while plain pages follow, and is sent with the form that one of them brings it back in.
const sent = sessionStorage.getItem("sent");
sessionStorage.removeItem("sent");
if (document.body.matches(".plain")) {
  if (sent) sessionStorage.setItem("pending", sent);
  const pending = sessionStorage.getItem("pending");
  document.querySelector("form[data-resend]")?.addEventListener("submit", () => {
    if (pending) sessionStorage.setItem("sent", pending);
  });
} else {
  sessionStorage.removeItem("pending");
  if (sent && !document.querySelector("[role=alert]")) sessionStorage.removeItem(sent);
}
for (const form of document.querySelectorAll("form[data-draft]")) {
  const name = "draft " + form.dataset.draft;
  const fields = [...form.elements].filter((field) => field.name && !field.name.startsWith("_")
    && field.matches("textarea, select, input:not([type=hidden], [type=file])"));
  const keyOf = (field) => isChoice(field) ? `${field.name} ${field.value}` : field.name;
  const kept = JSON.parse(sessionStorage.getItem(name) ?? "{}");
  // What was sent and is shown again is newer than what is kept, but for a page that is loaded again.
  const isPosted = document.querySelector("[data-posted]") !== null;
  const isFirst = isPosted && performance.getEntriesByType("navigation")[0]?.type === "navigate";
  const shown = isFirst ? JSON.parse(sessionStorage.getItem("shown") ?? "[]") : [];
  let isRestored = false;
  for (const field of fields) {
    const value = kept[keyOf(field)];
    if (value === undefined || shown.includes(field.name)) continue;
    if (valueOf(field) !== firstOf(field) || valueOf(field) === value) continue;
    if (field.options && ![...field.options].some((option) => option.value === value)) continue;
    field[isChoice(field) ? "checked" : "value"] = value;
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
      const key = keyOf(field);
      if (valueOf(field) !== firstOf(field) || (isPosted && key in kept)) {
        kept[key] = valueOf(field);
      } else {
        delete kept[key];
      }
    }
    sessionStorage.setItem(name, JSON.stringify(kept));
  });
  form.addEventListener("submit", (event) => {
    sessionStorage.removeItem("pending");
    sessionStorage.setItem("shown", JSON.stringify([...form.elements].map((field) => field.name)));
    if (!["look", "show"].includes(event.submitter?.name)) sessionStorage.setItem("sent", name);
  });
}

// Who signs out leaves nothing behind.
document.querySelector("form.out")?.addEventListener("submit", () => sessionStorage.clear());

// What is there now, unless somebody has typed something or is sending it.
const showAnew = () => {
  if (hasTyped() || document.querySelector("[data-is-sent]")) return false;
  const here = new URL(location.href);
  here.searchParams.delete("done");
  here.hash = "";
  location.replace(here);
  return true;
};

// A service that is away is missed; the page stays as it is until it is there again.
const away = document.querySelector("[data-away]");
const ended = document.querySelector("[data-ended]");
const returned = new EventTarget();
const reached = () => fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(5000) })
  .then((answer) => answer.status < 500, () => false);
let isAway = false;
let seconds = 1;
let looking;
let nextLook;
const lookLater = (milliseconds) => {
  nextLook = setTimeout(() => { if (!document.hidden) look(); }, milliseconds);
};
const goOn = () => {
  isAway = false;
  away.hidden = true;
  lookLater(15_000);
  if (!showAnew()) returned.dispatchEvent(new Event("return"));
};
const lookOnce = async () => {
  clearTimeout(nextLook);
  const isReached = await reached();
  if (isReached) {
    seconds = 1;
    // Not all pages come back at the same moment.
    if (isAway) nextLook = setTimeout(goOn, 2000 * Math.random());
    else lookLater(15_000);
  } else {
    isAway = true;
    away.hidden = false;
    lookLater(seconds * (1000 + 500 * Math.random()));
    seconds = Math.min(2 * seconds, 15);
  }
  return isReached;
};
const look = () => looking ??= lookOnce().finally(() => { looking = undefined; });
lookLater(15_000);
addEventListener("offline", () => look());
addEventListener("online", () => look());
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });

// While it is away nobody is led to a page that says nothing.
const refuse = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
  away.scrollIntoView({ block: "nearest" });
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!isAway || !link || link.origin !== location.origin) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.hash && link.href.split("#")[0] === location.href.split("#")[0]) return;
  refuse(event);
}, { capture: true });

// This page as it is now; nothing where nobody looks at it, or the service is away.
const fetched = async () => document.hidden || isAway ? null
  : fetch(location.href).catch(() => { look(); return null; });

// A page that could not be made is made as soon as it can be.
if (document.querySelector("[data-again]")) {
  const again = async () => {
    const answer = await fetched();
    if (answer && answer.status !== 503) { location.reload(); return; }
    setTimeout(again, 5000);
  };
  setTimeout(again, 5000);
}

// What was ordered is shown as it is published.
const ordered = document.querySelector("[data-waiting]");
if (ordered) {
  let pause = 1;
  const ask = async () => {
    const answer = await fetched();
    if (answer) {
      const shown = parsed(await answer.text()).querySelector("[data-waiting]");
      if (!shown) { location.reload(); return; }
      // What has the focus keeps it, and what stays as it is is not read out again.
      const isKept = (old, part) => old.contains(document.activeElement) || old.textContent === part.textContent;
      [...ordered.children].forEach((old, at) => isKept(old, shown.children[at]) || old.replaceWith(document.importNode(shown.children[at], true)));
      pause = Math.min(2 * pause, 15);
    }
    setTimeout(ask, 1000 * pause);
  };
  setTimeout(ask, 1000);
}

// What is sent once is not sent twice, and what was typed stays on the page while nobody could take it.
for (const form of document.querySelectorAll("form[method]")) {
  form.addEventListener("submit", async (event) => {
    if (form.dataset.isReached) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.dataset.isSent && !form.dataset.mayBeSentAgain) return;
    form.dataset.isSent = "yes";
    delete form.dataset.mayBeSentAgain;
    const isReached = await look();
    delete form.dataset.isSent;
    if (!isReached) { away.scrollIntoView({ block: "nearest" }); return; }
    form.dataset.isReached = "yes";
    form.requestSubmit(event.submitter);
    form.dataset.isSent = "yes";
    delete form.dataset.isReached;
    // A browser may be stopped: then it can be sent again, which does nothing twice; but a secret is
    // shown once.
    if (!form.hasAttribute("data-once")) {
      setTimeout(() => { form.dataset.mayBeSentAgain = "yes"; }, 15_000);
    }
  }, { capture: true });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[method]")) {
    delete form.dataset.isSent;
    delete form.dataset.mayBeSentAgain;
  }
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

// j and k go through the rows, and a letter goes to its button, unless somebody turned that off: who
// speaks to a computer types letters without meaning to.
const areLettersOff = () => localStorage.getItem("letters") === "off";
const letters = document.querySelector("[data-letters]");
if (letters) {
  letters.closest("p").hidden = false;
  letters.checked = !areLettersOff();
  letters.addEventListener("change", () => {
    localStorage.setItem("letters", letters.checked ? "on" : "off");
  });
}
const rows = [...document.querySelectorAll("[data-keys] tbody tr:has(a)")];
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || areLettersOff()) return;
  if (event.target.matches?.("input, textarea, select")) return;
  if (event.key === "j" || event.key === "k") {
    const now = rows.findIndex((row) => row.contains(document.activeElement));
    const next = Math.min(Math.max(now + (event.key === "j" ? 1 : -1), 0), rows.length - 1);
    rows[next]?.querySelector("a").focus();
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
    feed.onerror = async () => {
      if (isAway || !(await look()) || isLeaving || feed.readyState !== EventSource.CLOSED) return;
      // It is turned away for good: because the session has ended, or by a service that just starts.
      const asking = new AbortController();
      const answer = await fetch(feed.url, { signal: asking.signal }).catch(() => null);
      asking.abort();
      if (answer?.status === 401) ended.hidden = false;
      else setTimeout(() => { if (!isLeaving && feed.readyState === EventSource.CLOSED) follow(); }, 5000);
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
  // It keeps the page that was about to be left.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isLeaving) return;
    isLeaving = false;
    follow();
  });
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
    if (!answer) look();
    if (answer?.status === 401) ended.hidden = false;
    if (!answer || answer.status === 401 || mine !== asked) return;
    const page = parsed(await answer.text());
    page.querySelectorAll("[id^=fault-]").forEach((fault) => fault.removeAttribute("id"));
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
