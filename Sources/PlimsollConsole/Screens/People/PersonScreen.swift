import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Somebody: where their rights come from, what they come in and sign with, and how that is taken away.
enum PersonScreen {
    static let routes: [Route] =
        [
            .page("/people/:principal") { try await page($0) },
            stand("suspend") { visit, id in
                let form = MandatoryReasonForm(reason: try visit.reason("suspendReason"))
                return try await visit.rest.call(
                    Endpoints.suspendPrincipal,
                    id,
                    form,
                    visit.write
                )
            },
            stand("resume") { visit, id in
                let form = ReasonForm(
                    reason: try visit.optional("resumeReason", Reason.init(validating:))
                )
                return try await visit.rest.call(Endpoints.resumePrincipal, id, form, visit.write)
            },
            stand("revoke-role") { visit, id in
                let form = RoleRevocationForm(
                    try visit.needed("grant", RoleGrant.init(spelled:)),
                    reason: try visit.optional("roleReason", Reason.init(validating:))
                )
                return try await visit.rest.call(Endpoints.revokeRole, id, form, visit.write)
            },
            stand("add-key") { visit, id in
                let form = PersonKeyForm(
                    try visit.needed("personKey", PersonKey.init),
                    reason: try visit.optional("keyReason", Reason.init(validating:))
                )
                return try await visit.rest.call(Endpoints.addPersonKey, id, form, visit.write)
            },
            stand("revoke-key") { visit, id in
                let form = PersonKeyForm(
                    try visit.needed("oldKey", PersonKey.init),
                    reason: try visit.optional("oldKeyReason", Reason.init(validating:))
                )
                return try await visit.rest.call(Endpoints.revokePersonKey, id, form, visit.write)
            },
        ] + [eraseName, revokeToken]

    /// What changes how somebody stands, and what is to be known of them then.
    private static func stand(
        _ act: String,
        _ change: @escaping @Sendable (Visit, PrincipalID) async throws -> PrincipalStandingAnswer
    ) -> Route {
        .act("/people/:principal/\(act)", on: { try await page($0) }, isSensitive: true) { visit in
            let id = try visit.person
            let standing = try await change(visit, id)
            guard !standing.tokensOfOthers.isEmpty else {
                return .moved(to: "/people/\(id)?done=person-\(act)")
            }
            var after = visit
            after.form = FormFields()
            return .page(
                try await page(after, done: "person-\(act)", seen: standing.tokensOfOthers)
            )
        }
    }

    private static let eraseName = Route.act(
        "/people/:principal/erase-name",
        on: { try await page($0) },
        isSensitive: true
    ) { visit in
        let id = try visit.person
        _ = try visit.needed("sure") { $0 }
        try await visit.rest.call(Endpoints.eraseName, id, EmptyForm(), visit.write)
        return .moved(to: "/people/\(id)?done=person-erase-name")
    }

    private static let revokeToken = Route.act(
        "/people/:principal/tokens/:token/revoke",
        on: { try await page($0) },
        isSensitive: true
    ) { visit in
        let token = try visit.parameter("token", TokenID.init)
        try await visit.rest.call(Endpoints.revokeToken, token, EmptyForm(), visit.write)
        return .moved(to: "/people/\(try visit.person)?done=token-revoke")
    }

    /// For how long a token that has ended is shown; programs that renew theirs leave many.
    private static let secondsShown: Int64 = 30 * 24 * 60 * 60

    private static func page(
        _ visit: Visit,
        done: String? = nil,
        seen: [TokenAnswer] = []
    ) async throws -> Page {
        let id = try visit.person
        let people = try await visit.rest.call(Endpoints.listPrincipals).principals
        guard let person = people.first(where: { $0.id == id }) else {
            throw HTTPError(.notFound)
        }
        let (names, origins) = (
            try await visit.names(),
            try await visit.origins([
                "RoleGranted", "TokenIssued", "TokenRenewed", "PersonKeyAdded",
            ])
        )
        let since = visit.now.advanced(by: .seconds(-secondsShown))
        let tokens = try await visit.rest.tokens(since: since).tokens
        var page = Page("person", person.name ?? visit.language["people.nameless"])
        page.fields = visit.fields(of: person, origins, names)
        page.fields["tokens"] = tokens.filter { $0.principal == id }.map { token in
            visit.fields(of: token, origins.tokenIssued(token.id), names)
        }
        let isKept = visit.keeps(person)
        page.fields["isKept"] = isKept
        page.fields["mayRevoke"] = id == visit.principal || isKept
        page.fields["seen"] = seen.map { visit.fields(of: $0, nil, names) }
        page.fields["hasSeen"] = !seen.isEmpty
        if let done { page.fields["done"] = visit.language["done.\(done)"] }
        return page
    }
}

extension RoleGrant {
    /// `approver@harbour`, or `approver` for all apps.
    fileprivate init?(spelled text: String) {
        let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
        guard let role = parts.first.flatMap(Role.init(rawValue:)) else { return nil }
        guard parts.count > 1 else {
            self.init(role, in: .all)
            return
        }
        guard let app = AppSlug(parts[1]) else { return nil }
        self.init(role, in: .app(app))
    }

    fileprivate var spelled: String {
        scope.app.map { "\(role.rawValue)@\($0)" } ?? role.rawValue
    }
}

extension [EventAnswer] {
    fileprivate func granted(_ grant: RoleGrant, to person: PrincipalID) -> EventAnswer? {
        first { event in
            let data = event.body.data
            return event.body.type == "RoleGranted" && data["principal"]?.string == person.text
                && data["role"]?.string == grant.role.rawValue
                && data["app"]?.string == grant.scope.app?.text
        }
    }

    fileprivate func tokenIssued(_ token: TokenID) -> EventAnswer? {
        first { $0.body.data["id"]?.string == token.description }
    }

    fileprivate func added(_ key: PersonKey) -> EventAnswer? {
        first { $0.body.type == "PersonKeyAdded" && $0.body.data["key"]?.string == key.text }
    }
}

extension Visit {
    fileprivate var person: PrincipalID {
        get throws { try parameter("principal", PrincipalID.init) }
    }

    /// Whether whoever looks administers all places where somebody has roles, or, as nobody is told where
    /// somebody without roles had some, everything.
    fileprivate func keeps(_ person: PrincipalAnswer) -> Bool {
        let places = person.roles.isEmpty ? [.all] : person.roles.map(\.scope)
        return places.allSatisfy { offers.has(.admin, in: $0) }
    }

    /// The newest events of these types; none for whoever may not read the record.
    func origins(_ types: [String]) async throws -> [EventAnswer] {
        var filter = EventFilter()
        filter.types = types
        return try await readableEvents(filter, PageOptions(limit: 1000))
    }

    /// Who brought something about, when and why.
    func fields(of origin: EventAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "by": names(origin.origin.actor), "at": time(origin.recordedAt),
            "event": origin.position.description, "reason": origin.origin.reason,
        ])
    }

    fileprivate func fields(
        of person: PrincipalAnswer,
        _ origins: [EventAnswer],
        _ names: Names
    ) -> Fields {
        Fields(all: [
            "id": person.id.text, "isSelf": person.id == principal, "hasName": person.name != nil,
            "grants": person.roles.map { grant in
                Fields(all: [
                    "words": words(grant), "spelled": grant.spelled,
                    "isChosen": grant.spelled == form["grant"],
                    "isAdministered": offers.has(.admin, in: grant.scope),
                    "may": language["roles.\(grant.role.rawValue).may"],
                    "origin": origins.granted(grant, to: person.id).map { fields(of: $0, names) },
                ])
            },
            "hasGrants": !person.roles.isEmpty,
            "mayTakeAway": person.roles.contains { offers.has(.admin, in: $0.scope) },
            "suspension": person.suspension.map { suspension in
                Fields(all: [
                    "by": names(suspension.by), "since": time(suspension.at),
                    "because": suspension.reason?.text,
                ])
            },
            "keys": person.keys.map { key in
                Fields(all: [
                    "key": key.key.text, "fingerprint": key.fingerprint,
                    "isChosen": key.key.text == form["oldKey"],
                    "origin": origins.added(key.key).map { fields(of: $0, names) },
                ])
            },
            "hasKeys": !person.keys.isEmpty, "personKey": form["personKey"],
            "keyReason": form["keyReason"], "oldKeyReason": form["oldKeyReason"],
            "roleReason": form["roleReason"], "resumeReason": form["resumeReason"],
            "suspendReason": form["suspendReason"],
        ])
    }

    fileprivate func fields(
        of token: TokenAnswer,
        _ origin: EventAnswer?,
        _ names: Names
    ) -> Fields {
        Fields(all: [
            "token": token.id.description, "owner": names(token.principal),
            "ownerID": token.principal.text,
            "expiresAt": time(token.expiresAt), "origin": origin.map { fields(of: $0, names) },
            "isOver": token.expiresAt.map { $0 <= now } ?? false,
        ])
    }
}
