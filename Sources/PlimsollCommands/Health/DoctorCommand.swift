import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll doctor`: what is wrong, and what to do about it.
struct DoctorCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check whether everything works, and say how to fix what does not.",
        discussion: """
            Every edge is asked that --edge, PLIMSOLL_PUBLIC_URL or PLIMSOLL_EXPORT_PURGE_BASES \
            names (http://127.0.0.1:8081 without them): whether it answers, and whether it serves \
            the newest snapshot. The data directory is --data or PLIMSOLL_DATA; with it, on the \
            machine of the service, secrets, private keys, disk, export and the settings of the \
            database are checked too. The certificate is the one that --tls-certificate or \
            PLIMSOLL_PUBLIC_TLS_CERTIFICATE names.

            With --origin, where a service or an edge answers other edges (their --origin-listen), \
            the whole tree of edges below it is looked at: how many there are, in how many levels, \
            and who lags.

            The exit code is 1 where something is wrong. A check that could not be made is shown as \
            "not checked" with the reason ("ok": null in JSON, and "complete": false for the whole).

            Examples:
              plimsoll doctor --data /var/lib/plimsoll
              plimsoll doctor --edge https://config.example.com --edge http://10.0.0.7:8081
              plimsoll doctor --origin http://10.0.0.1:8083
            """
    )

    @OptionGroup var machine: MachineOptions
    @Option(
        help: ArgumentHelp("A copy of the folder keys, which has to be whole.", valueName: "path")
    )
    var keyCopy: String?
    @Option(
        help: ArgumentHelp(
            "An edge, or a cache before one, to look at as well; may be repeated.",
            valueName: "url"
        )
    )
    var edge: [String] = []
    @Option(
        help: ArgumentHelp(
            "Where edges follow a service or an edge, to look at all of them; may be repeated.",
            valueName: "url"
        )
    )
    var origin: [String] = []
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuseEmpty(keyCopy, "--key-copy")
        guard edge.allSatisfy({ ServiceAddress($0) != nil }) else {
            throw ValidationError("--edge needs \(ServiceAddress.grammar).")
        }
        guard origin.allSatisfy({ ServiceAddress($0) != nil }) else {
            throw ValidationError("--origin needs \(ServiceAddress.grammar).")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let findings = try await serviceFindings() + machine.findings() + treeFindings()
        let isWell = findings.allSatisfy { $0.result != .bad }
        let json: JSONObject = [
            "ok": .bool(isWell),
            "complete": .bool(findings.allSatisfy { $0.result != .unchecked }),
            "checks": .array(findings.map { .object($0.json) }),
        ]
        output.show(Report(json, findings.flatMap(\.blocks)))
        return isWell ? .done : .failed
    }

    private func serviceFindings() async throws -> [Finding] {
        let address = try service.address()
        // Without a token the rest of the service can still be looked at.
        let token = Result { try service.token() }
        return try await Transport.with(.init(answerTimeout: .seconds(10))) { transport in
            let client = AdminClient(at: address, token: try? token.get(), over: transport)
            let check = ServiceCheck(client: client)
            let (readiness, silence) = await check.readiness()
            var findings = [readiness]
            if let silence {
                return try await findings + unasked(client, transport, because: silence)
            }
            findings.append(await check.clock(now: .now))
            var remedy = "Set PLIMSOLL_TOKEN or use --token-file."
            do {
                _ = try token.get()
                remedy = "Ask an administrator for a new token."
                findings.append(try await check.token(now: .now))
            } catch {
                return try await findings + [.bad("token", error, remedy)]
                    + unasked(client, transport, because: "that needs a token that is accepted")
            }
            findings.append(await RecordClockCheck(client: client).finding(now: .now))
            findings.append(await ReviewCheck(client: client).finding())
            findings += await WebhookCheck(client: client).findings(now: .now)
            findings.append(await VerifierCheck(client: client).finding())
            findings.append(await ExporterCheck(client: client).finding())
            return findings + (await publicationFindings(client, transport))
        }
    }

    private func publicationFindings(
        _ client: AdminClient,
        _ transport: Transport
    ) async -> [Finding] {
        do {
            let apps = try await client.call(Endpoints.listApps).apps
            let keys = try await client.call(Endpoints.listKeys).keys
            var findings = await PublicationCheck(client: client).findings(apps)
            findings.append(FreezeCheck.finding(apps))
            findings += await LanguageCheck(client: client).findings(apps)
            findings += try await machine.findings(of: apps, keys, client)
            if let keyCopy {
                let check = KeyCopyCheck(client: client, folder: absolutePath(keyCopy))
                findings.append(await check.finding(keys))
            }
            return findings + (await edgeFindings(client, transport, apps, keys))
        } catch {
            return [.bad("publication", error, "Look again.")]
        }
    }

    /// What only the service can say, and what of the edges can be seen without it.
    private func unasked(
        _ client: AdminClient,
        _ transport: Transport,
        because reason: String
    ) async throws -> [Finding] {
        let names = [
            "times", "reviews", "webhooks", "verifier", ExporterCheck.name, "publication",
            "languages",
        ]
        var findings = (names + (keyCopy == nil ? [] : [KeyCopyCheck.name]))
            .map { Finding.unchecked($0, reason) }
        for edge in try edges(over: transport) {
            findings.append(await EdgeCheck(client: client, edge: edge).findingAlone())
        }
        return findings
    }

    private func edgeFindings(
        _ client: AdminClient,
        _ transport: Transport,
        _ apps: [AppAnswer],
        _ keys: [KeyAnswer]
    ) async -> [Finding] {
        do {
            var findings: [Finding] = []
            for edge in try edges(over: transport) {
                findings += await EdgeCheck(client: client, edge: edge).findings(apps, keys)
            }
            return findings
        } catch {
            return [.bad("edge", error, "Set PLIMSOLL_PUBLIC_URL to where phones are served.")]
        }
    }

    private func treeFindings() async throws -> [Finding] {
        let origins = origin.compactMap { ServiceAddress($0) }
        return try await Transport.with(.init(answerTimeout: .seconds(10))) { transport in
            var findings: [Finding] = []
            for origin in origins {
                findings += await TreeCheck(origin: origin, transport: transport).findings()
            }
            return findings
        }
    }

    /// Each once, as named here and in the configuration.
    private func edges(over transport: Transport) throws -> [PublicEdge] {
        let named = try edge.compactMap { ServiceAddress($0) } + PublicEdge.configuredAddresses()
        var addresses: [ServiceAddress] = []
        for address in named.isEmpty ? [PublicEdge.usual] : named
        where !addresses.contains(where: { $0.text == address.text }) {
            addresses.append(address)
        }
        return addresses.map { PublicEdge(address: $0, transport: transport) }
    }
}

extension Finding {
    static let noDataFolder = Finding.unchecked(
        "data",
        "secrets, private keys, their copies, the export and the disk were not looked at, since"
            + " nobody said where the data directory is",
        "On the machine of the service: plimsoll doctor --data, with the directory."
    )
}

#if !SERVER
    /// The service does not run on such a machine, so there is nothing to look at.
    struct MachineOptions: ParsableArguments {
        func findings() async -> [Finding] { [.noDataFolder] }

        func findings(
            of apps: [AppAnswer],
            _ keys: [KeyAnswer],
            _ client: AdminClient
        ) async throws -> [Finding] { [] }
    }
#endif

/// What one check of the doctor came to.
struct Finding: Equatable {
    enum Result: Equatable {
        case good
        case bad
        /// Nobody looked: what was found says why not.
        case unchecked
    }

    let name: String
    let result: Result
    /// What was found, in a sentence.
    let detail: String
    /// What to do about it.
    let remedy: String?

    var isGood: Bool { result == .good }

    static func good(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, result: .good, detail: detail, remedy: nil)
    }

    static func bad(_ name: String, _ detail: String, _ remedy: String) -> Finding {
        Finding(name: name, result: .bad, detail: detail, remedy: remedy)
    }

    static func unchecked(_ name: String, _ why: String, _ remedy: String? = nil) -> Finding {
        Finding(name: name, result: .unchecked, detail: why, remedy: remedy)
    }

    /// What stood in the way of looking; what a caller may not see is no fault of the service.
    static func bad(_ name: String, _ error: any Error, _ remedy: String) -> Finding {
        let failure =
            switch error {
            case let failure as Failure: failure
            case let error as AdminError: Failure(error)
            default: Failure(.failed, "This could not be looked at.")
            }
        let detail =
            ([failure.title] + (failure.detail.map { [$0] } ?? []) + failure.checks.map(\.detail))
            .joined(separator: " ")
        if (error as? AdminError)?.status == 403 {
            return .unchecked(name, legible(detail), "Look with a token that may see it.")
        }
        return .bad(name, legible(detail), remedy)
    }

    var json: JSONObject {
        [
            "name": .string(name), "ok": result == .unchecked ? .null : .bool(isGood),
            "checked": .bool(result != .unchecked), "detail": .string(detail),
            "remedy": JSONValue(remedy),
        ]
    }

    var blocks: [Report.Block] {
        let sentence = "\(name): \(detail)"
        let first: Report.Block =
            result == .unchecked ? .unchecked(sentence) : .check(passed: isGood, sentence)
        return [first] + (remedy.map { [.line("   → \($0)")] } ?? [])
    }
}

extension Instant {
    /// Reads the one form that senders may use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    init?(httpDate text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard
            parts.count == 6, parts[5] == "GMT", parts[1].count == 2, parts[3].count == 4,
            let month = CivilTime.months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        self.init(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
