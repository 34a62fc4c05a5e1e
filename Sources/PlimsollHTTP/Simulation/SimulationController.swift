import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/simulate`: what a device would show, now, then, under a change, after a rollback
/// or after some edits; and `/v1/apps/{app}/matrix`: what all do that are known of.
///
/// Nothing is written.
struct SimulationController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.simulate, simulate),
            .ask(Endpoints.simulateEdits) { app, form, caller in
                try await useCases.simulation(
                    of: form.device,
                    by: form.client,
                    in: app,
                    applying: form.operations,
                    for: caller
                )
            },
            .raw(Endpoints.simulateReleases, matrix),
        ]
    }

    private func simulate(_ call: ReadCall<AppSlug>) async throws -> SimulationAnswer {
        let app = try call.names()
        var query = call.query
        let (moment, device) = (query.moment(), query.device())
        let client = query.one("client", ClientGeneration.grammarOfSimulated) {
            ClientGeneration(simulated: $0, on: device?.platform)
        }
        if let client, let device, client.platform != device.platform {
            query.object(
                to: "client",
                code: "invalidValue",
                client.sentence(on: device.platform)
            )
        }
        let from = query.one("from", StateName.grammar, StateName.init)
        let to = query.one("to", StateName.grammar, StateName.init)
        if from != nil, moment != .live {
            query.object(to: "from", code: "twoMoments", "Give from, at or event, but one only.")
        }
        try query.finish()
        guard let device else { preconditionFailure("a missing parameter is refused") }
        let named = from == nil ? moment.parameter : "from"
        return try await placing(named, to) { (to) async throws(UseCaseError) in
            try await useCases.simulation(
                of: device,
                by: client,
                in: app,
                from: from ?? moment.state,
                to: to,
                for: call.caller
            )
        }
    }

    private func matrix(
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        let app: AppSlug = try context.names()
        var query = QueryReader(request)
        let platform = query.one("platform", Platform.grammar, Platform.init(rawValue:))
        let from = query.one("from", StateName.grammar, StateName.init) ?? .live
        let to = query.one("to", StateName.grammar, StateName.init)
        query.require("platform")
        try query.finish()
        guard let platform else { preconditionFailure("a missing parameter is refused") }
        let answer = try await placing("from", to) { (to) async throws(UseCaseError) in
            try await useCases.matrix(
                of: app,
                on: platform,
                from: from,
                to: to,
                for: context.caller
            )
        }
        return Reply(
            bytes: await useCases.expensiveReads.answer { answer.bytes },
            mediaType: .json
        )
    }
}

extension QueryReader {
    /// A device; `nil` only where a fault says why.
    fileprivate mutating func device() -> Device? {
        let platform = one("platform", Platform.grammar, Platform.init(rawValue:))
        let kind = platform?.versionKind ?? .dotted
        let os = version("os", platform?.systemKind ?? .dotted)
        let app = version("app", kind)
        let store = version("store", kind)
        let languages = one("language", "\(LanguageTag.grammar), or several with commas") {
            languageList($0)
        }
        for name in ["platform", "os", "app", "language"] { require(name) }
        guard let platform, let os, let app, let languages, let first = languages.first else {
            return nil
        }
        return Device(
            platform: platform,
            os: os,
            app: app,
            store: store,
            language: first,
            others: Array(languages.dropFirst())
        )
    }

    private mutating func version(_ name: String, _ kind: VersionKind) -> VersionValue? {
        one(name, kind.grammar) { VersionValue(text: $0, kind) }
    }
}

/// The phone's own language, then others that its owner reads: `de-DE,fr`.
private func languageList(_ text: String) -> [LanguageTag]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let languages = parts.compactMap { LanguageTag(String($0)) }
    return languages.count == parts.count ? languages : nil
}
