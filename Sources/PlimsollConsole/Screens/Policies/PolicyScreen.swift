import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Who has to approve what, of one app or of all: in words, as JSON, and how it is replaced.
///
/// Nothing comes into force that was not shown as a difference in words before.
enum PolicyScreen {
    static let routes: [Route] =
        ["", "/apps/:app"].flatMap { place in
            [
                .page("\(place)/policy") { try await page($0) },
                .act("\(place)/policy/preview", on: { try await page($0) }) { visit in
                    .page(try await preview(visit))
                },
                .act("\(place)/policy/apply", on: { try await page($0) }, isSensitive: true) {
                    try await apply($0)
                },
            ]
        } + [
            .act("/apps/:app/policy/reset", on: { try await page($0) }, isSensitive: true) {
                visit in
                let app = try visit.app
                let reason = try visit.optional("resetReason", Reason.init(validating:))
                try await visit.rest.call(
                    Endpoints.resetPolicy,
                    app,
                    seen: try visit.seen,
                    ReasonForm(reason: reason),
                    visit.write
                )
                return .moved(to: "\(address(of: app))?done=policy-reset")
            }
        ]

    static func address(of app: AppSlug?) -> String {
        app.map { "/apps/\($0)/policy" } ?? "/policy"
    }

    private static func apply(_ visit: Visit) async throws -> Effect {
        let app = try visit.appIfNamed
        _ = try await visit.rest.change(
            policyOf: app,
            seen: try visit.seen,
            try visit.policyForm,
            visit.write
        )
        return .moved(to: "\(address(of: app))?done=policy-apply")
    }

    /// What would differ, and what stands in the way of it; nothing is written.
    private static func preview(_ visit: Visit) async throws -> Page {
        let (app, form) = (try visit.appIfNamed, try visit.policyForm)
        let names = try await visit.names()
        let tried = try await visit.rest.change(
            policyOf: app,
            seen: try visit.seen,
            form,
            visit.write.dryRun()
        )
        let inForce = try await visit.rest.policy(of: app)
        let differences = inForce.policy.differences(to: form.policy)
        let wording = visit.wording(names)
        return try await page(
            visit,
            [
                "differences": differences.map { wording.fields(of: $0, isOfPolicy: true) },
                "isSame": differences.isEmpty,
                "warnings": tried.warnings.map { wording($0, as: .clause) },
            ]
        )
    }

    private static func page(_ visit: Visit, _ preview: Fields? = nil) async throws -> Page {
        let (app, names) = (try visit.appIfNamed, try await visit.names())
        let policy = try await visit.rest.policy(of: app)
        var page = Page(
            "policy",
            app.map { visit.language("policy.ofApp", ["app": $0]) }
                ?? visit.language["policy.ofAll"]
        )
        page.fields = visit.fields(of: policy, names)
        page.fields["may"] = visit.offers.fields(in: app.map(Scope.app) ?? .all)
        page.fields["preview"] = preview
        if app != nil, policy.source == .app {
            page.fields["reset"] = try await visit.standardPolicy().map { standard in
                let lost = policy.policy.differences(to: standard)
                let wording = visit.wording(names)
                return ["lost": lost.map { wording.fields(of: $0, isOfPolicy: true) }] as Fields
            }
        }
        if app == nil { page.fields["apps"] = try await visit.policiesOfApps() }
        return page
    }
}

extension Visit {
    /// The policy of all apps; `nil` for who may read that of some only.
    fileprivate func standardPolicy() async throws -> Policy? {
        do throws(AdminError) {
            return try await rest.policy(of: nil).policy
        } catch {
            guard error.status == 403 else { throw error }
            return nil
        }
    }

    /// The event of what the page showed.
    var seen: Position { get throws { try needed("seen", Position.init(typed:)) } }

    /// What was typed; its reason stands beside it, not in it.
    fileprivate var policyForm: PolicyForm {
        get throws {
            let text = try needed("policy") { $0 }
            let written = try read(PolicyForm.self, bytes: Array(text.utf8))
            let reason = try optional("policyReason", Reason.init(validating:))
            return PolicyForm(policy: written.policy, reason: reason ?? written.reason)
        }
    }

    fileprivate func fields(of policy: PolicyAnswer, _ names: Names) -> Fields {
        let (wording, clauses) = (wording(names), policy.policy.clauses())
        let json = JSONValue.object(Policy.shape.json(policy.policy)).indented()
        return Fields(all: [
            "app": policy.app?.text, "place": PolicyScreen.address(of: policy.app),
            "source": language[
                "policy.source.\(policy.app == nil ? "all" : "app").\(policy.source.rawValue)"
            ],
            "decision": policy.decision.map { decision in
                Fields(all: [
                    "by": names(decision.by), "since": time(decision.since),
                    "because": decision.reason?.text, "event": decision.position?.description,
                ])
            },
            "seen": policy.seen.description,
            "warningsNow": policy.warnings.map { wording($0, as: .clause) },
            "hasWarningsNow": !policy.warnings.isEmpty,
            "rules": clauses.filter { !$0.name.hasPrefix("checks.") }.map(wording.fields),
            "checks": clauses.filter { $0.name.hasPrefix("checks.") }.map(wording.fields),
            "json": json, "typedPolicy": form.whole("policy") ?? json,
            "policyReason": form["policyReason"], "resetReason": form["resetReason"],
        ])
    }

    /// Which apps follow the default, and which do not.
    fileprivate func policiesOfApps() async throws -> [Fields] {
        var rows: [Fields] = []
        for app in try await rest.call(Endpoints.listApps).apps {
            let policy = try await rest.policy(of: app.slug)
            rows.append([
                "slug": app.slug.text, "name": app.settings.name.text,
                "isOwn": policy.source == .app, "place": PolicyScreen.address(of: app.slug),
            ])
        }
        return rows
    }
}

extension Wording {
    fileprivate func fields(of clause: PolicyClause) -> Fields {
        [
            "subject": self(clause.subject, as: .clause),
            "predicate": self(clause.predicate, as: .clause), "member": clause.name,
        ]
    }
}
