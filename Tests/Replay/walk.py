"""The requests of scripts/replay: a walk through every route, and beside each step its bad twins."""
import json
import re
from datetime import datetime, timedelta, timezone

# Events after which a snapshot follows.
ORDERS = {
    "AppRegistered", "ChangeApplied", "RolledBack", "RenewalOrdered", "KeyActivated", "KeyRetired",
    "KeyCompromised", "ChangeEnded", "ReleaseRegistered", "ReleaseAmended", "ReleaseWithdrawn",
}
JSON = {"Content-Type": "application/json"}


class Request:
    """One request; `{{name}}` in path, fields and body stands for what an earlier answer said."""

    def __init__(self, method, path, by="admin", body=None, headers=None, keep=None, note=""):
        self.method, self.path, self.by, self.note = method, path, by, note
        self.body = written(body) if isinstance(body, (dict, list)) else body
        self.members = body if isinstance(body, dict) else None
        self.headers = dict(headers or {})
        if self.body is not None:
            self.headers = {**JSON, **self.headers}
        self.keep = keep or {}

    def but(self, note, **changes):
        fields = {
            "method": self.method, "path": self.path, "by": self.by, "headers": self.headers,
            "body": self.members if self.members is not None else self.body, **changes,
        }
        return Request(note=note, **fields)

    def __str__(self):
        return f"{self.method} {self.path} by {self.by}" + (f": {self.note}" if self.note else "")


def written(body):
    """JSON in which "{{number name}}" stands for a number."""
    return re.sub(r'"\{\{number ([^{}]+)\}\}"', r"{{\1}}", json.dumps(body))


def filled(text, names):
    def value(match):
        name = match[1]
        if name.startswith("in "):
            moment = datetime.now(timezone.utc) + timedelta(seconds=int(name[3:]))
            return moment.strftime("%Y-%m-%dT%H:%M:00Z")
        return names[name]
    return re.sub(r"\{\{([^{}]+)\}\}", value, text)


def comparable(request, text):
    """Without figures that a run measures, and with lists in another order than that of random ids.

    Descriptions of the interface are compared by themselves.
    """
    if request.path == "/metrics":
        return "\n".join(sorted({line for line in text.splitlines() if line.startswith("# TYPE")}))
    if request.path == "/openapi.json":
        return ""
    list_name = request.path.removeprefix("/v1/")
    if list_name in ("tokens", "principals", "keys") and text.startswith(f'{{"{list_name}":'):
        items = json.loads(text)[list_name]
        return json.dumps({list_name: sorted(items, key=lambda item: (
            item.get("name"), item.get("position")))})
    return text


def requests():
    for step in steps():
        yield from twins(step)
        yield step
        if step.method != "GET" and "Idempotency-Key" in step.headers:
            yield step.but("sent again")
            if step.members is not None:
                yield step.but("another body under the same key",
                               body={**step.members, "reason": "Something else"})


def twins(step):
    if step.note == "plain":
        return
    step = step.but(step.note, headers=without(step.headers, "Idempotency-Key"))
    yield step.but("nobody", by=None)
    yield step.but("a stranger", by="plm_" + "0" * 43)
    yield step.but("another method", method="PATCH")
    yield step.but("an unknown parameter", path=joined(step.path, "colour=red"))
    if step.by == "admin" and step.method == "GET":
        yield step.but("somebody of another app", by="olga") if known("olga") else None
    if step.method == "GET":
        yield step.but("another form", headers={"Accept": "image/png"})
        return
    yield step.but("a dry run", path=joined(step.path, "dryRun=true"))
    yield step.but("a dry run of a kind", path=joined(step.path, "dryRun=perhaps"))
    yield step.but("an empty key", headers={**step.headers, "Idempotency-Key": ""})
    yield step.but("a long key", headers={**step.headers, "Idempotency-Key": "k" * 300})
    if "If-Match" in step.headers:
        yield step.but("no precondition", path=joined(step.path, "dryRun=true"),
                       headers=without(step.headers, "If-Match"))
        yield step.but("another state", headers={**step.headers, "If-Match": '"' + "0" * 64 + '"'})
        yield step.but("a weak tag", headers={**step.headers, "If-Match": 'W/"1"'})
    if step.body is not None:
        yield from bodies(step)


def bodies(step):
    """Other bodies, as a dry run where there is one: some of them are fine."""
    text = step.body
    if not step.path.endswith("/simulate"):
        step = step.but(step.note, path=joined(step.path, "dryRun=true"))
    yield step.but("no body", body=None)
    yield step.but("an empty body", body="")
    yield step.but("half a body", body=text[: len(text) // 2])
    yield step.but("a list", body="[]")
    yield step.but("not UTF-8", body=text.replace('"', '"\udcff', 1))
    yield step.but("another type", headers={**step.headers, "Content-Type": "text/plain"})
    yield step.but("deep", body="[" * 200 + "]" * 200)
    if step.members is None:
        return
    yield step.but("an unknown member", body={**step.members, "colour": "red"})
    for name, value in step.members.items():
        yield step.but(f"without {name}", body=without(step.members, name))
        yield step.but(f"{name} twice", body=text[:-1] + f", {written({name: value})[1:]}")
        for other in others(value):
            yield step.but(f"{name} as {shown(other)}", body={**step.members, name: other})


def others(value):
    yield None
    if isinstance(value, str):
        yield from (7, "", "x" * 5000, "a\u0000b", "\u202e")
    elif isinstance(value, bool):
        yield "true"
    elif isinstance(value, int):
        yield from ("7", -1, 1.5, 2**63)
    elif isinstance(value, list):
        yield from ({}, [], [7], value + value)
    elif isinstance(value, dict):
        yield from ([], {}, {"colour": "red"})


def shown(value):
    text = json.dumps(value)
    return text if len(text) < 40 else text[:20] + "…"


def joined(path, parameter):
    return path + ("&" if "?" in path else "?") + parameter


def without(mapping, name):
    return {key: value for key, value in mapping.items() if key != name}


KNOWN = set()


def known(name):
    return name in KNOWN


def person(name, roles):
    KNOWN.add(name)
    return Request("POST", "/v1/tokens", body={"name": name, "roles": roles},
                   keep={name: "/token", name + " id": "/id"}, headers={"Idempotency-Key": name})


def value(version, threshold="minimumApp", platform="ios"):
    return {"op": "setValue", "platform": platform, "threshold": threshold, "value": version}


def text(words, language, part="description", threshold="minimumApp", platform="ios"):
    return {"op": "setText", "platform": platform, "threshold": threshold, "part": part,
            "language": language, "text": words}


def texts(words, threshold="minimumApp", platform="ios"):
    return [text(f"{words} ({part}, {language})", language, part, threshold, platform)
            for language in ("en-GB", "cy") for part in ("title", "description")]


def proposal(title, operations, name, **more):
    body = {"title": title, "reason": "As planned", "base": "{{number live}}",
            "operations": operations, **more}
    yield live()
    yield Request("POST", "/v1/apps/harbour/changes", by="alice", body=body,
                   headers={"Idempotency-Key": "propose-" + name},
                   keep={name: "/id", name + " tag": "etag"})


def live():
    return Request("GET", "/v1/apps/harbour", keep={"live": "/position"}, note="plain")


def decision(verb, name, body, by, keep=None):
    return Request("POST", f"/v1/changes/{{{{{name}}}}}/{verb}", by=by, body=body, keep=keep,
                   headers={"If-Match": f"{{{{{name} tag}}}}", "Idempotency-Key": f"{verb}-{name}"})


def steps():
    yield from entrance()
    yield from first_change()
    yield from later_changes()
    yield from reads()
    yield from incidents()
    yield from housekeeping()
    yield from reads()


def entrance():
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/problems/not-found",
                 "/problems/nonsense", "/v2/apps", "/v1", "/"):
        yield Request("GET", path, by=None, note="plain")
    yield Request("POST", "/v1/apps", headers={"Idempotency-Key": "harbour"}, body={
        "slug": "harbour", "name": "Harbour", "platforms": ["ios", "android", "jvm"],
        "languages": ["en-GB", "cy"], "fallbackLanguage": "en-GB", "default": True})
    yield Request("POST", "/v1/apps", body={
        "slug": "lighthouse", "name": "Lighthouse", "platforms": ["macos"], "languages": ["en"],
        "fallbackLanguage": "en", "profile": "minimal", "princeOfVersions": "all"})
    yield person("olga", [{"role": "viewer", "app": "lighthouse"}])
    yield person("alice", [{"role": "proposer", "app": "harbour"}])
    yield person("bob", [{"role": "approver", "app": "harbour"}])
    yield person("rita", [{"role": "responder"}])
    yield person("audrey", [{"role": "auditor", "app": "harbour"}])
    yield Request("POST", "/v1/tokens", body={"principal": "{{alice id}}", "roles": []},
                  note="plain")
    yield Request("GET", "/v1/me", by="alice")
    yield Request("GET", "/v1/tokens")
    yield Request("GET", "/v1/principals")
    yield Request("GET", "/v1/principals", by="bob", note="plain")


def first_change():
    for version, os in (("3.0.0", "15.0"), ("3.1.0", "16.0")):
        yield Request("PUT", f"/v1/apps/harbour/releases/ios/{version}",
                      body={"os": os, "liveSince": "2026-01-02T03:04:05Z", "reason": "It is out"})
    yield Request("PUT", "/v1/apps/harbour/releases/android/320", body={"os": 26, "name": "3.2.0"})
    yield Request("POST", "/v1/apps/harbour/releases/ios/3.1.0/amend", body={"build": "77"})
    yield Request("DELETE", "/v1/apps/harbour/releases/android/320", body={"reason": "A mistake"})
    yield Request("PUT", "/v1/apps/harbour/shares/ios", body={"rows": [
        {"app": "2.9", "devices": 10, "os": "14.0"}, {"app": "3.1.0", "devices": 990}]})
    minima = [value("15.0", "minimumOS"), value("3.0.0")]
    first = [*minima, *texts("Too old", "minimumOS"), *texts("Please update")]
    yield from proposal("Require 3.0.0", first, "first")
    yield Request("GET", "/v1/changes/{{first}}", by="bob")
    yield Request("POST", "/v1/changes/{{first}}/comment", by="bob", body={"comment": "Why now?"})
    yield decision("request-changes", "first", {"reason": "Say 3.1 too"}, "bob")
    yield live()
    yield Request("POST", "/v1/changes/{{first}}/revise", by="alice", body={
        "base": "{{number live}}", "operations": [*first[:-4], *texts("Update, please")]},
        headers={"If-Match": "{{first tag}}"}, keep={"first tag": "etag"})
    yield decision("approve", "first", {"comment": "Good"}, "bob")
    yield Request("GET", "/v1/changes/{{first}}", by="bob", note="plain")


def later_changes():
    everywhere = [value("3.1.0", "recommendedApp"), *texts("News", "recommendedApp"),
                  value(320, "minimumApp", "android"), *texts("Install", "minimumApp", "android")]
    yield from proposal("Recommend 3.1.0", everywhere, "second")
    yield decision("override", "second", {"check": "textsEqual", "reason": "So it is"}, "bob")
    yield decision("approve", "second", {}, "bob")
    yield from proposal("Later", [value("3.1.0"), value("16.0", "minimumOS")], "third",
                   schedule={"at": "{{in 86400}}", "timeZone": "Europe/London"})
    yield decision("schedule", "third", {"schedule": None}, "alice", {"third tag": "etag"})
    yield decision("reject", "third", {"reason": "Not now"}, "bob")
    yield from proposal("Never", [text("Go and update", "en-GB")], "fourth")
    yield decision("withdraw", "fourth", {}, "alice")
    offer = {"requiredVersion": "3.0.0", "lastVersion": "3.1.0", "notification": "ONCE",
             "requirements": {"os": "15.0.0"}, "metadata": {"colour": "red"}}
    yield from proposal("Offers", [{"op": "setOffers", "platform": "ios", "offers": [offer]}], "fifth")
    yield decision("approve", "fifth", {}, "bob")
    yield decision("apply", "fifth", {}, "alice")


def reads():
    app = "/v1/apps/harbour"
    for path in ("/v1/apps", app, app + "?event=4", app + "/settings", app + "/policy", "/v1/policy",
                 app + "/changes", app + "/changes?state=applied&limit=1", app + "/releases",
                 app + "/releases?platform=ios", app + "/shares/ios", app + "/prince-of-versions",
                 app + "/diff?from=event:7&to=live", app + "/diff?from=change:{{first}}&to=live",
                 app + "/matrix?platform=ios", app + "/documents/ios", app + "/documents/jvm",
                 app + "/documents/android?event=9", app + "/documents/ios/blame",
                 app + "/documents/ios/history?field=ios.minimumApp.value",
                 app + "/simulate?platform=ios&os=15.0&app=2.9&language=en-GB",
                 app + "/simulate?platform=ios&os=12&app=2&language=cy&client=nhs-ios-3.0",
                 "/v1/events?limit=7", "/v1/events?app=harbour&type=ThresholdSet&order=oldest",
                 "/v1/events/9", "/v1/keys", "/v1/reviews", "/v1/snapshots?app=harbour&limit=2",
                 "/v1/webhooks"):
        yield Request("GET", path, by="admin")
    for path in ("/v1/apps/nowhere", app + "/documents/windows", app + "/documents/ios?event=999999",
                 app + "/documents/ios?event=0", app + "/documents/ios?at=yesterday",
                 app + "/diff?from=event:x", app + "/simulate?platform=ios", "/v1/events/0",
                 "/v1/events/x", "/v1/events?limit=0", "/v1/events?cursor=zzz", "/v1/changes/99",
                 "/v1/changes/x", "/v1/snapshots", "/v1/keys/none", "/v1/reviews/1",
                 app + "/documents/ios/history?field=ios.colour", "/v1/webhooks/none",
                 app + "/matrix?platform=jvm", app + "/releases?platform=windows",
                 "/v1/log/tile/0/x999", "//v1/apps", "/v1/apps/", "/v1/events?type=Nothing"):
        yield Request("GET", path, by="admin", note="plain")
    for path in ("/v1/events?limit=3", "/v1/events?app=harbour&limit=3", "/v1/events/9"):
        yield Request("GET", path, by="audrey", note="plain")
        yield Request("GET", path, by="bob", note="plain")
    yield Request("GET", app, keep={"app tag": "etag"}, note="plain")
    for tag in ("{{app tag}}", "*", '"other"', "nonsense"):
        yield Request("GET", app, headers={"If-None-Match": tag}, note="plain")
    for accept in ("application/x-ndjson", "text/csv"):
        yield Request("GET", "/v1/events?app=harbour&order=oldest", by="audrey", note="plain",
                      headers={"Accept": accept})


def incidents():
    app = "/v1/apps/harbour"
    yield Request("POST", app + "/simulate", by="bob", body={
        "device": {"platform": "ios", "os": "15.0", "app": "2.9", "language": "en-GB"},
        "operations": [value("3.1.0")]})
    yield Request("POST", app + "/block", by="rita", headers={"Idempotency-Key": "block"}, body={
        "platform": "ios", "below": "3.1.0", "reason": "It loses data", "incident": "INC-7"})
    yield Request("POST", app + "/emergency", by="rita", body={
        "title": "Words", "reason": "They are wrong", "incident": "INC-8",
        "operations": [text("An update is on its way", "en-GB")]})
    yield Request("POST", app + "/freeze", by="rita", body={"reason": "Nobody moves"})
    yield from proposal("Frozen", [value("3.2.0", "recommendedApp")], "sixth")
    yield decision("approve", "sixth", {}, "bob")
    yield Request("POST", app + "/rollback", by="rita", headers={"Idempotency-Key": "back"}, body={
        "to": {"beforeChange": "{{second}}"}, "reason": "It was better", "platforms": ["android"]})
    yield Request("POST", app + "/rollback", by="rita", body={
        "to": {"revert": "{{first}}"}, "reason": "Too early", "keep": ["ios.minimumApp.value"]})
    yield Request("POST", app + "/rollback", by="rita", body={
        "to": {"revert": "{{second}}"}, "reason": "It recommends too much"})
    yield live()
    yield Request("POST", app + "/rollback", by="rita", headers={"Prefer": "return=minimal"}, body={
        "to": {"event": 60}, "reason": "Only the words",
        "fields": ["ios.minimumApp.description.en-GB"]})
    yield Request("DELETE", app + "/freeze", by="rita", body={"reason": "It is over"})
    yield Request("POST", "/v1/freeze", by="rita", body={"reason": "Everything stands still"})
    yield Request("DELETE", "/v1/freeze", by="rita", body={"reason": "It is over"})
    yield Request("GET", "/v1/reviews?app=harbour", keep={"review": "/reviews/0/position"},
                  note="plain")
    yield Request("GET", "/v1/reviews/{{review}}")
    yield Request("POST", "/v1/reviews/{{review}}/close", by="bob", body={
        "outcome": "objected", "comment": "Too much"})


def housekeeping():
    app = "/v1/apps/harbour"
    yield Request("GET", app + "/settings", keep={"settings tag": "etag"}, note="plain")
    yield Request("PUT", app + "/settings", headers={"If-Match": "{{settings tag}}"}, body={
        "name": "Harbour Pilot", "platforms": ["ios", "android", "jvm"],
        "languages": ["en-GB", "cy"], "fallbackLanguage": "cy", "profile": "complete",
        "princeOfVersions": "all", "shippedLanguages": ["en-GB", "cy"], "reason": "New name"})
    rules = {"raiseMinimum": {"approvals": [{"role": "approver", "count": 2}], "validSeconds": 60}}
    for path, name in ((app + "/policy", "policy"), ("/v1/policy", "default policy")):
        yield Request("GET", path, keep={name + " tag": "etag"}, note="plain")
        yield Request("PUT", path, headers={"If-Match": f"{{{{{name} tag}}}}"}, body={
            "rules": rules, "checks": {"textsEqual": {"severity": "refuse"}}, "graceSeconds": 60,
            "releases": {"roles": ["admin"]}, "blockedPercentMaximum": 40, "reason": "Stricter"})
    yield Request("GET", app + "/policy", keep={"policy tag": "etag"}, note="plain")
    yield Request("DELETE", app + "/policy", headers={"If-Match": "{{policy tag}}"},
                  body={"reason": "As everybody"})
    yield Request("POST", "/v1/webhooks", body={
        "url": "https://hooks.example.com/plimsoll", "types": ["ChangeApplied"], "app": "harbour"},
        keep={"webhook": "/id"})
    yield Request("GET", "/v1/webhooks/{{webhook}}")
    yield Request("POST", "/v1/webhooks/{{webhook}}/disable", body={"reason": "Too loud"})
    yield Request("GET", "/v1/webhooks/{{webhook}}/deliveries")
    yield Request("DELETE", "/v1/webhooks/{{webhook}}", body={"reason": "Gone"})
    yield Request("POST", app + "/keys", body={"reason": "A second one"}, keep={"key": "/id"})
    yield Request("GET", "/v1/keys/{{key}}", keep={"key tag": "etag"})
    yield Request("POST", "/v1/keys/{{key}}/activate", headers={"If-Match": "{{key tag}}"},
                  body={"reason": "It is time"}, keep={"key tag": "etag"})
    yield Request("POST", "/v1/keys/{{key}}/retire", headers={"If-Match": "{{key tag}}"},
                  body={"reason": "No more"})
    yield Request("DELETE", "/v1/principals/{{olga id}}/name", note="plain")
    yield Request("DELETE", app + "/shares/ios", body={"reason": "Old"})
    yield Request("POST", "/v1/log/cosignatures", body="— nobody AAAA\n", note="plain",
                  headers={"Content-Type": "text/plain"})
