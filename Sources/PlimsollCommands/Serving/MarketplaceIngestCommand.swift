import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollIngestion
import PlimsollServer
import Synchronization

/// `plimsoll marketplace ingest`: brings a package from App Store Connect to where devices get it.
struct MarketplaceIngestCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Fetch a version of a package from App Store Connect, and make it known.",
        discussion: """
            It is laid out byte for byte in the folder, below its AppleVersionID and its revision, once \
            every piece of every file has the digest that the manifest gives. What is cut off goes on \
            where it was when the command is run again. A service with the settings \
            marketplace.connect and marketplace.packages does the same by itself with whatever Apple \
            announces.

            For example:
              plimsoll marketplace ingest --app harbour \\
                --version d1663e24-4360-4f7f-a661-8e616e3b3c3b \\
                --issuer 57246542-96fe-1a63-e053-0824d011072a --key-id 2X9R4HXF34 \\
                --key /etc/plimsoll/AuthKey.p8 --folder /srv/packages \\
                --address https://market.example.com/packages/
            """
    )

    @OptionGroup var app: AppOption
    @Option(help: "The id of the package's version in App Store Connect.")
    var version: PackageID
    @Option(help: "The id of the package itself, which withdrawals name.")
    var package: PackageID?
    @Option(help: "The issuer of the key, as App Store Connect shows it.")
    var issuer: String
    @Option(help: "The id of the key.")
    var keyID: String
    @Option(help: "The file of the key that App Store Connect gave, which nobody else can read.")
    var key: String
    @Option(help: "The folder that packages are laid out in.")
    var folder: String
    @Option(help: "Where devices find that folder.")
    var address: EndpointURL
    @Option(
        help: ArgumentHelp(
            "An object store that the package is brought to as well: s3://bucket/prefix.",
            valueName: "address"
        )
    )
    var store: String?
    @Option(help: ArgumentHelp("Another App Store Connect.", visibility: .hidden))
    var origin: String?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuseEmpty(key, "--key")
        try refuseEmpty(folder, "--folder")
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        var settings = try IngestionSettings(
            issuer: issuer,
            keyID: keyID,
            keyFile: absolutePath(key),
            namedBy: "--key",
            origin: origin,
            folder: absolutePath(folder),
            address: address
        )
        if let store, !store.isEmpty {
            settings = try settings.storing(at: store, key: "--store", environment: environment)
        }
        return try await bring(version, package, settings, output)
    }

    private func bring(
        _ version: PackageID,
        _ id: PackageID?,
        _ settings: IngestionSettings,
        _ output: Output
    ) async throws -> ExitStatus {
        try await service.withClient { client in
            let slug = try await app.slug(client)
            let list = try await client.call(Endpoints.listPackages, slug)
            let items = Set(list.listings.map(\.listing.item))
            let ingested = try await fetch(version, of: items, settings)
            guard let package = ingested.package(id: id, below: settings.address) else {
                throw ValidationError("--address is too long.")
            }
            let form = PackageForm(
                package: package,
                announcedAs: version,
                reason: try Reason(written: reason)
            )
            let answer = try await client.call(Endpoints.ingestPackage, slug, form, WriteOptions())
            output.show(Report(answer.json, answer.blocks))
            return .done
        }
    }

    /// An app that is listed nowhere yet may have packages of any number.
    private func fetch(
        _ version: PackageID,
        of items: Set<AppleItemID>,
        _ settings: IngestionSettings
    ) async throws -> IngestedPackage {
        let bar = ProgressBar()
        defer { bar.end() }
        do {
            return try await settings.ingest(version, of: items.isEmpty ? nil : items) {
                bar.show($0, of: $1, $2)
            }
        } catch let failure as IngestionFailure {
            bar.end()
            throw Failure(.failed, failure.description, next: "run the same command again")
        }
    }
}

/// A line that says how far a download is, on a terminal; elsewhere nothing is shown.
final class ProgressBar: Sendable {
    private let shown = Mutex<Int?>(nil)
    private let isVisible = Channel.standardError.isTerminal && Output.isTalkative

    private static let width = 30

    func show(_ done: Int64, of total: Int64, _ name: String) {
        guard isVisible, total > 0 else { return }
        let percent = Int(Double(done) / Double(total) * 100)
        let isNew = shown.withLock { last in
            defer { last = percent }
            return last != percent
        }
        guard isNew else { return }
        let filled = percent * Self.width / 100
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: Self.width - filled)
        Channel.standardError.write(
            "\r[\(bar)] \(percent) % of \(total / 1_000_000) MB  \(legible(name))\u{1B}[K"
        )
    }

    /// Takes the line away.
    func end() {
        let wasShown = shown.withLock { last in
            defer { last = nil }
            return last != nil
        }
        if wasShown { Channel.standardError.write("\r\u{1B}[K") }
    }
}
