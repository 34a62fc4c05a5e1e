"""A real browser at the console: people, what they see, and what a page must never do."""

import contextlib
import json
import pathlib
import re
import time
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 900}
ZOOMED = {"width": 640, "height": 450}
AXE = Axe().axe_script
# In milliseconds, for each step of a busy machine.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)


@contextlib.contextmanager
def seen(page, size=WIDE, scheme="light"):
    """The page as it lies there, in a window of another size or in other colours."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    look = "[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light']"
    assert page.evaluate(look) == [*size.values(), scheme], "the window is not as it was asked for"
    yield
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")


class Browser:
    """Chromium, and all that its pages said which they should not."""

    def __init__(self, settings):
        self.settings = settings
        self.url = settings["url"]
        self.tokens = settings["tokens"]
        self.shots = pathlib.Path(settings["shots"])
        self.shots.mkdir(parents=True, exist_ok=True)
        self.faults = []

    @contextlib.contextmanager
    def opened(self):
        with sync_playwright() as playwright:
            self.chromium = playwright.chromium.launch(
                executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
            )
            yield self
            self.chromium.close()
        if self.faults:
            raise AssertionError("\n".join(self.faults))

    def window(self, size=WIDE, scripts=True, scheme="light", language="en", base=None, **options):
        """A window of its own, with its own cookies."""
        base = base or self.url
        context = self.chromium.new_context(
            base_url=base,
            viewport=size,
            java_script_enabled=scripts,
            color_scheme=scheme,
            locale=language,
            **options,
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.notice(request, base))
        return page

    def hear(self, message):
        """The policy of what a page may load says where it was broken."""
        if re.search(r"Content.Security.Policy|Trusted.?Type|TrustedHTML", message.text):
            self.faults.append(f"policy: {message.text}")

    def notice(self, request, base):
        if not request.url.startswith((base, "data:", "about:")):
            self.faults.append(f"foreign: {request.url}")

    def sign_in(self, page, name):
        page.goto("/sign-in")
        self.enter(page, name)
        expect(page.get_by_role("heading", level=1)).to_have_text("Overview")

    def enter(self, page, name):
        page.get_by_label("Access token").fill(self.tokens[name])
        page.get_by_role("button", name="Sign in").click()

    def signed_in(self, name, **options):
        page = self.window(**options)
        self.sign_in(page, name)
        return page

    def signed_in_german(self, name):
        page = self.window(language="de")
        page.goto("/sign-in")
        page.get_by_label("Zugriffstoken").fill(self.tokens[name])
        page.get_by_role("button", name="Anmelden").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Übersicht")
        return page

    def admit(self, name, role):
        """Has an administrator let somebody in, who has the role for all apps."""
        body = {"name": name, "roles": [{"role": role}]}
        answer = ask(f"{self.url}/v1/tokens", self.tokens["admin"], method="POST", body=body)
        self.tokens[name] = answer["token"]

    def revoke(self, name):
        """Has an administrator revoke somebody's token, and waits for that."""
        url = f"{self.url}/v1/me"
        token = ask(url, self.tokens[name])["token"]
        ask(f"{self.url}/v1/tokens/{token}", self.tokens["admin"], method="DELETE")

    def end_sessions(self, name):
        """Ends all that somebody is signed in with."""
        for session in ask(f"{self.url}/v1/sessions", self.tokens[name])["sessions"]:
            ask(f"{self.url}/v1/sessions/{session['id']}", self.tokens[name], method="DELETE")

    def govern(self, rules):
        """Has an administrator put a policy into force for the app."""
        url = f"{self.url}/v1/apps/harbour/policy"
        ask(url, self.tokens["admin"], method="PUT", body={"rules": rules})

    def propose(self, name, operations):
        """Has somebody propose edits of the app without the console, and answers the change's number."""
        app = f"{self.url}/v1/apps/harbour"
        base = ask(app, self.tokens[name])["position"]
        body = {"title": "Proposed elsewhere", "base": base, "operations": operations}
        return ask(f"{app}/changes", self.tokens[name], method="POST", body=body)["id"]

    def wait_for(self, what, state):
        """Has whoever runs this bring something into a state, by files between the two."""
        wish = self.shots / f"{what}.wish"
        wish.write_text(state)
        deadline = time.monotonic() + 60
        while wish.exists():
            assert time.monotonic() < deadline, f"nobody made the {what} {state}"
            time.sleep(0.05)

    def shoot(self, page, name):
        page.screenshot(path=self.shots / f"{name}.png", full_page=True)

    def first_paint(self, page):
        """When something was first to be seen, in milliseconds after the page was asked for."""
        return page.evaluate(
            """new Promise((tell) => new PerformanceObserver((list) => {
                const paint = list.getEntriesByName("first-contentful-paint")[0];
                if (paint) tell(paint.startTime);
            }).observe({ type: "paint", buffered: true }))"""
        )

    def expect_accessible(self, page, what):
        """No finding of axe, and nothing wider than the window."""
        # Once for each page, however often it is looked at; and what is well is not told.
        if not page.evaluate("'run' in (globalThis.axe ?? {})"):
            page.evaluate(AXE)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((told) => told.violations)")
        for violation in found:
            places = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
            self.faults.append(f"{what}: {violation['id']}: {violation['help']}: {places}")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.faults.append(f"{what} is {wide} px wider than the window")


class TabOrder:
    """A page gone through with Tab alone, until all of it was reached."""

    # What can be pressed or filled in, each with how it looks without the focus. Of radio buttons one is
    # a stop, and arrows lead to the others.
    STOPS = """() => {
        document.activeElement?.blur();
        globalThis.lookOf = (element) => {
            const style = getComputedStyle(element);
            return [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow].join(" ");
        };
        const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
        globalThis.stops = new Map([...all].filter((element) => element.tabIndex >= 0 && !element.disabled
            && element.type !== "hidden" && element.checkVisibility({ visibilityProperty: true }))
            .map((element) => [element, lookOf(element)]));
        return stops.size;
    }"""
    STEP = """() => {
        const element = document.activeElement;
        if (!element || element === document.body) return {};
        const name = element.outerHTML.slice(0, 120);
        // A field for a time has parts.
        globalThis.same = element === globalThis.last ? globalThis.same + 1 : 0;
        globalThis.last = element;
        const before = stops.get(element);
        const isNew = stops.delete(element);
        for (const other of element.type === "radio" ? [...stops.keys()] : []) {
            if (other.type === "radio" && other.name === element.name) stops.delete(other);
        }
        const box = element.getBoundingClientRect();
        const isOutside = box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth;
        return {
            name, isOutside, isUnseen: isNew && lookOf(element) === before, isStuck: globalThis.same > 10,
            left: stops.size,
        };
    }"""

    def __init__(self, page):
        self.page = page

    def faults(self):
        count = self.page.evaluate(self.STOPS)
        # Where an address leads to a part of the page, Tab begins there and comes round.
        for _ in range(2 * count + 20):
            self.page.keyboard.press("Tab")
            step = self.page.evaluate(self.STEP)
            if step.get("isStuck"):
                yield f"Tab does not leave {step['name']}"
                return
            if step.get("isUnseen"):
                yield f"the focus is not seen on {step['name']}"
            if step.get("isOutside"):
                yield f"the focus is outside of the window on {step['name']}"
            if step.get("left") == 0:
                return
        names = "[...stops.keys()].map((element) => element.outerHTML.slice(0, 120))"
        for name in self.page.evaluate(names):
            yield f"Tab does not reach {name}"


class Keyboard:
    """Somebody without a mouse: Tab until what is wanted has the focus, which has to be seen."""

    def __init__(self, page):
        self.page = page

    def reach(self, locator, most=200):
        target = locator.element_handle()
        for _ in range(most):
            if self.page.evaluate("(element) => element === document.activeElement", target):
                outline = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", "the focus is not seen"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{locator} cannot be reached")

    def press(self, locator):
        self.reach(locator)
        self.page.keyboard.press("Enter")

    def type(self, locator, text):
        self.reach(locator)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, locator, label):
        self.reach(locator)
        self.page.keyboard.type(label)


class Pointer:
    """Somebody with a mouse."""

    def __init__(self, page):
        self.page = page

    def press(self, locator):
        locator.click()

    def type(self, locator, text):
        locator.fill(text)

    def choose(self, locator, label):
        locator.select_option(label=label)


def ask(url, token, method="GET", body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, method=method)
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", "application/json")
    answer = urllib.request.urlopen(request).read()
    return json.loads(answer) if answer else None


def settings_of(arguments):
    return json.loads(pathlib.Path(arguments[0]).read_text())
