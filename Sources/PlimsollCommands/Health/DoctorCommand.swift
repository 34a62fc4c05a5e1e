import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// `plimsoll doctor`: what is wrong, and what to do about it.
struct DoctorCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether everything works, and say what to do where it does not.",
        discussion: """
            Phones are looked for at PLIMSOLL_PUBLIC_URL (http://127.0.0.1:8081 without it), the \
            data directory at --data or PLIMSOLL_DATA; with it, on the machine of the service, \
            secrets, private keys, disk, export and the settings of the database are looked at \
            too. A certificate is looked at that --tls-certificate names, or else \
            PLIMSOLL_PUBLIC_TLS_CERTIFICATE. The exit code is 1 where something is wrong.

            For example: plimsoll doctor --data /var/lib/plimsoll
            """
    )

    @OptionGroup var database: DatabaseOptions
    @Option(
        help: ArgumentHelp("A copy of the folder keys, which has to be whole.", valueName: "path")
    )
    var keyCopy: String?
    @Option(
        help: ArgumentHelp("The certificate that phones are served with.", valueName: "file")
    )
    var tlsCertificate: String?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try refuseEmpty(tlsCertificate, "--tls-certificate")
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        var findings = try await serviceFindings()
        findings.append(postgresFinding())
        if let folder = database.folder {
            findings += DataFolderCheck(folder: folder).findings()
            findings.append(KeyBackupCheck(folder: folder).finding())
            findings.append(DiskCheck(folder: folder).finding())
        }
        // Where nobody said where it is, it cannot be looked at from here.
        if let known = try? database.database(for: "plimsoll doctor") {
            findings += await DatabaseCheck(database: known).findings()
        }
        if let file = certificate, !file.isEmpty {
            findings.append(CertificateCheck(file: absolutePath(file)).finding(now: .now))
        }
        let isWell = findings.allSatisfy(\.isGood)
        let json: JSONObject = [
            "ok": .bool(isWell), "checks": .array(findings.map { .object($0.json) }),
        ]
        output.show(Report(json, findings.flatMap(\.blocks)))
        return isWell ? .done : .failed
    }

    private var certificate: String? {
        tlsCertificate ?? environment["PLIMSOLL_PUBLIC_TLS_CERTIFICATE"]
    }

    private func serviceFindings() async throws -> [Finding] {
        let address = try service.address()
        // Without a token the rest of the service can still be looked at.
        let token = Result { try service.token() }
        return try await Transport.with(.init(answerTimeout: .seconds(10))) { transport in
            let client = AdminClient(at: address, token: try? token.get(), over: transport)
            let check = ServiceCheck(client: client)
            let (readiness, answers) = await check.readiness()
            var findings = [readiness]
            guard answers else { return findings }
            findings.append(await check.clock(now: .now))
            if case .failure(let error) = token {
                findings.append(.bad("token", error, "Set PLIMSOLL_TOKEN or use --token-file."))
                return findings
            }
            findings.append(await check.token(now: .now))
            guard findings.allSatisfy({ $0.name != "token" || $0.isGood }) else { return findings }
            findings.append(await RecordClockCheck(client: client).finding(now: .now))
            findings.append(await ReviewCheck(client: client).finding())
            findings += await WebhookCheck(client: client).findings()
            return findings + (await publicationFindings(client, transport))
        }
    }

    private func publicationFindings(
        _ client: AdminClient,
        _ transport: Transport
    ) async -> [Finding] {
        do {
            let (apps, keys) = (try await client.apps().apps, try await client.keys().keys)
            var findings = await PublicationCheck(client: client).findings(apps)
            findings += await LanguageCheck(client: client).findings(apps)
            if let folder = database.folder {
                let check = KeyCopiesCheck(name: "keys", folder: "\(folder)/keys")
                findings += check.findings(keys)
                findings += ExportCheck(folder: "\(folder)/export/current").findings(apps)
                // The log goes as far as the app that was looked at last says.
                if let end = apps.map(\.position).max() {
                    let log = PublishedLogFinding(folder: folder)
                    findings.append(
                        try await log.finding(end: end) {
                            try await client.apps().apps.map(\.position).max() ?? end
                        }
                    )
                }
            }
            if let keyCopy {
                let check = KeyCopiesCheck(name: "key copy", folder: absolutePath(keyCopy))
                findings += check.findings(keys)
            }
            return findings + (await edgeFindings(client, transport, apps, keys))
        } catch {
            return [.bad("publication", error, "Look again.")]
        }
    }

    private func edgeFindings(
        _ client: AdminClient,
        _ transport: Transport,
        _ apps: [AppAnswer],
        _ keys: [KeyAnswer]
    ) async -> [Finding] {
        do {
            let configured = try PublicEdge.configuredAddress()
            guard let address = configured ?? ServiceAddress(PublicEdge.urlUsual) else {
                preconditionFailure("the usual address is one")
            }
            let edge = PublicEdge(address: address, transport: transport)
            return await EdgeCheck(client: client, edge: edge).findings(apps, keys)
        } catch {
            return [.bad("edge", error, "Set PLIMSOLL_PUBLIC_URL to where phones are served.")]
        }
    }
}
