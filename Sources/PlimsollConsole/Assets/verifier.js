// Checks a document in the browser: what signed it, and that nothing in it was altered. The service is asked nothing.

const form = document.querySelector("[data-verifier]");
const answer = form.querySelector("output");

// The value of a header among lines as curl shows them.
const header = (text, name) => text.split(/\r?\n/)
  .map((line) => /^\s*([^:]+):\s*(.*?)\s*$/.exec(line))
  .find((parts) => parts?.[1].toLowerCase() === name)?.[2];

const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

// A number of a signature, at the length that WebCrypto wants: without the zero before it, with those in front.
const number = (der, at) => {
  const length = der[at + 1];
  const digits = der.slice(at + 2, at + 2 + length);
  const value = new Uint8Array(32);
  value.set(digits.slice(Math.max(0, length - 32)), Math.max(0, 32 - length));
  return { value, end: at + 2 + length };
};

// ECDSA signatures are DER in the header, and two numbers in WebCrypto.
const pair = (der) => {
  if (der[0] !== 0x30 || der[2] !== 0x02) throw new Error("no DER");
  const first = number(der, 2);
  const second = number(der, first.end);
  return new Uint8Array([...first.value, ...second.value]);
};

const trusted = (id) => [...form.querySelectorAll("[data-key]")].find((key) => key.dataset.key === id);

const imported = (pem) => crypto.subtle.importKey("spki",
  bytes(pem.replace(/-----[^-]+-----|\s/g, "")), { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);

// The header and body of a file that curl wrote with -i; the whole file is the body otherwise.
const opened = (whole) => {
  const text = new TextDecoder("latin1").decode(whole);
  const end = text.startsWith("HTTP/") ? text.indexOf("\r\n\r\n") : -1;
  return end < 0 ? { headers: "", body: whole } : { headers: text.slice(0, end), body: whole.slice(end + 4) };
};

const say = (kind, more = "") => {
  answer.className = "banner " + (kind === "good" ? "good" : "bad");
  answer.textContent = answer.dataset[kind] + " " + more;
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const file = form.querySelector("input[type=file]").files[0];
    const { headers, body } = opened(new Uint8Array(await file.arrayBuffer()));
    const lines = form.querySelector("textarea").value + "\n" + headers;
    const date = header(lines, "x-amz-meta-signature-date");
    const parts = /^keyId="([^"]+)",signature="([^"]+)"$/.exec(header(lines, "x-amz-meta-signature") ?? "");
    if (!date || !parts) return say("unsigned");
    const key = trusted(parts[1]);
    if (!key) return say("unknown", parts[1]);
    if (key.dataset.state === "compromised") return say("compromised", parts[1]);
    const signed = new Uint8Array([...new TextEncoder().encode(date + ":"), ...body]);
    const isValid = await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" },
      await imported(key.dataset.pem), pair(bytes(parts[2])), signed);
    say(isValid ? "good" : "altered", isValid ? parts[1] + ", " + date : "");
  } catch {
    say("unreadable");
  }
});

// A file dropped anywhere on the page is checked, and the browser stays.
document.addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  form.querySelector("input[type=file]").files = event.dataTransfer.files;
  form.requestSubmit();
});

form.hidden = false;
