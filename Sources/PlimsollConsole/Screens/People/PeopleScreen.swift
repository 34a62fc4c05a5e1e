import PlimsollAPI
import PlimsollDomain

/// Who may do what, and how somebody is let in.
enum PeopleScreen {
    static let routes: [Route] = [
        .page("/people", page),
        .act("/people/issue", on: page, isSensitive: true) { visit in
            let issued = try await visit.rest.call(
                Endpoints.issueToken,
                try visit.tokenForm,
                visit.write
            )
            return .page(try await visit.page(of: issued))
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let app = visit.query["app"].flatMap(AppSlug.init)
        let people = try await visit.rest.call(Endpoints.listPrincipals).principals.named
        let shown = people.filter { person in
            app.map { person.mayAnything(in: .app($0)) } ?? true
        }
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        let chosen = visit.form["principal"]
        return Page(
            "people",
            visit.language["people.title"],
            [
                "roles": visit.roles, "people": shown.map { visit.row(of: $0, in: app) },
                "isEmpty": shown.isEmpty,
                "apps": apps.map { app in
                    Fields(all: [
                        "slug": app.slug.text, "name": app.settings.name.text,
                        "isChosen": app.slug.text == visit.query["app"],
                        "isScope": app.slug.text == visit.form["scope"],
                        "isAdministered": visit.offers.has(.admin, in: .app(app.slug)),
                    ])
                },
                "known": people.map { person in
                    Fields(all: [
                        "id": person.id.text, "name": person.name ?? person.id.text,
                        "isChosen": person.id.text == chosen,
                    ])
                },
                "newName": visit.form["name"], "expiresAt": visit.form["expiresAt"],
            ]
        )
    }
}

extension [PrincipalAnswer] {
    /// By their names; those without one come last.
    fileprivate var named: [PrincipalAnswer] {
        sorted {
            ($0.name == nil ? 1 : 0, $0.name?.lowercased() ?? "")
                < ($1.name == nil ? 1 : 0, $1.name?.lowercased() ?? "")
        }
    }
}

extension PrincipalAnswer {
    fileprivate func mayAnything(in scope: Scope) -> Bool {
        roles.contains { $0.scope.covers(scope) }
    }

    /// Where they have the role, and with which other one where it comes with that.
    fileprivate func grants(of role: Role, in app: AppSlug?) -> [(scope: Scope, with: Role?)] {
        let shown = roles.filter { grant in app.map { grant.scope.covers(.app($0)) } ?? true }
        let own = shown.filter { $0.role == role }.map { (scope: $0.scope, with: Role?.none) }
        let others = shown.filter { $0.role != role && $0.role.includes(role) }
            .map { (scope: $0.scope, with: Role?.some($0.role)) }
        return own + others.filter { other in !own.contains { $0.scope == other.scope } }
    }
}

extension Visit {
    fileprivate var roles: [Fields] {
        let chosen = form.all("role")
        return Role.allCases.map { role in
            [
                "role": role.rawValue, "name": language["roles.\(role.rawValue).name"],
                "may": language["roles.\(role.rawValue).may"],
                "isChosen": chosen.contains(role.rawValue),
            ]
        }
    }

    fileprivate func row(of person: PrincipalAnswer, in app: AppSlug?) -> Fields {
        let cells: [Fields] = Role.allCases.map { role in
            let grants = person.grants(of: role, in: app)
            return [
                "role": language["roles.\(role.rawValue).name"], "isNone": grants.isEmpty,
                "grants": grants.map { grant in
                    Fields(all: [
                        "place": place(grant.scope),
                        "with": grant.with.map { language["roles.\($0.rawValue).name"] },
                    ])
                },
            ]
        }
        return Fields(all: [
            "id": person.id.text, "name": person.name, "isSelf": person.id == principal,
            "isSuspended": person.suspension != nil, "cells": cells, "keys": person.keys.count,
            "hasKeys": !person.keys.isEmpty,
        ])
    }

    /// The app, or all of them.
    func place(_ scope: Scope) -> String { scope.app?.text ?? language["people.everywhere"] }

    /// What was typed, as the order of a token.
    fileprivate var tokenForm: TokenForm {
        get throws {
            let scope = try optional("scope", AppSlug.init).map(Scope.app) ?? .all
            let roles = form.all("role").compactMap(Role.init(rawValue:))
            guard !roles.isEmpty else { throw refusal(of: "role", nil) }
            return TokenForm(
                name: try optional("name", Title.init(validating:)),
                principal: try optional("principal", PrincipalID.init),
                roles: roles.map { RoleGrant($0, in: scope) },
                expiresAt: try optional("expiresAt") { LocalTime($0)?.inUTC }
            )
        }
    }

    /// The only page that ever shows the secret.
    fileprivate func page(of issued: IssuedTokenAnswer) async throws -> Page {
        let name = try await names()(issued.token.principal)
        return Page(
            "token",
            language["tokens.issued"],
            [
                "secret": issued.secret, "name": name, "principal": issued.token.principal.text,
                "token": issued.token.id.description, "expiresAt": time(issued.token.expiresAt),
                "roles": issued.token.roles.map { words($0) },
            ]
        )
    }

    /// `Approver, harbour`.
    func words(_ grant: RoleGrant) -> String {
        "\(language["roles.\(grant.role.rawValue).name"]), \(place(grant.scope))"
    }
}
