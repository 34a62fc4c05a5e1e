"""What administrators, auditors and people who look after webhooks do at the console."""

import csv
import hashlib
import hmac
import base64
import http.server
import io
import json
import re
import threading
import time
import urllib.error
import urllib.request
import uuid

from acts import (
    button, expect_receipt, go, heading, propose, propose_here, register, scenario, version,
)
from browser import ask
from playwright.sync_api import expect


def block(page, below, reason):
    """Raises the minimum at once, as somebody who may act alone."""
    page.goto("/apps/harbour/block")
    page.get_by_label("Oldest version that still runs").fill(below)
    page.get_by_label("Reason").fill(reason)
    button(page, "Show what it does").click()
    button(page, "Block now").click()
    expect_receipt(page, reason)


# Policies.


@scenario
def a_policy_in_words(browser):
    """No policy comes into force whose difference was not read, and what it says then is what is asked."""
    otto, admin = browser.signed_in("otto"), browser.signed_in("admin")
    otto.goto("/apps/harbour/policy")
    written = otto.get_by_label("Policy, as JSON")
    before = written.input_value()
    rules = otto.get_by_role("region", name="Who has to agree to what")
    row = rules.get_by_role("row").filter(has_text="raiseMinimum")
    as_it_was = row.inner_text()

    button(otto, "Show what would differ").click()
    shown = otto.get_by_role("region", name="What would differ")
    expect(shown).to_contain_text("That says what is in force.")
    expect(button(otto, "Put exactly that into force")).to_have_count(0)

    written.fill("{")
    button(otto, "Show what would differ").click()
    expect(otto.get_by_role("alert")).to_be_visible()
    expect(written).to_have_value("{")

    policy = json.loads(before)
    policy["rules"]["raiseMinimum"]["approvals"] = [{"role": "approver", "count": 2}]
    written.fill(json.dumps(policy))
    otto.get_by_label("Reason").first.fill("Four eyes were too few")
    button(otto, "Show what would differ").click()
    line = shown.get_by_role("row").filter(has_text="raiseMinimum")
    expect(line.locator("del")).to_contain_text("1 approval")
    expect(line.locator("ins")).to_contain_text("2 approvals")
    expect(shown.get_by_role("row")).to_have_count(2)
    expect(row).to_contain_text("1 approval")
    assert row.inner_text() == as_it_was, "what was only looked at is in force"
    browser.shoot(otto, "policy-previewed")
    browser.expect_accessible(otto, "the difference of a policy")

    # Somebody was faster: what was read is no longer what would differ.
    admin.goto("/apps/harbour/policy")
    other = json.loads(before)
    other["rules"]["lowerMinimum"]["approvals"] = [{"role": "approver", "count": 2}]
    admin.get_by_label("Policy, as JSON").fill(json.dumps(other))
    button(admin, "Show what would differ").click()
    button(admin, "Put exactly that into force").click()
    expect(admin.get_by_text("The policy is in force.")).to_be_visible()
    button(otto, "Put exactly that into force").click()
    expect(otto.get_by_role("alert")).to_contain_text("The policy in force")
    expect(written).to_have_value(json.dumps(policy))

    button(otto, "Show what would differ").click()
    expect(shown.get_by_role("row").filter(has_text="lowerMinimum").locator("ins")).to_be_visible()
    button(otto, "Put exactly that into force").click()
    expect(otto.get_by_text("The policy is in force.")).to_be_visible()
    expect(row).to_contain_text("2 approvals")
    expect(otto.get_by_text("Four eyes were too few")).to_be_visible()
    two_of_three_approve(browser)

    otto.goto("/apps/harbour/policy")
    button(otto, "Follow the default policy again").click()
    expect(otto.get_by_text("The app follows the default policy.")).to_be_visible()
    expect(row).to_contain_text("1 approval")


def two_of_three_approve(browser):
    """Three may approve, any two of them have to: each of them sees what is missing, and who may give it."""
    alice, bob, dave, otto = (browser.signed_in(name) for name in ("alice", "bob", "dave", "otto"))
    number = propose(alice, "Two of three", version())
    approvals = alice.get_by_role("region", name="Approvals")
    expect(approvals).to_contain_text("0/2")
    for name in "bob", "dave", "otto":
        expect(approvals).to_contain_text(name)
    go(otto, f"/changes/{number}")
    button(otto, "Approve").click()
    expect(otto.get_by_text("Approved.", exact=True)).to_be_visible()
    expect(approvals).to_contain_text("1/2")
    expect(button(otto, "Approve")).to_have_count(0)
    for page in bob, dave:
        go(page, f"/changes/{number}")
        expect(button(page, "Approve")).to_be_visible()
    button(dave, "Approve").click()
    expect(dave.get_by_text("Approved.", exact=True)).to_be_visible()
    expect(alice.get_by_text("Applied", exact=True).first).to_be_visible()
    go(bob, f"/changes/{number}")
    expect(button(bob, "Approve")).to_have_count(0)


# Keys.


@scenario
def a_compromise_drill(browser):
    """What phones will see is shown before a key is given up, and is what they then see."""
    otto = browser.signed_in("otto")
    otto.goto("/keys")
    old = otto.get_by_role("row").filter(has_text="signs").get_by_role("link").first
    lost = old.inner_text()
    old.click()
    reason = otto.get_by_label("Reason").last
    reason.fill("A drill with one key")
    button(otto, "Drill: show what would happen").click()
    expect(otto.get_by_role("alert")).to_contain_text("only one that signs")

    otto.goto("/keys")
    otto.get_by_role("button", name="Add a key", exact=True).click()
    expect(otto.get_by_text("The key is added and published.")).to_be_visible()
    other = otto.url.split("/keys/")[1].split("?")[0]
    assert served(browser)[0] == lost, "a key that is only added signs"
    button(otto, "Activate").click()
    expect(otto.get_by_text("The key signs from now on.")).to_be_visible()

    otto.goto(f"/keys/{lost}")
    expect(otto.get_by_role("region", name="Without this key")).to_contain_text(other)
    reason.fill("A laptop is gone")
    button(otto, "Drill: show what would happen").click()
    told = otto.get_by_role("status").filter(has_text="nothing has been done")
    signers = told.get_by_role("listitem").filter(has_text="signed anew")
    expect(signers).to_contain_text(other)
    expect(signers).not_to_contain_text(lost)
    expect(told).to_contain_text("Apps that trust only this key keep their last document")
    address = f"/distribution/harbour/keys/{lost}/"
    expect(told).to_contain_text(address)
    browser.shoot(otto, "key-drilled")
    browser.expect_accessible(otto, "the drill of a key")
    watching = browser.signed_in("otto")
    watching.goto(f"/keys/{lost}")
    expect(watching.get_by_text("Everything that is published is signed with it.")).to_be_visible()
    assert status(browser, address + "availability-ios") == 200, "a drill did something"

    agreed = otto.get_by_role("region", name="Somebody else may have it").get_by_label("To agree")
    agreed.fill("harbor")
    button(otto, "Compromise the key, for good").click()
    expect(otto.get_by_role("alert")).to_contain_text("harbor")
    expect(reason).to_have_value("A laptop is gone")
    button(otto, "Drill: show what would happen").click()
    agreed.fill("harbour")
    button(otto, "Compromise the key, for good").click()
    expect(otto.get_by_text("The key is compromised")).to_be_visible()
    expect(otto.get_by_role("region", name="Its life")).to_contain_text("Compromised")
    eventually("what the drill said is so", lambda: (
        served(browser)[0] == other and status(browser, address + "availability-ios") == 404))


def served(browser):
    """Which key phones see, and the document."""
    url = browser.settings["publicURL"] + "/distribution/availability-ios"
    with urllib.request.urlopen(url) as answer:
        signature = answer.headers["x-amz-meta-signature"]
        return re.search('keyId="([^"]+)"', signature).group(1), answer.read()


def status(browser, path):
    try:
        return urllib.request.urlopen(browser.settings["publicURL"] + path).status
    except urllib.error.HTTPError as error:
        return error.code


def eventually(what, holds, seconds=30):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.05)


# Webhooks.


class Receiver:
    """A place that is told what happens, and remembers it; it answers what it is bidden to."""

    def __init__(self):
        receiver = self
        self.answer, self.taken = 200, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers.items()), body))
                self.send_response(receiver.answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def ids(self, text):
        """The ids under which messages came that say something."""
        return [names["webhook-id"] for names, body in self.taken if text.encode() in body]

    def expect_signed(self, secret):
        for names, body in self.taken:
            key = base64.b64decode(secret.removeprefix("whsec_"))
            signed = f"{names['webhook-id']}.{names['webhook-timestamp']}.".encode() + body
            code = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
            assert f"v1,{code}" in names["webhook-signature"].split(" "), "a message is not signed"

    def stop(self):
        self.server.shutdown()


@scenario
def a_webhook(browser):
    """Somebody is told what happens, sees whether it arrived, tries it, and has it sent once more."""
    otto, receiver = browser.signed_in("otto"), Receiver()
    otto.goto("/webhooks")
    otto.get_by_label("Address").fill("file:///etc/passwd")
    choose_app(otto)
    button(otto, "Register a webhook").click()
    expect(otto.get_by_role("alert")).to_be_visible()
    otto.get_by_label("Address").fill(receiver.url)
    button(otto, "Register a webhook").click()
    secret = otto.get_by_text(re.compile("^whsec_")).inner_text()
    otto.get_by_role("link", name="To the webhook").click()
    webhook = otto.url
    deliveries = otto.get_by_role("region", name="Deliveries")
    expect(deliveries).to_contain_text("Nothing was sent yet.")

    button(otto, "Send a test").click()
    expect(otto.get_by_text("The test arrived")).to_be_visible()
    receiver.expect_signed(secret)
    receiver.answer = 503
    button(otto, "Send a test").click()
    tested = otto.get_by_role("status").filter(has_text="The test did not arrive")
    expect(tested).to_contain_text("The receiver answered 503")
    receiver.answer = 200
    row = deliveries.get_by_role("row")
    expect(row.filter(has_text="Test").filter(has_text="arrived")).to_have_count(1)
    expect(row.filter(has_text="Test").filter(has_text="failed")).to_contain_text("503")

    wanted = version()
    block(browser.signed_in("rita"), wanted, "Told to a webhook")
    eventually("what happens arrives", lambda: receiver.ids("ThresholdSet"))
    first = receiver.ids("ThresholdSet")[0]
    line = row.filter(has_text=first)
    eventually("the delivery is listed", lambda: (otto.goto(webhook), line.count())[1] == 1)
    expect(line).to_contain_text("Event")
    event = line.get_by_role("link").inner_text()
    line.get_by_role("link").click()
    expect(otto.get_by_role("main")).to_contain_text(wanted)

    otto.goto(webhook)
    otto.get_by_label("From event").fill("nothing")
    button(otto, "Send once more").click()
    expect(otto.get_by_role("alert")).to_contain_text("nothing")
    otto.get_by_label("From event").fill(event)
    otto.get_by_label("Up to event").fill(event)
    button(otto, "Send once more").click()
    expect(otto.get_by_text("Those events are sent once more.")).to_be_visible()
    eventually("the event arrives again", lambda: len(receiver.ids("ThresholdSet")) == 2)
    assert set(receiver.ids("ThresholdSet")) == {first}, "a replay has another id"
    again = row.filter(has_text="Sent once more").filter(has_text=first)
    eventually("it is listed once more", lambda: (otto.goto(webhook), again.count())[1] == 1)
    receiver.expect_signed(secret)
    browser.shoot(otto, "webhook-replayed")
    browser.expect_accessible(otto, "a webhook with deliveries")
    receiver.stop()


def choose_app(page):
    page.get_by_label("App", exact=True).select_option("harbour")


# The record.


@scenario
def the_record(browser):
    """Two marks are compared, the slider shows the document of then, and each field says who wrote it."""
    rita, otto = browser.signed_in("rita"), browser.signed_in("otto")
    first, second = version(), version()
    block(rita, first, "The first of two")
    block(rita, second, "The second of two")

    otto.goto("/history?app=harbour")
    rows = otto.locator("main table tbody tr")
    # Keys are heard by a script, which runs behind the page; what is closed in a row is not gone through.
    otto.wait_for_load_state()
    for row in range(2):
        otto.keyboard.press("j")
        expect(rows.nth(row).get_by_role("link").first).to_be_focused()
    marks = [rows.filter(has_text=f"The {which} of two").first for which in ("first", "second")]
    marks[0].get_by_role("radio", name=re.compile("^Compare from")).check()
    marks[1].get_by_role("radio", name=re.compile("^Compare to")).check()
    events = [mark.get_by_role("radio").first.get_attribute("value").split(":")[1] for mark in marks]
    button(otto, "Compare").click()
    expect(heading(otto)).to_contain_text("Compare")
    sentences = otto.locator("ul.sentences")
    expect(sentences).to_have_text(re.compile(f"^\\s*iOS: Minimum app {first} → {second}\\s*$"))
    otto.get_by_role("link", name="The other way round").click()
    expect(sentences).to_contain_text(f"{second} → {first}")

    for scripts in True, False:
        page = browser.signed_in("otto", scripts=scripts)
        page.goto("/apps/harbour/documents/ios")
        field = page.get_by_role("row").filter(has=page.get_by_role("link", name="Minimum app", exact=True))
        expect(field).to_contain_text(second)
        expect(field).to_contain_text("rita")
        expect(field).to_contain_text("The second of two")
        if scripts:
            page.get_by_role("slider").fill(events[0])
        else:
            page.get_by_label("After event no.").fill(events[0])
            page.locator("form.filters").get_by_role("button", name="Show").click()
        expect(page).to_have_url(re.compile(f"event={events[0]}$"))
        expect(field).to_contain_text(first)
        expect(field).to_contain_text("The first of two")
        expect(page.get_by_role("slider")).to_have_value(events[0])
    browser.shoot(page, "document-of-then")

    expect_blame(otto)
    field = browser.signed_in("otto")
    field.goto("/apps/harbour/documents/ios")
    field.get_by_role("link", name="Minimum app", exact=True).click()
    writes = field.get_by_role("region", name="iOS: Minimum app").locator("tbody tr")
    expect(writes.nth(0)).to_contain_text(second)
    expect(writes.nth(1)).to_contain_text("The first of two")
    expect_exports(otto)


def expect_blame(page):
    """Of every field that is live it is said who wrote it, by which event, and where its history is."""
    page.goto("/apps/harbour/documents/ios")
    for summary in page.locator("main section details > summary").all():
        summary.click()
    lines = page.locator("main section table tbody tr")
    assert lines.count() > 4, "the document has hardly anything in it"
    for line in lines.all():
        expect(line.get_by_role("rowheader").get_by_role("link")).to_have_attribute(
            "href", re.compile("field=ios"))
        expect(line.get_by_role("link", name=re.compile("^Event [0-9]+$"))).to_be_visible()
        assert line.get_by_role("cell").last.inner_text().strip(), line.inner_text()


def expect_exports(page):
    """A file has as many rows as the page said, and as many as there are where it cannot say."""
    page.goto("/history?app=harbour&type=ThresholdSet&platform=ios")
    said = int(re.search("([0-9]+) rows?", page.locator("p:has(a[download])").inner_text()).group(1))
    assert said >= 2, "both blocks are events"
    for form in "CSV", "NDJSON":
        with page.expect_download() as download:
            page.get_by_role("link", name=form, exact=True).click()
        text = download.value.path().read_text()
        # The last row says how the file ends.
        if form == "CSV":
            *rows, end = csv.reader(io.StringIO(text))
            found = len(rows) - 1
            assert end[:2] == ["end", f"count={said}"], end
        else:
            found = sum("sentence" in json.loads(line) for line in text.splitlines())
        assert found == said, f"{form} has {found} rows, and the page said {said}"
    page.goto("/history")
    expect(page.locator("p:has(a[download])")).to_contain_text("every row that the filter finds")
    expect(page.get_by_role("link", name="More", exact=True)).to_be_visible()


# Edges.


@scenario
def other_edges(browser):
    """A receipt says how many other edges there are, names the one that lags, and when it does no more."""
    eventually("the edge reports", lambda: ask(
        browser.url + "/v1/edges", browser.tokens["rita"])["edges"] == 2)
    page = browser.signed_in("rita")
    block(page, version(), "Given by everybody")
    expect(page.get_by_text("1 other edge reports here, and does not lag.")).to_be_visible(timeout=30_000)
    browser.wait_for("edge", "frozen")
    block(page, version(), "Not given by the one that is frozen")
    expect(page.get_by_text("1 other edge reports here, and lags:")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("listitem").filter(has_text="north: sequence")).to_be_visible()
    event = page.get_by_role("definition").get_by_role("link").first
    event.focus()
    for _ in range(2):
        with page.expect_response(lambda answer: "/receipt?" in answer.url):
            pass
    expect(event).to_be_focused()
    browser.shoot(page, "receipt-lagging")
    browser.expect_accessible(page, "the receipt while an edge lags")
    browser.wait_for("edge", "awake")
    expect(page.get_by_text("1 other edge reports here, and does not lag.")).to_be_visible(timeout=60_000)


# People.


@scenario
def people_looked_after(browser):
    """A role is given and taken, and works and ends with that; a name is erased, and what was done stays."""
    admin = browser.signed_in("admin")
    admin.goto("/people")
    admin.get_by_label("Name", exact=True).fill("Kim")
    admin.get_by_label("Where").select_option("harbour")
    for role in "viewer", "proposer":
        admin.locator(f"[name=role][value={role}]").check()
    button(admin, "Issue a token").click()
    browser.tokens["kim"] = admin.get_by_text(re.compile("^plm_")).inner_text()
    admin.get_by_role("main").get_by_role("link", name="Kim").click()
    person = admin.url
    roles = admin.get_by_role("region", name="Roles")
    for role in "Viewer", "Proposer":
        expect(roles.get_by_role("row").filter(has_text=role)).to_contain_text("admin")

    kim = browser.signed_in("kim")
    number = propose(kim, "Proposed before the end", version())
    admin.get_by_label("Role", exact=True).select_option(label="Proposer, harbour")
    admin.get_by_label("Reason").first.fill("Moved on")
    button(admin, "Take the role away").click()
    expect(admin.get_by_text("They have the role no more.")).to_be_visible()
    expect(roles.get_by_role("rowheader", name="Proposer")).to_have_count(0)
    expect(roles.get_by_role("rowheader", name="Viewer")).to_have_count(1)
    kim.goto("/")
    expect(kim.get_by_role("link", name="Propose", exact=True)).to_have_count(0)
    kim.goto("/apps/harbour/propose")
    expect(button(kim, "Propose")).to_have_count(0)

    browser.expect_accessible(admin, "a person")
    erase = admin.locator("form[action$=erase-name]")
    erase.get_by_role("checkbox").check()
    button(erase, "Erase the name").click()
    expect(admin.get_by_text("The name is erased.")).to_be_visible()
    expect(admin.get_by_text("name erased", exact=True)).to_be_visible()
    id = person.split("/people/")[1].split("?")[0]
    for address in "/people", f"/changes/{number}", f"/history?actor={id}":
        admin.goto(address)
        expect(admin.get_by_role("main")).not_to_contain_text("Kim")
    expect(admin.get_by_role("main")).to_contain_text(f"Change {number} proposed")
    expect(admin.get_by_role("main")).to_contain_text(id[:8])


@scenario
def a_proof_asked_again(browser):
    """What is sensitive asks for the token again, for that very one, and then does what was typed."""
    otto, alice = browser.signed_in("otto"), browser.signed_in("alice")
    propose(alice, "Nothing sensitive", version())
    otto.goto("/people")
    otto.get_by_label("Name", exact=True).fill("Robin")
    otto.get_by_label("Where").select_option("harbour")
    otto.locator("[name=role][value=viewer]").check()
    button(otto, "Issue a token").click()
    for wrong in "plm_" + "0" * 64, browser.tokens["admin"], "":
        expect(heading(otto)).to_have_text("Show your token again")
        otto.get_by_label("Access token").fill(wrong)
        if not wrong:
            # The browser itself asks for something.
            button(otto, "Go on").click()
            continue
        # The answer before may say the same.
        with otto.expect_navigation():
            button(otto, "Go on").click()
        expect(otto.get_by_role("alert")).to_contain_text("not the token that you signed in with")
    browser.expect_accessible(otto, "the proof")
    browser.shoot(otto, "proof")
    looker = browser.signed_in("otto")
    looker.goto("/people")
    expect(looker.get_by_role("link", name="Robin")).to_have_count(0)
    otto.get_by_label("Access token").fill(browser.tokens["otto"])
    button(otto, "Go on").click()
    expect(otto.get_by_text(re.compile("^plm_"))).to_be_visible()
    expect(otto.get_by_role("main")).to_contain_text("Robin")
    assert browser.tokens["otto"] not in otto.content(), "the page has the token in it"
    looker.goto("/people")
    expect(looker.get_by_role("link", name="Robin")).to_have_count(1)


# What is not there.


@scenario
def nothing_of_that_name(browser):
    """A name that nothing has, and a filter that says nothing, lead to a page that says so."""
    page = browser.signed_in("otto")
    nobody = str(uuid.uuid4())
    for address in (
        "/apps/nothing/propose", "/apps/nothing/policy", "/apps/nothing/documents/ios", "/changes/99999",
        "/apps/harbour/documents/palmos", "/apps/nothing/rollback", "/apps/nothing/block",
        "/apps/nothing/freeze", "/apps/nothing/settings", "/apps/nothing/releases", "/apps/nothing/compare",
        "/apps/nothing/preview", "/apps/nothing/receipt", f"/people/{nobody}", f"/keys/{nobody}",
        f"/webhooks/{nobody}", "/people/nobody", "/changes/nothing", "/reviews/99999",
        "/apps/harbour/releases/ios/99.99", "/nothing", "/history?event=99999999",
        "/history?app=nothing", f"/history?actor={nobody}", "/changes?app=nothing", "/people?app=nothing",
        "/reviews?app=nothing", "/history?field=ios.nothing.value", "/history?change=99999",
    ):
        answer = page.goto(address)
        assert answer.status in (200, 400, 404, 422), f"{address}: {answer.status}"
        assert heading(page).inner_text(), address
        text = page.get_by_role("main").inner_text()
        assert not re.search(r"\bw\.[a-z]|[{}]", text), f"{address}: {text}"
        browser.expect_accessible(page, address)
        if "?" not in address:
            assert answer.status == 404, f"{address}: {answer.status}"
    for address in (
        "/changes?tab=&app=", "/people?app=", "/reviews?app=&tab=", "/log?event=",
        "/history?app=&type=&actor=&platform=&field=&change=&reason=&since=&until=&order=&correlation=",
        "/apps/harbour/preview?platform=&from=&to=&os=&app=&language=&store=&client=",
        "/apps/harbour/compare?from=&to=&fromEvent=&toEvent=", "/apps/harbour/rollback?to=&value=",
        "/apps/harbour/propose?platform=&from=", "/apps/harbour/documents/ios?event=",
    ):
        answer = page.goto(address)
        assert answer.status == 200, f"{address}: {answer.status}"


@scenario
def an_app_without_anything(browser):
    """An app of which nothing is published, and nothing measured, is on the overview with what to do next."""
    admin = browser.signed_in("admin")
    admin.goto("/apps/new")
    admin.get_by_label("Slug").fill("skiff")
    admin.get_by_label("Name", exact=True).fill("Skiff")
    admin.get_by_role("checkbox", name="iOS", exact=True).check()
    admin.locator("#languages").fill("en")
    admin.locator("#fallback").fill("en")
    button(admin, "Register it").click()
    expect(admin.get_by_text("The app is registered")).to_be_visible()
    for scripts in True, False:
        page = browser.signed_in("otto", scripts=scripts)
        section = page.get_by_role("region", name="Skiff")
        expect(section).to_be_visible()
        expect(section.get_by_role("link", name="Propose", exact=True).first).to_be_visible()
    browser.expect_accessible(admin, "the settings of a new app")
