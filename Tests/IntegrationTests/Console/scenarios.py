"""What people do at the console: `python3 scenarios.py SETTINGS SCENARIO`."""

import contextlib
import datetime
import http.server
import json
import pathlib
import re
import sys
import threading
import time
import unicodedata
import urllib.parse
import urllib.request
import uuid

import administration
from acts import (
    SCENARIOS, button, expect_receipt, go, heading, propose, propose_here, register, scenario, version,
)
from browser import (
    NARROW, WIDE, ZOOMED, Browser, Keyboard, Pointer, TabOrder, ask, seen, settings_of,
)
from playwright.sync_api import Error, expect

# The drill of docs/operating/night.md.


def night(browser, page, hand, below):
    """Blocks a version, rolls it back, and sees both published."""
    hand.press(page.get_by_role("link", name="Block a version"))
    expect(heading(page)).to_have_text("Block versions of Harbour")
    hand.type(page.get_by_label("Oldest version that still runs"), below)
    hand.type(page.get_by_label("Reason"), "3.1 loses bookings")
    hand.press(button(page, "Show what it does"))
    outlook = page.get_by_role("region", name="What it does")
    expect(outlook).to_contain_text(f"→ {below}")
    expect(page.get_by_role("heading", name="What it does")).to_be_in_viewport()
    expect(page.get_by_label("Reason")).to_have_value("3.1 loses bookings")
    hand.press(button(page, "Block now"))
    expect_receipt(page, "3.1 loses bookings")
    hand.press(page.get_by_role("link", name="To the overview"))
    expect(page.get_by_role("row", name=re.compile("^Minimum app")).first).to_contain_text(below)
    expect(page.get_by_text("Served here")).to_be_visible()

    hand.press(page.get_by_role("link", name="Roll back"))
    devices = page.get_by_role("region", name="What three devices show")
    expect(devices).to_contain_text("does not run")
    hand.type(page.get_by_label("Reason"), "The version is not in the store")
    hand.press(page.get_by_role("button", name=re.compile("^Roll .* back to event")))
    expect_receipt(page, "The version is not in the store")
    hand.press(page.get_by_role("link", name="To the overview"))
    expect(page.get_by_role("row", name=re.compile("^Minimum app")).first).not_to_contain_text(below)


@scenario
def night_with_a_mouse(browser):
    page = browser.signed_in("rita")
    night(browser, page, Pointer(page), version())


@scenario
def night_with_the_keyboard(browser):
    page = browser.signed_in("rita")
    night(browser, page, Keyboard(page), version())


@scenario
def night_on_a_phone(browser):
    page = browser.signed_in("rita", size=NARROW)
    night(browser, page, Pointer(page), version())


@scenario
def night_without_scripts(browser):
    page = browser.signed_in("rita", scripts=False)
    night(browser, page, Pointer(page), version())


@scenario
def an_emergency(browser):
    """Who may act alone sees what an emergency would do, before it is done, and is offered nothing else."""
    for scripts in True, False:
        page = browser.signed_in("rita", scripts=scripts)
        wanted = version()
        page.goto("/apps/harbour/propose?platform=ios")
        expect(button(page, "Propose")).to_have_count(0)
        page.locator("[name='ios.minimumApp.value']").fill(wanted)
        outcome = page.locator("#check")
        button(page, "Show what it does").click()
        expect(outcome).to_contain_text(f"→ {wanted}")
        expect(outcome).to_contain_text("Approver")
        browser.shoot(page, f"emergency-{'with' if scripts else 'without'}-scripts")
        page.get_by_label("Title", exact=True).fill("Bookings are lost")
        page.get_by_label("Reason").fill("3.1 loses bookings")
        page.get_by_label("Incident").fill("INC-731")
        button(page, "Apply at once as an emergency").click()
        expect_receipt(page, "3.1 loses bookings")


# Two people, two windows.


@scenario
def two_people(browser):
    alice, bob = browser.signed_in("alice"), browser.signed_in("bob")
    number = propose(alice, "Raise the floor", version())
    expect(alice.get_by_text("You proposed this change, so you cannot approve it.")).to_be_visible()
    expect(button(alice, "Approve")).to_have_count(0)
    old = browser.window(scripts=False)
    browser.sign_in(old, "bob")
    old.goto(f"/changes/{number}")

    go(bob, "/changes?tab=needsMe")
    bob.get_by_role("link", name="Raise the floor").first.click()
    bob.get_by_label("Comment").fill("Say it in German too")
    button(bob, "Request changes").click()
    expect(bob.get_by_text("Changes are requested.")).to_be_visible()
    expect(alice.get_by_text("Say it in German too")).to_be_visible()

    go(bob, f"/changes/{number}")

    # A busy machine may hold up one of three.
    waits = []
    while not waits or max(waits) >= 1 and len(waits) < 3:
        revised = version()
        alice.get_by_role("link", name="Revise").click()
        alice.locator("[name='ios.minimumApp.value']").fill(revised)
        button(alice, "Put the revision up").click()
        expect(alice.get_by_text("The revision is up.")).to_be_visible()
        saved = time.monotonic()
        expect(bob.get_by_role("list").filter(has_text=f"→ {revised}").first).to_be_visible()
        waits.append(time.monotonic() - saved)
    print(f"the other window shows a revision after {waits} s")
    late = [wait for wait in waits if wait >= 1]
    assert len(late) < 2, "the other window took more than a second for a revision"

    button(old, "Approve").click()
    expect(old.get_by_role("alert")).to_be_visible()
    expect(old.get_by_role("list").filter(has_text=f"→ {revised}").first).to_be_visible()
    button(old, "Approve").click()
    expect(old.get_by_text("Approved.", exact=True)).to_be_visible()
    expect(alice.get_by_text("Applied", exact=True).first).to_be_visible()


@scenario
def a_conflict(browser):
    alice, bob = browser.signed_in("alice"), browser.signed_in("bob")
    mine, theirs = version(), version()
    first = propose(alice, "One of two", mine)
    second = propose(alice, "Two of two", theirs)
    go(bob, f"/changes/{second}")
    button(bob, "Approve").click()
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()
    go(alice, f"/changes/{first}")
    expect(alice.get_by_text("in conflict").first).to_be_visible()
    alice.get_by_role("link", name="Revise").click()
    alice.get_by_label("Keep what the change says").check()
    button(alice, "Put the revision up").click()
    expect(alice.get_by_text("The revision is up.")).to_be_visible()
    expect(alice.get_by_text("in conflict")).to_have_count(0)
    go(bob, f"/changes/{first}")
    expect(bob.get_by_text(f"{theirs} → {mine}")).to_be_visible()
    button(bob, "Approve").click()
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()


@scenario
def two_of_three(browser):
    """A policy asks for two approvals: the page says in its words what is missing, and who may give it."""
    rule = {"approvals": [{"role": "approver", "count": 2}]}
    browser.govern({"raiseMinimum": rule})
    alice = browser.signed_in("alice")
    number = propose(alice, "Two have to agree", version())
    approvals = alice.get_by_role("region", name="Approvals")
    expect(approvals).to_contain_text("0/2")
    expect(approvals).to_contain_text("2 approvals by people in the role approver")
    expect(approvals).to_contain_text("bob")
    for name, left in ("bob", "1/2"), ("dave", None):
        page = browser.signed_in(name)
        page.goto(f"/changes/{number}")
        button(page, "Approve").click()
        expect(page.get_by_text("Approved.", exact=True)).to_be_visible()
        if left:
            expect(approvals).to_contain_text(left)
            expect(button(page, "Approve")).to_have_count(0)
    expect(alice.get_by_text("Applied", exact=True).first).to_be_visible()


@scenario
def more_approvers_than_are_named(browser):
    """Whoever may approve is offered it, also where a change does not name them among those who could."""
    names = [f"Approver {number}" for number in range(25)]
    for name in names:
        browser.admit(name, "approver")
    number = propose(browser.signed_in("alice"), "Anybody may agree", version())
    change = ask(f"{browser.url}/v1/changes/{number}", browser.tokens["admin"])
    named = {person["name"] for person in change["missing"][0]["couldGive"]}
    assert len(named) == 20, named
    page = browser.signed_in(next(name for name in names if name not in named))
    go(page, f"/changes/{number}")
    for act in "Request changes", "Reject":
        expect(button(page, act)).to_be_visible()
    button(page, "Approve").click()
    expect(page.get_by_text("Approved.", exact=True)).to_be_visible()


@scenario
def changes_found_again(browser):
    """The list of changes is narrowed to a state, and shown as it stood."""
    alice, bob, otto = (browser.signed_in(name) for name in ("alice", "bob", "otto"))
    number = propose(alice, "One that is rejected", version())
    propose(alice, "One that stays", version())
    go(bob, f"/changes/{number}")
    bob.get_by_label("Comment").fill("Not now")
    button(bob, "Reject").click()
    expect(bob.get_by_text("Rejected.", exact=True)).to_be_visible()
    otto.goto(f"/history?change={number}&order=oldest")
    event = otto.locator("main table tbody a[href*='event=']").first.inner_text()

    alice.goto("/changes?tab=all&app=harbour")
    rows = alice.locator("main table tbody tr")
    alice.get_by_label("State", exact=True).select_option(label="Rejected")
    button(alice, "Show").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("One that is rejected")
    result = alice.get_by_role("heading", name="Result")
    expect(result).to_be_focused()
    expect(result).to_be_in_viewport()
    alice.get_by_label("State", exact=True).select_option(label="Proposed")
    button(alice, "Show").click()
    expect(rows.filter(has_text="One that stays")).to_have_count(1)
    expect(rows.filter(has_text="One that is rejected")).to_have_count(0)
    moment = alice.get_by_label(re.compile("^As it stood"))
    moment.fill(event)
    button(alice, "Show").click()
    expect(rows.filter(has_text="One that is rejected")).to_contain_text("Proposed")
    expect(rows.filter(has_text="One that stays")).to_have_count(0)
    moment.fill("2001-01-01")
    button(alice, "Show").click()
    expect(alice.locator("main")).to_contain_text(re.compile("No change is like that|did not exist"))
    moment.fill("some day")
    button(alice, "Show").click()
    expect(alice.get_by_role("alert")).to_contain_text("some day")
    expect(moment).to_have_value("some day")
    browser.expect_accessible(alice, "the filters of changes")
    narrowed_to_people_and_platforms(browser, alice, rows)


def narrowed_to_people_and_platforms(browser, page, rows):
    """Filters are kept by the address, and what is not understood there is refused."""
    own = version()
    page.goto("/apps/harbour/propose?platform=android")
    propose_here(page, "One for Android", str(version.last), field="android.recommendedApp.value")
    propose(page, "One for iOS", own)
    page.goto("/changes?tab=open&app=harbour")
    page.get_by_label("Platform", exact=True).select_option(label="Android")
    button(page, "Show").click()
    expect(rows.filter(has_text="One for Android")).to_have_count(1)
    expect(rows.filter(has_text="One for iOS")).to_have_count(0)
    page.get_by_label("Author", exact=True).select_option(label="bob")
    button(page, "Show").click()
    expect(page.locator("main")).to_contain_text("No change is like that.")
    page.get_by_label("Author", exact=True).select_option(label="alice")
    page.get_by_label("Platform", exact=True).select_option(label="iOS")
    button(page, "Show").click()
    expect(rows.filter(has_text="One for iOS")).to_have_count(1)
    page.get_by_role("navigation", name="Which changes").get_by_role("link", name="Mine").click()
    expect(page.get_by_label("Platform", exact=True)).to_have_value("ios")
    expect(rows.filter(has_text="One for iOS")).to_have_count(1)
    expect(rows.filter(has_text="One for Android")).to_have_count(0)
    nobody = str(uuid.uuid4())
    for address, named in (
        ("tab=bogus", "bogus"), ("tab=open&state=applied", "applied"), ("author=alice", "alice"),
        (f"tab=mine&author={nobody}", nobody), ("platform=palm", "palm"), ("cursor=x", "x"),
    ):
        answer = page.goto(f"/changes?{address}")
        assert answer.status == 422, f"{address}: {answer.status}"
        expect(page.get_by_role("alert")).to_contain_text(named)
    for scheme in "light", "dark":
        narrow = browser.signed_in("alice", size=NARROW, scheme=scheme)
        narrow.goto("/changes?tab=all&app=harbour&platform=ios")
        browser.expect_accessible(narrow, f"the filters of changes on a narrow screen, {scheme}")
        browser.shoot(narrow, f"changes-filtered-{scheme}")


@scenario
def a_form_that_was_altered(browser):
    """What binds a rollback to what was shown is refused where it is no number, and not left out."""
    page = browser.signed_in("rita")
    page.goto("/apps/harbour/block")
    page.get_by_label("Oldest version that still runs").fill(version())
    page.get_by_label("Reason").fill("To be rolled back")
    button(page, "Show what it does").click()
    button(page, "Block now").click()
    expect(heading(page)).to_have_text("Receipt")
    page.goto("/apps/harbour/rollback")
    page.get_by_label("Reason").fill("Altered")
    page.locator("[name=seen]").evaluate("field => { field.value = 'x' }")
    page.get_by_role("button", name=re.compile("^Roll .* back to event")).click()
    expect(page.get_by_role("alert").first).to_contain_text("x")
    expect(page.get_by_label("Reason")).to_have_value("Altered")


@scenario
def while_one_types(browser):
    """What would come of a form is shown while it is typed, and a reload loses nothing of it."""
    alice = browser.signed_in("alice")
    alice.goto("/apps/harbour/propose")
    typed = version()
    field = alice.locator("[name='ios.minimumApp.value']")
    field.fill(typed)
    outcome = alice.locator("#check")
    expect(outcome).to_contain_text(f"→ {typed}")
    expect(outcome).to_contain_text("approval")
    field.fill("no version")
    expect(outcome.get_by_role("alert")).to_contain_text("no version")
    field.fill(typed)
    alice.get_by_label("Title", exact=True).fill("Typed slowly")
    alice.reload()
    expect(field).to_have_value(typed)
    expect(alice.get_by_label("Title", exact=True)).to_have_value("Typed slowly")

    # A page that answered a form is sent the form again, as it was.
    button(alice, "Check it").click()
    expect(alice.locator("main[data-posted]")).to_have_count(1)
    alice.get_by_label("Reason").fill("Typed after the answer")
    alice.reload()
    expect(field).to_have_value(typed)
    expect(alice.get_by_label("Reason")).to_have_value("Typed after the answer")
    android = alice.locator("[name='android.minimumApp.value']")
    tabs = alice.get_by_role("navigation", name="Platforms")
    tabs.get_by_role("button", name="Android").click()
    live = android.input_value()
    android.fill(str(version.last))
    alice.goto("/apps/harbour/propose?platform=ios")
    expect(field).to_have_value(typed)
    tabs.get_by_role("button", name="Android").click()
    expect(android).to_have_value(str(version.last))
    android.fill(live)
    tabs.get_by_role("button", name="iOS").click()
    expect(field).to_have_value(typed)
    button(alice, "Propose").click()
    expect(heading(alice)).to_contain_text("Typed slowly")
    alice.goto("/apps/harbour/propose")
    expect(alice.get_by_label("Title", exact=True)).to_have_value("")


@scenario
def a_review(browser):
    """What was done alone is marked in the record, and found again when it was looked at."""
    rita, bob, otto = (browser.signed_in(name) for name in ("rita", "bob", "otto"))
    night(browser, rita, Pointer(rita), version())
    for address in (
        "/history?app=harbour", "/history?app=harbour&type=ThresholdSet&type=ChangeApplied",
    ):
        otto.goto(address)
        rows = otto.locator("main table tbody tr")
        expect(rows.filter(has_text="3.1 loses bookings").first).to_contain_text("emergency")
        expect(rows.filter(has_text="The version is not in the store").first).to_contain_text("rollback")
    bob.goto("/reviews")
    bob.locator("tbody tr").filter(has_text="3.1 loses bookings").get_by_role("link").first.click()
    bob.get_by_label("Comment").fill("It did")
    bob.get_by_role("button", name="It was right").click()
    for name in "bob", "alice", "rita":
        page = browser.signed_in(name)
        page.goto("/reviews")
        page.get_by_role("link", name="Closed", exact=True).click()
        line = page.locator("tbody tr").filter(has_text="3.1 loses bookings")
        expect(line).to_contain_text("bob")
        line.get_by_role("link").first.click()
        expect(page.get_by_text("It did")).to_be_visible()


@scenario
def a_preview(browser):
    """What a change moves is marked in words, on the phone that is looked at and in the table of all."""
    page = browser.signed_in("otto")
    older, newer = version(), version()
    for released in older, newer:
        register(page, released)
    page.goto("/apps/harbour/propose?platform=ios")
    text = page.locator("[name='ios.minimumApp.description.en']")
    page.locator("details").filter(has=text).locator("summary").click()
    text.fill("Nobody has read this before")
    number = propose_here(page, "Only the newest", newer)
    page.goto(f"/apps/harbour/preview?platform=ios&from=live&to=change:{number}"
              f"&os=17.0&app={older}&language=en")
    first, second = (page.locator("main .columns > section").nth(side) for side in (0, 1))
    expect(page.get_by_text("what is different there is marked")).to_be_visible()
    expect(first.get_by_text("different", exact=True)).to_have_count(0)
    # The verdict, the text, the reason and the offer; the title is still the app's own.
    expect(second.locator("p, h3").filter(has=page.get_by_text("different", exact=True))).to_have_count(4)
    expect(second.locator("h3")).not_to_contain_text("different")
    row = page.locator("table.matrix tr").filter(has=page.get_by_role("rowheader", name=older))
    expect(row.get_by_text(re.compile("runs → blocked")).first).to_be_visible()
    row = page.locator("table.matrix tr").filter(has=page.get_by_role("rowheader", name=newer))
    expect(row.get_by_text("→")).to_have_count(0)
    browser.shoot(page, "preview-compared")
    browser.expect_accessible(page, "the preview of two states")


@scenario
def a_form_filled_in(browser):
    """A release, an event and a file fill in a proposal; what is in none of its fields is refused."""
    page = browser.signed_in("otto")
    released = version()
    register(page, released)
    page.get_by_role("link", name=released).click()
    page.get_by_role("link", name="Propose as the minimum").click()
    field = page.locator("[name='ios.minimumApp.value']")
    expect(field).to_have_value(released)
    expect(page.get_by_label("Title", exact=True)).to_have_value(f"iOS: Minimum app: {released}")

    page.goto("/apps/harbour/block")
    page.get_by_label("Oldest version that still runs").fill(released)
    page.get_by_label("Reason").fill("To be proposed again")
    button(page, "Show what it does").click()
    button(page, "Block now").click()
    expect_receipt(page, "To be proposed again")
    page.goto("/history?app=harbour&field=ios.minimumApp.value")
    page.locator("main table tbody a").first.click()
    page.get_by_role("link", name="Propose what stood there before").click()
    expect(field).not_to_have_value(released)
    expect(page.get_by_text("Live:").first).to_contain_text(released)
    page.go_back()
    page.get_by_role("link", name="Propose what it wrote").click()
    expect(field).to_have_value(released)

    def fill_in(text):
        file = {"name": "proposal.json", "mimeType": "application/json", "buffer": text.encode()}
        page.get_by_label("Fill in from a file").set_input_files(file)

    page.goto("/apps/harbour/propose?platform=ios")
    for bad, why in BAD_FILES.items():
        page.goto("/apps/harbour/propose?platform=ios")
        fill_in(bad)
        expect(page.get_by_role("alert")).to_contain_text(why)
    wanted = version()
    fill_in(json.dumps({
        "title": HOSTILE[0], "ios.minimumApp.value": wanted,
        "android.minimumApp.value": version.last,
    }))
    expect(field).to_have_value(wanted)
    expect(page.get_by_label("Title", exact=True)).to_have_value(HOSTILE[0])
    expect(page.get_by_role("navigation", name="Platforms").get_by_role(
        "button", name="Android")).to_contain_text("typed")
    button(page, "Check it").click()
    expect(page.locator("#check")).to_contain_text(f"→ {version.last}")
    page.locator("[name='ios.minimumApp.value']").fill("\u202e3.2")
    button(page, "Check it").click()
    expect(page.get_by_role("alert").first).to_contain_text("iOS Minimum app")


BAD_FILES = {
    "no JSON": "no JSON object",
    "[]": "no JSON object",
    "null": "no JSON object",
    "{}": "no JSON object",
    '{"title": "' + "x" * 65_536 + '"}': "larger than 64 kB",
    '{"_form": "x"}': "_form” is no field",
    '{"digest": "x"}': "digest” is no field",
    '{"__proto__": "x"}': "__proto__” is no field",
    '{"<b>{field}</b>": "x"}': "<b>{field}</b>” is no field",
    '{"ios.minimumApp.value": {}}': "the value of ios.minimumApp.value is neither",
    '{"ios.minimumApp.value": null}': "the value of ios.minimumApp.value is neither",
    '{"title": true}': "the value of title is neither",
    '{"ios.minimumApp.valve": "3.2.0"}': "ios.minimumApp.valve” is no field",
    '{"macos.minimumApp.value": "3.2.0"}': "macOS: Minimum app” is no field",
    '{"ios.minimumApp.title.tlh": "nuqneH"}': "iOS: Minimum app: title (tlh)” is no field",
}


def drop(page, text, onto):
    """Drags a file from elsewhere onto a part of the page; answers whether the browser went to it."""
    return page.locator(onto).evaluate(
        """(target, text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "proposal.json", { type: "application/json" }));
            const send = (kind) => target.dispatchEvent(
                new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
            return [send("dragenter"), send("dragover"), send("drop")].slice(1).some(Boolean);
        }""",
        text,
    )


@scenario
def a_file_dropped(browser):
    """A file dropped on a proposal, or beside it, fills it in; what cannot be used is named, and changes nothing."""
    page = browser.signed_in("alice")
    title = page.get_by_label("Title", exact=True)
    page.goto("/apps/harbour/propose?platform=ios")
    title.fill("Typed by hand")
    for bad, why in BAD_FILES.items():
        page.goto("/apps/harbour/propose?platform=ios")
        assert not drop(page, bad, "main form[data-draft]"), "the browser goes to the file"
        expect(page.get_by_role("alert")).to_have_count(1)
        expect(page.get_by_role("alert")).to_contain_text(why)
        expect(title).to_have_value("Typed by hand")
    for place in "#title", "main form[data-draft]", "header.top":
        wanted, name = version(), f"Dropped on {place}"
        text = {"title": name, "reason": HOSTILE[0], "ios.minimumApp.value": wanted,
                "android.minimumApp.value": version.last}
        page.goto("/apps/harbour/propose?platform=ios")
        assert not drop(page, json.dumps(text), place), "the browser goes to the file"
        expect(page.get_by_role("navigation", name="Platforms").get_by_role(
            "button", name="Android")).to_contain_text("typed")
        expect(page.locator("[name='ios.minimumApp.value']")).to_have_value(wanted)
        expect(title).to_have_value(name)
        expect(page.get_by_label("Reason")).to_have_value(HOSTILE[0])
        expect(page.get_by_role("alert")).to_have_count(0)
    button(page, "Check it").click()
    expect(page.locator("#check")).to_contain_text(f"→ {wanted}")
    expect(page.locator("#check")).to_contain_text(f"→ {version.last}")
    button(page, "Propose").click()
    expect(heading(page)).to_contain_text(name)
    page.goto("/apps/harbour/propose?ios.minimumApp.valve=3.2.0")
    expect(page.get_by_role("alert")).to_contain_text("ios.minimumApp.valve” is no field")


def freeze(page):
    """Has whoever is signed in freeze the app, and leaves them where they may end it."""
    page.goto("/apps/harbour/freeze")
    page.get_by_label("Reason").first.fill("Nothing over the holidays")
    page.get_by_role("button", name="Freeze harbour").click()
    expect(page.get_by_role("button", name="End the freeze")).to_be_visible()


@scenario
def a_freeze(browser):
    """What is approved and held up is listed, with what it waits for."""
    alice, bob, rita = (browser.signed_in(name) for name in ("alice", "bob", "rita"))
    freeze(rita)
    number = propose(alice, "Held up", version())
    bob.goto(f"/changes/{number}")
    button(bob, "Approve").click()
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()
    for address in "/", "/changes?tab=scheduled":
        go(alice, address)
        line = alice.locator("li, tr").filter(has_text="Held up")
        expect(line).to_contain_text("Held up by the freeze of rita")
    alice.goto("/")
    browser.expect_accessible(alice, "the overview in a freeze")
    browser.shoot(alice, "overview-frozen")
    rita.goto("/apps/harbour/freeze")
    rita.get_by_role("button", name="End the freeze").click()
    expect(rita.get_by_role("button", name="Freeze harbour")).to_be_visible()
    alice.goto("/")
    expect(alice.locator("li").filter(has_text="Held up")).to_contain_text("waits for somebody to apply it")
    bob.goto(f"/changes/{number}")
    button(bob, "Apply now").click()
    expect(bob.get_by_text("Applied", exact=True).first).to_be_visible()
    alice.goto("/")
    expect(alice.get_by_text("Held up")).to_have_count(0)


@scenario
def a_suspended_change(browser):
    """What missed its time is listed with what kept it, and what brings it on its way again."""
    alice, bob, rita = (browser.signed_in(name) for name in ("alice", "bob", "rita"))
    day = datetime.date.today() + datetime.timedelta(days=7)
    alice.goto(f"/apps/harbour/propose?platform=ios&at={day}T09:00")
    number = propose_here(alice, "Planned for later", version())
    bob.goto(f"/changes/{number}")
    button(bob, "Approve").click()
    expect(bob.get_by_text("Scheduled", exact=True).first).to_be_visible()
    night(browser, rita, Pointer(rita), version())
    for address in "/", "/changes?tab=scheduled", f"/changes/{number}":
        go(alice, address)
        expect(alice.locator("main")).to_contain_text("were rolled back before it came due.")
        expect(alice.locator("main")).to_contain_text("then give it a time again")
    go(bob, f"/changes/{number}")
    expect(button(bob, "Reject")).to_be_visible()
    expect(button(bob, "Apply now")).to_have_count(0)
    german = browser.signed_in_german("alice")
    expect(german.locator("main")).to_contain_text("wurden vor ihrem Termin zurückgerollt.")
    browser.shoot(alice, "change-suspended")


@scenario
def a_time_taken_away(browser):
    """A revision says where a change loses its time, and does not keep it without a word."""
    alice = browser.signed_in("alice")
    day = datetime.date.today() + datetime.timedelta(days=7)
    alice.goto(f"/apps/harbour/propose?platform=ios&at={day}T09:00")
    number = propose_here(alice, "Planned for now", version())
    time_of_it = alice.locator("p.facts").filter(has_text="to be applied")
    expect(time_of_it).to_have_count(1)
    alice.get_by_role("link", name="Revise").click()
    alice.locator("#at").fill("")
    button(alice, "Put the revision up").click()
    expect(alice.get_by_role("alert").first).to_contain_text("Change its time")
    go(alice, f"/changes/{number}")
    expect(time_of_it).to_have_count(1)
    alice.get_by_text("Change its time", exact=True).click()
    alice.locator("#at").fill("")
    button(alice, "Set the time").click()
    expect(alice.get_by_text("The time is changed.")).to_be_visible()
    expect(time_of_it).to_have_count(0)


@scenario
def a_time_in_a_freeze(browser):
    """What came due in a freeze can be applied when that is over, and not before."""
    alice, bob, rita = (browser.signed_in(name) for name in ("alice", "bob", "rita"))
    freeze(rita)
    due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=60)
    alice.goto(f"/apps/harbour/propose?platform=ios&at={due:%Y-%m-%dT%H:%M:%SZ}")
    number = propose_here(alice, "Due in a freeze", version())
    go(bob, f"/changes/{number}")
    button(bob, "Approve").click()
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()

    def is_suspended():
        go(bob, f"/changes/{number}")
        return "It came due during a freeze." in bob.locator("main").inner_text()

    administration.eventually("the change is suspended", is_suspended, seconds=150)
    expect(button(bob, "Reject")).to_be_visible()
    expect(button(bob, "Apply now")).to_have_count(0)
    rita.goto("/apps/harbour/freeze")
    rita.get_by_role("button", name="End the freeze").click()
    expect(rita.get_by_role("button", name="Freeze harbour")).to_be_visible()
    go(bob, f"/changes/{number}")
    button(bob, "Apply now").click()
    expect(bob.get_by_text("Applied", exact=True).first).to_be_visible()


@scenario
def several_platforms(browser):
    """What was typed for one platform goes along to the next, and into one change."""
    for scripts in True, False:
        page = browser.signed_in("alice", scripts=scripts)
        page.goto("/apps/harbour/propose?platform=ios")
        ios, android = version(), str(version.last)
        title = f"Both of them, {'with' if scripts else 'without'} scripts"
        page.locator("[name='ios.minimumApp.value']").fill(ios)
        page.get_by_label("Title", exact=True).fill(title)
        tabs = page.get_by_role("navigation", name="Platforms")
        tabs.get_by_role("button", name="Android").click()
        expect(tabs.get_by_role("button", name="iOS")).to_contain_text("typed")
        expect(page.get_by_label("Title", exact=True)).to_have_value(title)
        page.locator("[name='android.minimumApp.value']").fill(android)
        tabs.get_by_role("button", name="iOS").click()
        expect(page.locator("[name='ios.minimumApp.value']")).to_have_value(ios)
        button(page, "Check it").click()
        expect(page.locator("#check")).to_contain_text(f"→ {ios}")
        expect(page.locator("#check")).to_contain_text(f"→ {android}")
        button(page, "Propose").click()
        expect(heading(page)).to_contain_text(title)
        effect = page.get_by_role("list").filter(has_text=f"→ {ios}").first
        expect(effect).to_contain_text(f"→ {android}")
        page.get_by_role("link", name="Revise").click()
        raised = version()
        page.locator("[name='android.minimumApp.value']").fill(str(version.last))
        page.get_by_role("button", name="Put the revision up").click()
        expect(page.get_by_text("The revision is up.")).to_be_visible()
        effect = page.get_by_role("list").filter(has_text=f"→ {ios}").first
        expect(effect).to_contain_text(f"→ {raised.split('.')[0]}")
    checked_on_a_phone(browser)


def checked_on_a_phone(browser):
    """What would come of a proposal is below its form, and whoever asks for it is led there."""
    page = browser.signed_in("alice", size=NARROW, scripts=False)
    page.goto("/apps/harbour/propose?platform=ios")
    page.locator("[name='ios.minimumApp.value']").fill(version())
    page.get_by_label("Title", exact=True).fill("Looked at on a phone")
    button(page, "Check it").click()
    expect(page.get_by_role("heading", name="What would come of it")).to_be_in_viewport()
    page.locator("[name='ios.minimumApp.value']").fill("no version")
    button(page, "Check it").click()
    expect(page.get_by_role("alert").first).to_be_in_viewport()


@scenario
def a_first_count(browser):
    """Devices that are counted while a page shows no count are seen before the change is approved."""
    alice = browser.signed_in("alice")
    number = propose(alice, "Looked at without a count", version())
    bob = browser.signed_in("bob", scripts=False)
    bob.goto(f"/changes/{number}")
    shares = f"{browser.url}/v1/apps/harbour/shares/ios"
    rows = {"rows": [{"app": "3.0.0", "devices": 70}]}
    ask(shares, browser.tokens["otto"], method="PUT", body=rows)
    button(bob, "Approve").click()
    expect(bob.get_by_role("alert")).to_contain_text("counted anew")
    button(bob, "Approve").click()
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()


@scenario
def a_text_in_another_language(browser):
    """A revision keeps a text in a language that is neither live nor required, and may rewrite it."""
    alice = browser.signed_in("alice")
    edits = {"platform": "ios", "threshold": "minimumApp"}
    number = browser.propose("alice", [
        edits | {"op": "setValue", "value": version()},
        edits | {"op": "setText", "part": "description", "language": "fr", "text": "Mettez à jour."},
    ])
    field = "[name='ios.minimumApp.description.fr']"
    effect = alice.get_by_role("region", name="What it does")
    go(alice, f"/changes/{number}")
    for text in "Mettez à jour.", "Une mise à jour suffit.":
        expect(effect).to_contain_text("Mettez à jour.")
        alice.get_by_role("link", name="Revise").click()
        expect(alice.locator(field)).to_have_value("Mettez à jour.")
        alice.locator(f"details:has({field}) > summary").click()
        alice.locator(field).fill(text)
        raised = version()
        alice.locator("[name='ios.minimumApp.value']").fill(raised)
        button(alice, "Put the revision up").click()
        expect(alice.get_by_text("The revision is up.")).to_be_visible()
        expect(effect).to_contain_text(raised)
        expect(effect).to_contain_text(text)


# Intruders.


@scenario
def intruders(browser):
    page = browser.signed_in("rita")
    cookie = next(c for c in page.context.cookies() if c["name"] == "__Host-plimsoll")
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict", cookie

    foreign = ForeignSite(browser.url + "/apps/harbour/block")
    stranger = browser.chromium.new_context().new_page()
    stranger.context.add_cookies([cookie])
    stranger.goto(foreign.url)
    with stranger.expect_navigation():
        stranger.get_by_role("button").click()
    expect(stranger.get_by_role("heading", level=1)).not_to_have_text("Receipt")
    stranger.goto(foreign.url + "frame")
    assert "Overview" not in stranger.frames[-1].content(), "the console stands in a frame"
    foreign.stop()

    kept = post_text(browser.url + "/changes/1/approve", {"digest": "x"}, site="cross-site")
    assert "digest" not in kept, "what another site sent is kept"
    status = post(browser.url + "/apps/harbour/block", cookie, {"below": "9.9", "reason": "x"})
    assert status == 403, f"a form without the key of the session: {status}"

    before = browser.window()
    before.context.add_cookies([cookie | {"value": cookie["value"][:-1] + "0"}])
    browser.sign_in(before, "bob")
    own = next(c for c in before.context.cookies() if c["name"] == "__Host-plimsoll")
    assert own["value"][:36] != cookie["value"][:36], "a session can be fixed beforehand"

    page.get_by_role("button", name="Sign out").click()
    expect(heading(page)).to_have_text("Sign in")
    thief = browser.window()
    thief.context.add_cookies([cookie])
    thief.goto("/changes")
    expect(heading(thief)).to_have_text("Sign in")


def post(url, cookie, fields):
    body = "&".join(f"{name}={value}" for name, value in fields.items()).encode()
    request = urllib.request.Request(url, body, method="POST")
    request.add_header("Cookie", f"{cookie['name']}={cookie['value']}")
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


def post_text(url, fields, site):
    request = urllib.request.Request(url, urllib.parse.urlencode(fields).encode(), method="POST")
    request.add_header("Sec-Fetch-Site", site)
    try:
        return urllib.request.urlopen(request).read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


class ForeignSite:
    """Another site, which sends a form of its own to the console, or shows it in a frame."""

    def __init__(self, target):
        pages = {
            "/": f"<form method=post action='{target}'><input name=below value=9.9>"
            "<input name=platform value=ios><input name=reason value=x><button>Win</button></form>",
            "/frame": f"<iframe src='{target.rsplit('/', 3)[0]}/'></iframe>",
        }

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(pages.get(self.path, "").encode())

            def log_message(self, *arguments):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()


# Every screen.


def pattern(address):
    """What kind of page an address leads to: numbers and ids stand for all of their kind."""
    path, _, query = address.partition("?")
    path = re.sub(r"/(\d+|[0-9a-f-]{36}|[0-9a-f]{64})(?=/|$)", "/N", path)
    names = sorted({pair.split("=")[0] for pair in query.split("&") if pair})
    return path + ("?" + "&".join(names) if names else "")


def crawl(page, beginning="/", statuses=(200,)):
    """Goes to every kind of page that a link leads to, and yields its name and address."""
    waiting, known = [beginning], {pattern(beginning)}
    while waiting:
        address = waiting.pop(0)
        answer = page.goto(address)
        assert answer.status in statuses, f"{address}: {answer.status}"
        name = re.sub(r"[^a-z0-9]+", "-", pattern(address).lower()).strip("-") or "overview"
        links = page.locator("main a[href^='/'], header a[href^='/']")
        for link in links.evaluate_all("links => links.map(link => link.getAttribute('href'))"):
            if pattern(link) not in known and "/export" not in link:
                known.add(pattern(link))
                waiting.append(link)
        yield name, address


def cells_without_labels(page, address):
    """Cells that a narrow window shows below one another; one of buttons alone says what it is for."""
    bare = page.locator("main table.rows td:not([data-label], [colspan]):visible")
    for text in bare.evaluate_all("cells => cells.map(cell => cell.innerText.trim())"):
        if text and not bare.filter(has=page.locator("button, input")).count():
            yield f"{address}: a cell without a label: {text[:60]}"


@scenario
def every_screen(browser):
    # Another session, so that the list of them has several rows.
    browser.signed_in("otto")
    page = browser.signed_in("otto")
    screens, paints = [], []
    for name, address in crawl(page):
        screens.append(name)
        paints.append((browser.first_paint(page), address))
        browser.shoot(page, f"{name}-light")
        browser.expect_accessible(page, f"{address} (light)")
        with seen(page, scheme="dark"):
            browser.shoot(page, f"{name}-dark")
            browser.expect_accessible(page, f"{address} (dark)")
        with seen(page, size=NARROW):
            browser.shoot(page, f"{name}-narrow")
            browser.expect_accessible(page, f"{address} (narrow)")
            browser.faults += cells_without_labels(page, address)
        with seen(page, size=ZOOMED):
            browser.expect_accessible(page, f"{address} (at 200 %)")
    print(f"{len(screens)} kinds of pages: {', '.join(screens)}")
    paints.sort()
    print("first contentful paint: half of them within %.0f ms" % paints[len(paints) // 2][0])
    print("the slowest: " + ", ".join("%s %.0f ms" % (address, at) for at, address in paints[-5:]))


@scenario
def every_screen_by_keyboard(browser):
    """Whatever can be pressed or filled in is reached with Tab, is seen to have the focus, and lets go of it."""
    otto = browser.signed_in("otto")
    register(otto, version())
    propose(otto, "Gone through by keyboard", version())
    for _, address in crawl(otto):
        for fault in TabOrder(otto).faults():
            browser.faults.append(f"{address}: {fault}")
    narrow = browser.signed_in("otto", size=NARROW)
    for address in "/", "/apps/harbour/propose", "/apps/harbour/preview", "/people":
        narrow.goto(address)
        for fault in TabOrder(narrow).faults():
            browser.faults.append(f"{address} (narrow): {fault}")


@scenario
def acts_by_keyboard(browser):
    """One act of each kind of form, without a mouse."""
    alice, bob, rita, otto = (browser.signed_in(name) for name in ("alice", "bob", "rita", "otto"))
    author, approver, responder, administrator = (Keyboard(page) for page in (alice, bob, rita, otto))

    alice.goto("/")
    author.press(alice.get_by_role("link", name="Propose", exact=True).first)
    wanted = version()
    author.type(alice.locator("[name='ios.minimumApp.value']"), wanted)
    author.type(alice.get_by_label("Title", exact=True), "By keyboard")
    author.type(alice.get_by_label("Reason"), "Nobody has a mouse")
    author.press(button(alice, "Propose"))
    expect(heading(alice)).to_contain_text("By keyboard")
    author.type(alice.get_by_label("Comment"), "Said by keyboard")
    author.press(button(alice, "Comment"))
    expect(alice.get_by_text("Your comment is there.")).to_be_visible()

    bob.goto("/sessions")
    bob.get_by_label("single letters are keys").uncheck()
    bob.goto("/changes")
    bob.wait_for_load_state()
    bob.keyboard.press("j")
    assert bob.evaluate("document.activeElement === document.body"), "a letter is a key though turned off"
    bob.goto("/sessions")
    bob.get_by_label("single letters are keys").check()
    bob.goto("/changes")
    bob.wait_for_load_state()
    bob.keyboard.press("j")
    bob.keyboard.press("Enter")
    expect(bob.get_by_text("Said by keyboard")).to_be_visible()
    # Keys are heard by a script, which runs behind the page.
    bob.wait_for_load_state()
    bob.keyboard.press("a")
    bob.keyboard.press("Enter")
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()
    expect(alice.get_by_text("Applied", exact=True).first).to_be_visible()

    rita.goto("/apps/harbour/freeze")
    responder.type(rita.get_by_label("Reason").first, "Frozen by keyboard")
    responder.press(rita.get_by_role("button", name="Freeze harbour"))
    expect(rita.get_by_text("Frozen by keyboard")).to_be_visible()
    responder.press(rita.get_by_role("button", name="End the freeze"))
    expect(rita.get_by_role("button", name="Freeze harbour")).to_be_visible()

    otto.goto("/apps/harbour/releases")
    released = version()
    if not otto.locator("#version").is_visible():
        administrator.press(otto.locator("details:has(#version) > summary"))
    administrator.choose(otto.locator("#platform"), "iOS")
    administrator.type(otto.locator("#version"), released)
    administrator.press(button(otto, "Register"))
    expect(otto.get_by_role("link", name=released)).to_be_visible()

    otto.goto("/people")
    administrator.type(otto.get_by_label("Name", exact=True), "Kim")
    administrator.choose(otto.locator("#scope"), "Harbour")
    administrator.reach(otto.locator("[name=role][value=viewer]"))
    otto.keyboard.press("Space")
    administrator.press(button(otto, "Issue a token"))
    expect(otto.get_by_text(re.compile("^plm_"))).to_be_visible()
    administrator.press(otto.get_by_role("main").get_by_role("link", name="Kim"))
    expect(heading(otto)).to_contain_text("Kim")
    otto.context.grant_permissions(["clipboard-write"])
    administrator.reach(otto.get_by_role("main").get_by_role("button", name="Copy").first)
    otto.keyboard.press("Space")
    expect(otto.get_by_role("status").filter(has_text="Copied.")).to_be_attached()

    otto.goto("/webhooks")
    administrator.type(otto.locator("#url"), "https://hooks.example.org/by-keyboard")
    administrator.press(button(otto, "Register a webhook"))
    expect(otto.get_by_text("https://hooks.example.org/by-keyboard").first).to_be_visible()


@scenario
def every_screen_in_german(browser):
    page = browser.signed_in_german("otto")
    for name, address in crawl(page):
        assert page.locator("html").get_attribute("lang") == "de", address
        browser.shoot(page, f"{name}-german")
    page.goto("/history")
    told = page.locator("main table tbody ul.events bdi, main table tbody td > bdi").all_inner_texts()
    assert len(told) > 100, "the record has hardly anything in it"
    english = re.compile(r"\b(published|registered|proposed|issued|added|is to be|planned|rewritten)\b")
    for sentence in told:
        assert not english.search(sentence), sentence
    page.goto("/apps/harbour/policy")
    asked = page.locator("main table th, main table td").all_inner_texts()
    assert len(asked) > 30, "the policy says hardly anything"
    english = re.compile(r"\b(needs|refuses|approval|The check|within|only|release)\b")
    for clause in asked:
        assert not english.search(clause), clause
    page.goto("/history?event=99999999")
    expect(page.get_by_role("alert")).to_contain_text("Es gibt kein Ereignis 99999999; das Protokoll geht von 1 bis")
    expect(page.get_by_role("alert")).to_contain_text("Sehen Sie im Verlauf nach")


@scenario
def what_is_not_offered(browser):
    """A page offers nobody what would be refused: its forms go where the person may send them."""
    own = {"/sign-out", "/sessions/N/end", "/people/N/tokens/N/revoke", "/people/N/revoke-key",
           "/reviews/N/close"}
    talk = {"/changes/N/comment"}
    facts = {
        "/apps/harbour/releases", "/apps/harbour/shares/ios", "/apps/harbour/shares/android",
        "/apps/harbour/releases/ios/V/amend", "/apps/harbour/releases/android/V/amend",
        "/apps/harbour/releases/ios/V/withdraw", "/apps/harbour/releases/android/V/withdraw",
    }
    acts = {
        "alice": own | talk | facts | {"/apps/harbour/propose", "/changes/N/schedule"},
        "bob": own | talk,
        "rita": own | talk | {
            "/apps/harbour/emergency", "/apps/harbour/block", "/apps/harbour/rollback",
            "/apps/harbour/freeze/start", "/apps/harbour/freeze/plan", "/keys/N/drill",
            "/freeze/start", "/freeze/plan",
        },
    }
    propose(browser.signed_in("alice"), "Looked at by all", version())
    for name, allowed in acts.items():
        page = browser.signed_in(name)
        offered = set()
        # Of the record, pages say to some that they may not read it.
        for _, address in crawl(page, statuses=(200, 403)):
            forms = page.locator("form[method=post]").evaluate_all(
                "forms => forms.map(form => form.getAttribute('action'))"
            )
            forms = {re.sub(r"/(\d+(\.\d+)+)(?=/)", "/V", pattern(action)) for action in forms}
            forms = {re.sub(r"(releases/\w+)/N/", r"\1/V/", action) for action in forms}
            assert forms <= allowed, f"{address} offers {name} {forms - allowed}"
            offered |= forms
        print(f"{name}: {', '.join(sorted(offered))}")


# Hostile content.

HOSTILE = [
    "<script>document.title='taken'</script>",
    "\"><img src=x onerror=\"document.title='taken'\">",
    "javascript:document.title='taken'",
    "{{title}} {{{title}}} {{>layout}} {{#apps}}x{{/apps}}",
    "</textarea></title><svg onload=document.title='taken'>",
    unicodedata.normalize("NFC", "a" + "\u0301" * 60),
    # One character with what is beside it, and markup all the same.
    "\u0d4e<meta http-equiv=refresh content=0;url=/taken>\u0d4e",
    "\"\u0301 onmouseover=document.title='taken' \"\u0301",
]


@scenario
def hostile_content(browser):
    alice = browser.signed_in("alice")
    for text in HOSTILE:
        reason = text + "\n" + "z" + "\u0335" * 3_000
        number = propose(alice, text, version(), reason)
        alice.goto(f"/changes/{number}")
        expect(heading(alice)).to_contain_text(text)
        alice.get_by_label("Comment").fill(text)
        button(alice, "Comment").click()
        expect(alice.get_by_text("Your comment is there.")).to_be_visible()
    stranger = browser.window(user_agent=HOSTILE[0])
    browser.sign_in(stranger, "alice")
    stranger.goto("/sessions")
    expect(stranger.get_by_text(HOSTILE[0]).first).to_be_visible()
    typed = browser.signed_in("alice")
    typed.goto("/apps/harbour/propose?title=" + urllib.parse.quote(HOSTILE[1]))
    expect(typed.get_by_label("Title", exact=True)).to_have_value(HOSTILE[1])
    typed.locator("[name='ios.minimumApp.value']").fill(HOSTILE[0])
    button(typed, "Propose").click()
    expect(typed.get_by_role("alert")).to_contain_text(HOSTILE[0])
    turned = "abc\u202egpj.exe"
    typed.locator("[name='ios.minimumApp.value']").fill(version())
    typed.get_by_label("Title", exact=True).fill(turned)
    button(typed, "Propose").click()
    expect(typed.get_by_role("alert")).to_be_visible()
    reader = browser.signed_in("otto")
    for _, address in crawl(reader):
        assert reader.title() != "taken", f"{address} ran what somebody wrote"


# The page for everybody, at the addresses that phones ask.


@scenario
def the_public_page(browser):
    """Whoever is curious sees what is live, runs nothing, gets no cookie, and can check it all."""
    public = browser.settings["publicURL"]
    alice, bob = browser.signed_in("alice"), browser.signed_in("bob")
    wanted = version()
    alice.goto("/apps/harbour/propose")
    alice.locator("[name='ios.minimumApp.value']").fill(wanted)
    text = HOSTILE[0] + " \u200f" + "z" + "\u0335" * 300 + "<\u0338b>"
    field = "[name='ios.minimumApp.description.en']"
    alice.locator(f"details:has({field}) > summary").click()
    alice.locator(field).fill(text)
    alice.get_by_label("Title", exact=True).fill("To be seen by everybody")
    alice.get_by_label("Reason").fill("Everybody may look")
    button(alice, "Propose").click()
    expect(heading(alice)).to_contain_text("To be seen by everybody")
    address = alice.url
    bob.goto(address)
    button(bob, "Approve").click()
    expect(bob.get_by_text("Approved.", exact=True)).to_be_visible()
    for kind, options in (
        ("light", {}), ("dark", {"scheme": "dark"}), ("narrow", {"size": NARROW}),
        ("without scripts", {"scripts": False}),
    ):
        page = browser.window(base=public, **options)
        live = page.get_by_role("region", name="iOS")
        deadline = time.monotonic() + 60
        while wanted not in go_public(page) and time.monotonic() < deadline:
            time.sleep(0.2)
        expect(live.get_by_role("heading", name="Minimum app version")).to_contain_text(wanted)
        expect(live).to_contain_text(HOSTILE[0])
        assert page.title() != "taken", "the page ran what somebody wrote"
        assert not page.context.cookies(), "the page left a cookie"
        if kind != "without scripts":
            browser.shoot(page, f"public-{kind}")
            browser.expect_accessible(page, f"the public page ({kind})")
        for link in page.get_by_role("link").all():
            found = page.request.get(link.get_attribute("href"))
            assert found.status == 200, f"{found.url}: {found.status}"


def go_public(page):
    answer = page.goto("/distribution/harbour/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return page.get_by_role("region", name="iOS").inner_text()


@scenario
def a_document_checked(browser):
    """The browser itself finds out whether a document is what was signed, and sends nothing for it."""
    page = browser.signed_in("otto")
    page.goto("/log")
    url = browser.settings["publicURL"] + "/distribution/harbour/availability-ios"
    with urllib.request.urlopen(url) as answer:
        body, headers = answer.read(), "\n".join(f"{name}: {text}" for name, text in answer.headers.items())
    spot = body.index(b'"') + 1
    altered = body[:spot] + bytes([body[spot] ^ 1]) + body[spot + 1:]
    stranger = re.sub('keyId="[^"]+"', 'keyId="df7b2162-a072-43e2-b289-22d06b1dd787"', headers)
    whole = b"HTTP/1.1 200 OK\r\n" + headers.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body
    page.on("request", lambda request: browser.faults.append(f"sent: {request.method} {request.url}")
            if request.method == "POST" else None)
    for file, lines, said in (
        (body, headers, "Genuine"), (altered, headers, "Not genuine"), (whole, "", "Genuine"),
        (body, "", "No signature"), (body, stranger, "does not know"),
        (body, re.sub('signature="[^"]+"', 'signature="!"', headers), "could not be read"),
    ):
        page.get_by_label("Document", exact=True).set_input_files(
            {"name": "document", "mimeType": "application/json", "buffer": file})
        page.get_by_label("Its headers").fill(lines)
        button(page, "Check it").click()
        expect(page.get_by_role("main").locator("output")).to_contain_text(said)
    for onto in "h1", "header.top":
        page.goto("/log")
        assert not drop(page, whole.decode(), onto), "the browser goes to the file"
        expect(page.get_by_role("main").locator("output")).to_contain_text("Genuine")
        assert not drop(page, body.decode(), onto), "the browser goes to the file"
        expect(page.get_by_role("main").locator("output")).to_contain_text("No signature")


@scenario
def shares_from_a_file(browser):
    """A table of devices is read into its form, and what cannot be a count is refused with what was brought."""
    page = browser.signed_in("otto")
    page.goto("/apps/harbour/releases")
    page.locator("details:has(#csv-ios) > summary").click()
    table = {"name": "week.csv", "mimeType": "text/csv", "buffer": b"app,devices\n3.0.0,70\n3.1.0,many\n"}
    page.locator("#file-ios").set_input_files(table)
    expect(page.locator("#csv-ios")).to_have_value(re.compile("3.1.0,many"))
    page.locator("form:has(#csv-ios) button").click()
    expect(page.get_by_role("alert")).to_contain_text("many")
    expect(page.locator("#csv-ios")).to_have_value(re.compile("3.1.0,many"))
    page.wait_for_load_state()
    page.locator("#file-ios").set_input_files(table | {"buffer": b"app,devices\n3.0.0,70\n3.1.0,30\n"})
    expect(page.locator("#csv-ios")).to_have_value(re.compile("3.1.0,30"))
    page.locator("form:has(#csv-ios) button").click()
    expect(page.get_by_text("The count is imported.")).to_be_visible()
    expect(page.get_by_text("100 devices were counted").first).to_be_visible()
    page.goto("/apps/harbour/preview?platform=ios&from=live")
    expect(page.get_by_role("region", name="Devices on which the app does not run")).to_be_visible()


# What goes away in the middle.


@scenario
def a_revoked_token(browser):
    """What was typed outlives the token that it was typed with."""
    page = browser.signed_in("carol")
    page.goto("/apps/harbour/propose")
    page.locator("[name='ios.minimumApp.value']").fill(version())
    page.get_by_label("Title", exact=True).fill("Typed before the end")
    browser.revoke("carol")
    button(page, "Propose").click()
    expect(heading(page)).to_have_text("Sign in")
    expect(page.get_by_text("What you typed is kept")).to_be_visible()
    page.get_by_label("Access token").fill("plm_" + "0" * 64)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("That is no valid token.")).to_be_visible()
    page.get_by_label("Access token").fill(browser.tokens["alice"])
    page.get_by_role("button", name="Sign in").click()
    button(page, "Send it now").click()
    expect(heading(page)).to_contain_text("Typed before the end")
    page.goto("/apps/harbour/propose")
    expect(page.get_by_label("Title", exact=True)).to_have_value("")
    expect(page.get_by_text("Restored: you had typed this here")).to_have_count(0)


@scenario
def a_look_in_between(browser):
    """Who only wanted to look when the session ended has done nothing by signing in and going on."""
    page = browser.signed_in("rita")
    page.goto("/apps/harbour/block")
    wanted = version()
    page.get_by_label("Oldest version that still runs").fill(wanted)
    page.get_by_label("Reason").fill("Only looking")
    ended = browser.signed_in("rita")
    ended.goto("/sessions")
    ended.get_by_role("row").filter(has_not_text="this one").get_by_role("button").first.click()
    expect(ended.get_by_text("Signed out.")).to_be_visible()
    button(page, "Show what it does").click()
    page.get_by_label("Access token").fill(browser.tokens["rita"])
    page.get_by_role("button", name="Sign in").click()
    button(page, "Send it now").click()
    expect(heading(page)).to_have_text("Block versions of Harbour")
    expect(page.get_by_role("region", name="What it does")).to_contain_text(f"→ {wanted}")
    page.goto("/")
    row = page.get_by_role("row", name=re.compile("^Minimum app")).first
    expect(row).not_to_contain_text(wanted)


@scenario
def an_ended_session(browser):
    """A page that shows what others do says that it shows nothing any more, and leads to the sign-in."""
    number = propose(browser.signed_in("alice"), "Looked at for long", version())
    page = browser.signed_in("dave")
    page.goto(f"/changes/{number}")
    page.get_by_label("Comment").fill("Half a comment")
    notice = page.get_by_text("Your session has ended")
    expect(notice).to_be_hidden()
    browser.end_sessions("dave")
    expect(notice).to_be_visible(timeout=60_000)
    expect(page.get_by_label("Comment")).to_have_value("Half a comment")
    address = page.url
    notice.get_by_role("link").click()
    expect(heading(page)).to_have_text("Sign in")
    browser.enter(page, "dave")
    expect(page).to_have_url(address)


@scenario
def nobody_there(browser):
    """A service that cannot be reached takes nothing away: the page says so, and goes on by itself."""
    page = browser.signed_in("alice")
    page.goto("/apps/harbour/propose")
    page.locator("[name='ios.minimumApp.value']").fill(version())
    page.get_by_label("Title", exact=True).fill("Typed while nobody was there")
    page.context.set_offline(True)
    notice = page.get_by_text("The service cannot be reached")
    button(page, "Propose").click()
    expect(notice).to_be_visible()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Typed while nobody was there")
    page.context.set_offline(False)
    expect(notice).to_be_hidden()
    button(page, "Propose").dblclick()
    expect(heading(page)).to_contain_text("Typed while nobody was there")
    page.goto("/changes?tab=mine")
    expect(page.get_by_role("link", name="Typed while nobody was there")).to_have_count(1)

    def stopped(route):
        # What a page asks on its way is answered.
        if route.request.is_navigation_request():
            route.fulfill(status=204)
        else:
            route.continue_()

    page.clock.install()
    page.goto("/apps/harbour/propose")
    page.locator("[name='ios.minimumApp.value']").fill(version())
    page.get_by_label("Title", exact=True).fill("Stopped and sent again")
    # The browser stays on its page, as when whoever sends it stops that.
    page.route("**/propose", stopped)
    with page.expect_response(lambda response: response.request.is_navigation_request()):
        button(page, "Propose").click()
    page.unroute("**/propose")
    page.clock.fast_forward(15_000)
    button(page, "Propose").click()
    expect(heading(page)).to_contain_text("Stopped and sent again")


@scenario
def an_outage(browser):
    """Without the database each page says so, keeps what was typed, and comes back by itself."""
    page, reader = browser.signed_in("alice"), browser.signed_in("bob")
    page.goto("/apps/harbour/propose")
    page.locator("[name='ios.minimumApp.value']").fill(version())
    page.get_by_label("Title", exact=True).fill("Typed in an outage")
    browser.wait_for("database", "away")
    reader.goto("/changes")
    expect(heading(reader)).to_have_text("The database cannot be reached")
    button(page, "Propose").click()
    expect(heading(page)).to_have_text("The database cannot be reached")
    expect(page.get_by_text("Typed in an outage")).to_be_visible()
    browser.wait_for("database", "back")
    expect(heading(reader)).to_have_text("Changes", timeout=60_000)

    def is_taken():
        with page.expect_navigation():
            button(page, "Send it again").click()
        return "Typed in an outage" in heading(page).inner_text()

    # What is written may be refused a moment longer than what is read.
    administration.eventually("what was typed is taken", is_taken)
    listed = browser.signed_in("alice")
    listed.goto("/changes?tab=mine")
    expect(listed.get_by_role("link", name="Typed in an outage")).to_have_count(1)


@scenario
def a_restart(browser):
    """A service that ended is missed by each page that is open, and what was typed waits for the next."""
    title = "Typed while the service ended"
    wanted = version()
    page, reader, other = (browser.signed_in(name) for name in ("alice", "bob", "rita"))
    page.goto("/apps/harbour/propose?platform=ios")
    page.locator("[name='ios.minimumApp.value']").fill(wanted)
    page.get_by_label("Title", exact=True).fill(title)
    reader.goto("/changes")
    other.goto("/apps/harbour/block")
    other.get_by_label("Platform", exact=True).select_option("android")
    other.get_by_label("Oldest version that still runs").fill(wanted)
    other.get_by_label("Reason").fill("Half a reason")
    entering, resuming = browser.window(), browser.signed_in("carol")
    asking = browser.signed_in("otto")
    asking.goto("/history?app=harbour")
    asking.get_by_label("Words in the reason").fill("a tide")
    entering.goto("/sign-in")
    resuming.goto("/apps/harbour/propose?platform=ios")
    resuming.get_by_label("Title", exact=True).fill(f"{title}, and the session too")
    resuming.locator("[name='ios.minimumApp.value']").fill(wanted)
    browser.end_sessions("carol")
    button(resuming, "Propose").click()
    browser.enter(resuming, "carol")
    expect(button(resuming, "Send it now")).to_be_visible()
    # Its script comes from the service too.
    resuming.wait_for_load_state()
    browser.wait_for("service", "away")
    button(asking, "Show").click()
    for window in page, reader, other, entering, resuming, asking:
        expect(away(window)).to_be_visible(timeout=30_000)
    button(page, "Propose").click()
    page.get_by_role("link", name="Overview", exact=True).first.click()
    expect(page.get_by_label("Title", exact=True)).to_have_value(title)
    page.get_by_label("Reason").fill("Typed while nobody was there")
    browser.shoot(page, "propose-without-service")
    browser.expect_accessible(page, "the form while the service is away")
    with contextlib.suppress(Error):
        other.reload()
    browser.wait_for("service", "back")

    for window in page, reader, entering, resuming, asking:
        expect(away(window)).to_be_hidden(timeout=40_000)
    expect(asking.get_by_label("Words in the reason")).to_have_value("a tide")
    button(asking, "Show").click()
    expect(asking).to_have_url(re.compile("reason=a\\+tide|reason=a%20tide"))
    for window, name in (page, "Propose a change"), (reader, "Changes"), (entering, "Sign in"):
        expect(heading(window)).to_contain_text(name)
    expect(resuming.get_by_text(f"{title}, and the session too")).to_be_visible()
    expect(button(resuming, "Send it now")).to_be_visible()
    other.goto("/apps/harbour/block")
    expect(other.get_by_label("Reason")).to_have_value("Half a reason")
    expect(other.get_by_label("Platform", exact=True)).to_have_value("android")
    expect(other.get_by_label("Oldest version that still runs")).to_have_value(wanted)
    page.reload()
    expect(page.locator("[name='ios.minimumApp.value']")).to_have_value(wanted)
    expect(page.get_by_label("Reason")).to_have_value("Typed while nobody was there")
    browser.end_sessions("alice")
    button(page, "Propose").click()
    browser.enter(page, "alice")
    button(page, "Send it now").click()
    expect(heading(page)).to_contain_text(title)
    reader.get_by_role("link", name="All", exact=True).click()
    reader.get_by_role("link", name=title).click()
    button(reader, "Approve").click()
    expect(reader.get_by_text("Approved.", exact=True)).to_be_visible()
    expect(page.get_by_text("Applied", exact=True).first).to_be_visible()
    go(page, "/changes?tab=all")
    expect(page.get_by_role("link", name=title)).to_have_count(1)


def away(page):
    return page.get_by_text("The service cannot be reached")


def main():
    settings = settings_of(sys.argv[1:])
    with Browser(settings).opened() as browser:
        SCENARIOS[sys.argv[2]](browser)


if __name__ == "__main__":
    main()
