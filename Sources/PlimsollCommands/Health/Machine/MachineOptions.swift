import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// What the doctor looks at on the machine of the service.
struct MachineOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions
    @Option(
        help: ArgumentHelp("The certificate that phones are served with.", valueName: "file")
    )
    var tlsCertificate: String?

    func validate() throws {
        try refuseEmpty(tlsCertificate, "--tls-certificate")
    }

    func findings() async -> [Finding] {
        var findings = [postgresFinding(database)]
        if let folder = database.folder {
            findings += DataFolderCheck(folder: folder).findings()
            findings.append(KeyBackupCheck(folder: folder).finding())
            findings.append(DiskCheck(folder: folder).finding())
        } else {
            findings.append(.noDataFolder)
        }
        // Where nobody said where it is, it cannot be looked at from here.
        if let known = try? database.database(for: "plimsoll doctor") {
            findings += await DatabaseCheck(database: known).findings()
        } else {
            findings.append(.unchecked("database", "nobody said where it is"))
        }
        let variable = environment["PLIMSOLL_PUBLIC_TLS_CERTIFICATE"]
        if let file = tlsCertificate ?? variable, !file.isEmpty {
            findings.append(CertificateCheck(file: absolutePath(file)).finding(now: .now))
        }
        return findings
    }

    /// Whether the data directory has what the service says was published, and its keys.
    func findings(
        of apps: [AppAnswer],
        _ keys: [KeyAnswer],
        _ client: AdminClient
    ) async throws -> [Finding] {
        guard let folder = database.folder else { return [] }
        let check = KeyCopiesCheck(name: "keys", folder: "\(folder)/keys")
        var findings = check.findings(keys)
        findings += ExportCheck(folder: "\(folder)/export/current").findings(apps)
        // The log goes as far as the app that was looked at last says.
        guard let end = apps.map(\.position).max() else { return findings }
        let log = PublishedLogFinding(folder: folder)
        findings.append(
            try await log.finding(end: end) {
                try await client.call(Endpoints.listApps).apps.map(\.position).max() ?? end
            }
        )
        return findings
    }
}
