"""What people do at the console again and again, and the scenarios that tell of it."""

import re
import time

from playwright.sync_api import Error, expect

SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


def version():
    """One that was never live before, and above all that were."""
    version.last += 1
    return f"{version.last}.0"


version.last = int(time.time()) - 1_700_000_000


def heading(page):
    return page.get_by_role("heading", level=1)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def go(page, address):
    """Goes to a page, again where one that showed what others did was just being loaded anew."""
    try:
        page.goto(address, timeout=10_000)
    except Error as error:
        # What the page itself began to load may also just take the place of this.
        if "interrupted" not in error.message and "Timeout" not in error.message:
            raise
        page.goto(address)


def expect_receipt(page, reason):
    expect(heading(page)).to_have_text("Receipt")
    expect(page.get_by_text("Published and signed")).to_be_visible(timeout=30_000)
    ordered = re.search("sequence=([0-9]+)", page.url).group(1)
    served = page.get_by_text("This instance's edge gives sequence")
    expect(served).to_be_visible(timeout=30_000)
    assert int(re.search("sequence ([0-9]+)", served.inner_text()).group(1)) >= int(ordered)
    expect(page.get_by_text(reason)).to_be_visible()


def propose(page, title, version, reason="Because of the crash", field="ios.minimumApp.value"):
    page.goto("/apps/harbour/propose")
    return propose_here(page, title, version, reason, field)


def propose_here(page, title, version, reason="Because of the crash", field="ios.minimumApp.value"):
    page.locator(f"[name='{field}']").fill(version)
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Reason").fill(reason)
    button(page, "Propose").click()
    expect(heading(page)).to_contain_text(title)
    return re.search(r"/changes/(\d+)", page.url).group(1)


def register(page, version):
    page.goto("/apps/harbour/releases")
    if not page.locator("#version").is_visible():
        page.locator("details:has(#version) > summary").click()
    page.locator("#platform").select_option("ios")
    page.locator("#version").fill(version)
    button(page, "Register").click()
    expect(page.get_by_role("link", name=version)).to_be_visible()
