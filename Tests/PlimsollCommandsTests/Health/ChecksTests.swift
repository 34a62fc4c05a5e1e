import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollServer
import Testing

@testable import PlimsollCommands

/// What the doctor finds on the machine of a service.
struct ChecksTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("plimsoll-doctor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    // MARK: - Disk

    /// In MiB.
    private static let disks: [(Int64, Int64, Bool)] = [
        (511, 1024, false), (512, 1024, true), (5_119, 102_400, false), (5_120, 102_400, true),
        (10_239, 1_048_576, false), (10_240, 1_048_576, true), (0, 0, false),
    ]

    @Test(arguments: disks)
    func `a disk is nearly full below its twentieth part, within reason`(
        _ free: Int64,
        _ size: Int64,
        _ isWell: Bool
    ) {
        let finding = DiskCheck.finding("/data", free: free << 20, of: size << 20)
        #expect(finding.isGood == isWell)
        #expect((finding.remedy == nil) == isWell)
    }

    @Test func `a folder that is nowhere has no disk that is well`() {
        #expect(!DiskCheck(folder: "/nowhere/at/all").finding().isGood)
    }

    @Test func `a database that an option names needs no server on this machine`() throws {
        let given = ["--data", "/nowhere", "--database-url", "host=db"]
        let finding = postgresFinding(try DatabaseOptions.parse(given))
        #expect(finding.isGood && finding.detail.contains("none is needed here"))
    }

    // MARK: - Keys

    @Test func `every active key needs its private half, others do not`() throws {
        try withFolder { folder in
            let (active, added) = (try Samples.key(.active), try Samples.key(.added))
            let check = KeyCopiesCheck(name: "keys", folder: folder)
            let missing = check.findings([active, added])
            #expect(missing.count == 1 && !missing[0].isGood)
            #expect(missing[0].detail.contains("\(active.id)"))
            try FileManager.default.createDirectory(
                atPath: "\(folder)/harbour",
                withIntermediateDirectories: false
            )
            try Data().write(to: URL(fileURLWithPath: "\(folder)/harbour/\(active.id).pem"))
            #expect(check.findings([active, added]).map(\.isGood) == [true])
        }
    }

    // MARK: - Data

    @Test(arguments: [
        ("keys/webhooks.key", 0o644, "others can read"), ("keys/log", 0o640, "others can read"),
        ("keys/webhooks.key", 0o600, "not 32 bytes"),
    ])
    func `a key that others can read, or that is none, is named`(
        _ name: String,
        _ mode: Int,
        _ words: String
    ) throws {
        try withFolder { folder in
            let path = "\(folder)/\(name)"
            try FileManager.default.createDirectory(
                atPath: "\(folder)/keys",
                withIntermediateDirectories: false
            )
            let isMade = FileManager.default.createFile(
                atPath: path,
                contents: Data("no key".utf8),
                attributes: [.posixPermissions: mode]
            )
            #expect(isMade)
            let findings = DataFolderCheck(folder: folder).findings()
            #expect(findings.map(\.isGood) == [false])
            #expect(findings[0].detail.contains(words), "\(findings[0].detail)")
        }
    }

    @Test(arguments: [(0o644, false), (0o640, false), (0o600, true)], [true, false])
    func `a key behind a link counts by the file it leads to`(
        _ permissions: (mode: Int, isWell: Bool),
        _ isFolderLinked: Bool
    ) throws {
        try withFolder { folder in
            let files = FileManager.default
            let (keys, elsewhere) = ("\(folder)/data/keys", "\(folder)/elsewhere")
            try files.createDirectory(atPath: keys, withIntermediateDirectories: true)
            try files.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
            let isMade = files.createFile(
                atPath: "\(elsewhere)/key.pem",
                contents: Data("a key".utf8),
                attributes: [.posixPermissions: permissions.mode]
            )
            #expect(isMade)
            let link = "\(keys)/harbour"
            if isFolderLinked {
                try files.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)
            } else {
                try files.createDirectory(atPath: link, withIntermediateDirectories: false)
                try files.createSymbolicLink(
                    atPath: "\(link)/key.pem",
                    withDestinationPath: "\(elsewhere)/key.pem"
                )
            }
            let findings = DataFolderCheck(folder: "\(folder)/data").findings()
            #expect(findings.map(\.isGood) == [permissions.isWell])
            if !permissions.isWell { #expect(findings[0].detail.hasSuffix("\(link)/key.pem")) }
        }
    }

    // MARK: - Certificate

    /// In days from now.
    @Test(arguments: [(-1, false), (0, false), (13, false), (14, false), (15, true)])
    func `a certificate should have been replaced two weeks before its end`(
        _ days: Int,
        _ isWell: Bool
    ) {
        let end = Samples.instant.advanced(by: .seconds(days * 86_400))
        let begin = end.advanced(by: .seconds(-90 * 86_400))
        let finding = CertificateCheck.finding(.init(begin: begin, end: end), now: Samples.instant)
        #expect(finding.isGood == isWell)
        #expect(finding.detail.contains("\(end)"))
    }

    /// In seconds from now.
    @Test(arguments: [(-1, true), (0, true), (1, false), (86_400, false)])
    func `a certificate that is not valid yet is none that phones take`(
        _ seconds: Int,
        _ isWell: Bool
    ) {
        let begin = Samples.instant.advanced(by: .seconds(seconds))
        let end = begin.advanced(by: .seconds(90 * 86_400))
        let finding = CertificateCheck.finding(.init(begin: begin, end: end), now: Samples.instant)
        #expect(finding.isGood == isWell)
        #expect(finding.detail.contains("\(isWell ? end : begin)"))
    }

    @Test(arguments: ["", "no certificate"])
    func `a certificate that is none, or nowhere, is named`(_ content: String) throws {
        try withFolder { folder in
            let file = "\(folder)/chain.pem"
            if !content.isEmpty { try Data(content.utf8).write(to: URL(fileURLWithPath: file)) }
            let finding = CertificateCheck(file: file).finding(now: Samples.instant)
            #expect(!finding.isGood)
            #expect(finding.detail.contains(file), "\(finding.detail)")
        }
    }

    // MARK: - Log

    @Test(
        arguments: [
            (.none, 0, nil), (.none, 3, "no checkpoint"), (.damaged("A tile."), 3, "A tile."),
            (.whole(Position(3)), 3, nil), (.whole(Position(2)), 3, "covers 2 events"),
            (.whole(Position(4)), 3, "only 3"),
        ] as [(PublishedLogCheck.Finding, Int, String?)]
    )
    func `a log that is not published as far as the record goes stands out`(
        _ found: PublishedLogCheck.Finding,
        _ end: Int,
        _ words: String?
    ) {
        let finding = PublishedLogFinding.finding(found, end: Position(end))
        #expect(finding.isGood == (words == nil))
        if let words { #expect(finding.detail.contains(words)) }
    }

    @Test(arguments: [(100, 102, nil, 0), (103, 102, nil, 1), (103, 102, 100, 1)])
    func `what happens while the doctor looks makes no log older than it is`(
        _ size: Int,
        _ end: Int,
        _ endAgain: Int?,
        _ questions: Int
    ) async throws {
        var asked = 0
        let finding = try await PublishedLogFinding.finding(
            .whole(Position(size)),
            end: Position(end)
        ) {
            asked += 1
            return Position(endAgain ?? size)
        }
        #expect(asked == questions)
        #expect(finding.detail.contains("there are only 100") == (endAgain != nil))
        #expect(finding.isGood == (size > end && endAgain == nil))
    }

    // MARK: - Export

    @Test(
        arguments: [
            (40, nil), (39, "behind"), (41, "ahead of"), (nil, "leads nowhere"),
        ] as [(Int?, String?)]
    )
    func `an export that is not where the log is stands out`(
        _ shown: Int?,
        _ words: String?
    ) throws {
        try withFolder { folder in
            if let shown {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/harbour",
                    withDestinationPath: "../snapshots/harbour/\(shown)"
                )
            }
            let findings = ExportCheck(folder: folder).findings([try Samples.app()])
            #expect(findings.map(\.isGood) == [words == nil])
            if let words { #expect(findings[0].detail.contains(words)) }
        }
    }

    // MARK: - Clock

    private func events(_ seconds: [Int64]) throws -> [EventAnswer] {
        try seconds.enumerated().map { index, second in
            EventAnswer(
                RecordedEvent(
                    position: Position(seconds.count - index),
                    id: UUID(),
                    stream: .app(try Samples.slug()),
                    revision: Revision(1),
                    recordedAt: Samples.instant.advanced(by: .seconds(second)),
                    command: CommandID(UUID()),
                    origin: Origin(
                        actor: .system,
                        authentication: .service,
                        correlation: UUID()
                    ),
                    event: .app(.renewalOrdered)
                )
            )
        }
    }

    // MARK: - Languages

    @Test func `texts in two languages that phones take for one are named`() throws {
        var document = Document(platform: .ios)
        for language in ["en", "he", "iw"] {
            let text = try Text(validating: "Update, in \(language).")
            let tag = try #require(LanguageTag(language))
            document.apply(
                Operation(.ios, .recommendedApp, .setText(.description, tag, text))
            )
        }
        let app = try Samples.app(published: 40).slug
        let finding = try #require(LanguageCheck.findings(of: document, of: app).first)
        #expect(!finding.isGood)
        #expect(finding.detail.contains("he and iw"))
        let field = "ios.recommendedApp.description.iw"
        #expect(finding.remedy?.hasSuffix("--remove-text \(field)") == true)
        let iw = try #require(LanguageTag("iw"))
        document.apply(Operation(.ios, .recommendedApp, .removeText(.description, iw)))
        #expect(LanguageCheck.findings(of: document, of: app).isEmpty)
    }

    // MARK: - Publication

    @Test(arguments: [
        (nil, nil, true), (nil, 9, true), (9, nil, false), (9, 8, false), (9, 9, true),
        (9, 10, true),
    ])
    func `an order that could not be published is named until a newer one is published`(
        _ failed: Int64?,
        _ published: Int64?,
        _ isWell: Bool
    ) throws {
        let failures = try failed.map { [try failure($0, "the signer is away")] } ?? []
        let app = try Samples.app(published: published)
        let finding = PublicationCheck.finding(
            app,
            failures: failures,
            PublicationGauges(metrics: "")
        )
        #expect(finding.isGood == isWell)
        #expect(finding.detail.contains("the signer is away") == !isWell)
    }

    @Test func `a store that is away does not hide an order that cannot be published`() throws {
        let failures = [
            try failure(40, "the store did not take it: it answered 403"),
            try failure(50, "the signer is away"),
        ]
        let gauges = PublicationGauges(metrics: gauges(sink: 1))
        let app = try Samples.app(published: 40)
        let finding = PublicationCheck.finding(app, failures: failures, gauges)
        #expect(!finding.isGood)
        #expect(finding.detail.contains("event 50"))
        #expect(finding.detail.contains("the signer is away"))
    }

    @Test(arguments: [("harbour", 1, false), ("harbour", 0, true), ("pier", 1, true)])
    func `a store that does not have the newest documents is named until it has them`(
        _ app: String,
        _ value: Int,
        _ isWell: Bool
    ) throws {
        let finding = PublicationCheck.finding(
            try Samples.app(published: 40),
            failures: [try failure(40, "the store did not take it: it answered 403")],
            PublicationGauges(metrics: gauges(sink: value, of: app))
        )
        #expect(finding.isGood == isWell)
        #expect(finding.detail.contains("it answered 403") == !isWell)
    }

    @Test(arguments: [(1, false), (0, true)])
    func `an export that is ahead of the log is named although its newest order was published`(
        _ value: Int,
        _ isWell: Bool
    ) throws {
        let cause = "snapshot 200 was published, which the log does not know"
        let finding = PublicationCheck.finding(
            try Samples.app(published: 113),
            failures: [
                try failure(113, cause), try failure(113, "the store did not take it"),
            ],
            PublicationGauges(metrics: gauges(sink: 0, snapshot: value))
        )
        #expect(finding.isGood == isWell)
        #expect(finding.detail.contains(cause) == !isWell)
    }

    private func gauges(sink: Int, of app: String = "harbour", snapshot: Int = 0) -> String {
        """
        # TYPE plimsoll_sink_failing gauge
        plimsoll_sink_failing{sink="store s3://config/live",app="\(app)"} \(sink)
        plimsoll_sink_failing{sink="hook",app="quay"} 1
        plimsoll_snapshot_failing{app="harbour"} \(snapshot)
        plimsoll_snapshot_failing{app="quay"} 1

        """
    }

    private func failure(_ number: Int64, _ cause: String) throws -> EventAnswer {
        EventAnswer(
            RecordedEvent(
                position: Position(20),
                id: UUID(),
                stream: .export(try Samples.slug()),
                revision: Revision(1),
                recordedAt: Samples.instant,
                command: CommandID(UUID()),
                origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
                event: .export(
                    .publicationFailed(
                        sequence: try #require(SnapshotSequence(rawValue: number)),
                        cause: cause
                    )
                )
            )
        )
    }

    // MARK: - Times

    /// How long before now the newest events were recorded.
    private static let records: [([Int64], Bool)] = [
        ([], true), ([0], true), ([5], true), ([6], false), ([0, -10, -20], true),
        ([-10, -5], true), ([-10, -4], false), ([-1, -20, -9, -30], false),
    ]

    @Test(arguments: records)
    func `a clock that was put forth or back shows in the record`(
        _ seconds: [Int64],
        _ isWell: Bool
    ) throws {
        let finding = RecordClockCheck.finding(try events(seconds), now: Samples.instant)
        #expect(finding.isGood == isWell, "\(finding.detail)")
    }
}
