import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace

/// `plimsoll marketplace package`: what there is of an app to hand out, and what of it is offered.
struct PackageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Make packages of an app known, and propose which of them are offered.",
        discussion: "For example: plimsoll marketplace package list --app harbour",
        subcommands: [
            ListPackagesCommand.self, ShowPackageCommand.self, AnnouncePackageCommand.self,
            IngestPackageCommand.self, OfferPackageCommand.self, MovePackageCommand.self,
            StopPackageCommand.self,
        ],
        aliases: ["packages"]
    )
}

/// `plimsoll marketplace package list`.
struct ListPackagesCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the packages of an app, the newest version first.",
        discussion: "For example: plimsoll marketplace package list --app harbour"
    )

    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listPackages, try await app.slug(client))
        return Report(list.json, list.blocks)
    }
}

extension PackageList {
    var blocks: [Report.Block] {
        let places = Dictionary(uniqueKeysWithValues: zip(offered, 0...))
        let rows = packages.map { answer in
            let package = answer.package
            return [
                package.version.text, excerpt(package.shortVersion.text, 20),
                excerpt(package.bundleVersion.text, 20), systems(of: package),
                "\(package.revision)", answer.state.rawValue,
                places[package.version].map { "\($0)" } ?? "",
            ]
        }
        let known = Set(packages.map(\.package.version))
        let unseen = withdrawn.filter { !known.contains($0) }.map(\.text)
        let none = "None is known; plimsoll marketplace package ingest makes one known."
        let headings = ["VERSION", "SHORT", "BUILD", "NEEDS", "REVISION", "STATE", "PLACE"]
        return Table(headings, rows).blocks(none: none)
            + (awaited.isEmpty
                ? [] : [.line("awaited    \(awaited.map(\.text).joined(separator: ", "))")])
            + (unseen.isEmpty ? [] : [.line("withdrawn  \(unseen.joined(separator: ", "))")])
    }
}

private func systems(of package: Package) -> String {
    package.minimumSystems.sorted { $0.key < $1.key }
        .map { "\($0.key) \($0.value.written)" }.joined(separator: ", ")
}

/// `plimsoll marketplace package show`.
struct ShowPackageCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is known of a package.",
        discussion: "For example: plimsoll marketplace package show 878123456789 --app harbour"
    )

    @Argument(help: "Its AppleVersionID.")
    var version: AppleVersionID
    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listPackages, try await app.slug(client))
        guard let answer = list.packages.first(where: { $0.package.version == version }) else {
            throw Failure(
                .failed,
                "There is no package of version \(version).",
                next: "plimsoll marketplace package list --app \(list.app)"
            )
        }
        return Report(answer.json, answer.blocks)
    }
}

extension PackageAnswer {
    var blocks: [Report.Block] {
        let lines = [
            "Package of version \(package.version), \(state.rawValue)",
            "short     \(excerpt(package.shortVersion.text, 200))",
            "build     \(excerpt(package.bundleVersion.text, 200))",
            "needs     \(systems(of: package))",
            "address   \(package.address)",
            "manifest  \(package.manifest)",
            "revision  \(package.revision)",
        ]
        let id = package.id.map { ["package   \($0)"] } ?? []
        let keys = package.isComplete ? [] : ["keys      some are missing: it cannot be offered"]
        return (lines + id + keys).map(Report.Block.line)
    }
}

/// `plimsoll marketplace package announce`: a package will come.
struct AnnouncePackageCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Make known that Apple has made a package, before it is fetched.",
        discussion: """
            Notifications do that by themselves; announcing it once more changes nothing.

            For example:
              plimsoll marketplace package announce 5f2c9a10 --package-version 77b0e4d2 \\
                --app harbour
            """
    )

    @Argument(help: "The id of the package in App Store Connect.")
    var package: PackageID
    @Option(help: "The id of its version there.")
    var packageVersion: PackageID
    @OptionGroup var app: AppOption
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let announcement = PackageAnnouncement(id: package, versionID: packageVersion)
        return try await write(
            Endpoints.announcePackage,
            { try await app.slug($0) },
            AnnouncementForm(announcement),
            output
        ) {
            Receipt($0.blocks)
        }
    }
}

/// `plimsoll marketplace package ingest`: a package lies where devices fetch it.
struct IngestPackageCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Make a package known that lies where devices fetch it.",
        discussion: """
            What it is stands in its manifest.json, which is read and not sent; or say it. The address \
            lies on a registered domain of a marketplace that lists the app. Without --incomplete the \
            keys of all its variants are there. Making it known once more changes nothing, and nothing \
            is offered by it.

            Examples:
              plimsoll marketplace package ingest --manifest manifest.json --app harbour \\
                --address https://market.example.com/packages/878123456789/
              plimsoll marketplace package ingest --version-id 878123456789 \\
                --short-version 3.2.0 \\
                --bundle-version 412 --os 17.4 \\
                --digest 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 \\
                --address https://market.example.com/packages/878123456789/
            """
    )

    @OptionGroup var facts: PackageFactOptions
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var app: AppOption
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (package, manifest) = try facts.said()
        let form = PackageForm(package: package, reason: try Reason(written: reason))
        return try await write(
            Endpoints.ingestPackage,
            { client in
                let slug = try await app.slug(client)
                if let manifest { try await facts.check(manifest, is: slug, client) }
                return slug
            },
            form,
            output
        ) { answer in
            let version = answer.package.version
            return Receipt(
                answer.blocks,
                answer.state == .available
                    ? "It is offered with: plimsoll marketplace package offer \(version) --title …"
                    : nil
            )
        }
    }
}

/// What is to be known of a package.
struct PackageFactOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Its manifest, whose bytes its digest is of.", valueName: "path"))
    private var manifest: String?
    @Option(help: "The folder that devices fetch it from.")
    private var address: EndpointURL
    @Option(help: "What notifications call it.")
    private var package: PackageID?
    @Flag(help: "Keys of its variants are missing: it is known, and cannot be offered.")
    private var incomplete = false
    @Option(help: "Its AppleVersionID.")
    private var versionId: AppleVersionID?
    @Option(help: "The version that people read.")
    private var shortVersion: String?
    @Option(help: "The number of the build.")
    private var bundleVersion: String?
    @Option(help: "The oldest iOS that it runs on.")
    private var os: AppleVersion?
    @Option(help: "SHA-256 of its manifest.")
    private var digest: ManifestDigest?
    @Option(help: "How often Apple has made it anew (default: 1).")
    private var revision: Int64?

    func validate() throws {
        let isSaid =
            [versionId?.text, shortVersion, bundleVersion].contains { $0 != nil } || os != nil
            || digest != nil || revision != nil
        if isSaid == (manifest != nil) {
            throw ValidationError(
                "Give --manifest, or else --version-id, --short-version, --bundle-version, --os and"
                    + " --digest."
            )
        }
    }

    /// The package, and the manifest that says what it is.
    func said() throws -> (Package, PackageManifest?) {
        if let path = manifest {
            let bytes = try contents(of: path, upTo: PackageManifest.limits.sizeMaximum)
            guard let digest = ManifestDigest(hex: ContentDigest(of: bytes).hex) else {
                preconditionFailure("a digest is written in hexadecimal digits")
            }
            let manifest = try read(bytes, path)
            let package = manifest.package(
                id: package,
                at: address,
                digest: digest,
                isComplete: !incomplete
            )
            return (package, manifest)
        }
        guard let versionId, let shortVersion, let bundleVersion, let os, let digest else {
            throw ValidationError(
                "Without --manifest all of --version-id, --short-version, --bundle-version, --os and"
                    + " --digest are needed."
            )
        }
        let package = Package(
            version: versionId,
            id: package,
            shortVersion: try valid(shortVersion, "--short-version", Label.init(validating:)),
            bundleVersion: try valid(bundleVersion, "--bundle-version", Label.init(validating:)),
            minimumSystems: [.ios: os],
            address: address,
            manifest: digest,
            revision: revision ?? 1,
            isComplete: !incomplete
        )
        return (package, nil)
    }

    private func read(_ bytes: [UInt8], _ path: String) throws -> PackageManifest {
        do throws(JSONIssues) {
            return try PackageManifest(parsing: bytes)
        } catch {
            throw Failure(
                .failed,
                "\(legible(path)) is no manifest of a package.",
                checks: error.checks
            )
        }
    }

    /// Refuses the manifest of another app, where it is listed at all.
    func check(
        _ manifest: PackageManifest,
        is app: AppSlug,
        _ client: AdminClient
    ) async throws {
        let listings = try await client.call(Endpoints.listPackages, app).listings.map(\.listing)
        let said = Listing(item: manifest.item, bundle: manifest.bundle)
        guard !listings.isEmpty, !listings.contains(said) else { return }
        let known = listings.map { "\($0.item) (\($0.bundle))" }.joined(separator: ", ")
        throw Failure(
            .failed,
            "The manifest is of \(said.item) (\(said.bundle)), and \(app) is listed as \(known).",
            next: "plimsoll marketplace listing list --app \(app)"
        )
    }
}
