import Logging
import PlimsollDomain
import PlimsollIngestion
import PlimsollStore

extension IngestionWorker {
    /// Fetches what the record says that Apple announced, and has the record say that it is there.
    init(
        _ settings: IngestionSettings,
        _ writer: Writer,
        _ lead: Leadership,
        logger: Logger
    ) {
        self.init(
            IngestionParts(
                awaited: { writer.awaitedPackages },
                growth: { writer.growth() },
                fetch: { package in
                    try await settings.ingest(package.version, of: package.items) { _, _, _ in }
                },
                record: { ingested, awaited in
                    let address = settings.address
                    try await writer.record(
                        ingested,
                        awaited,
                        below: address,
                        as: try lead.confirm()
                    )
                },
                logger: logger
            )
        )
    }
}

extension Writer {
    /// What is to be fetched, as far as this instance knows.
    var awaitedPackages: [AwaitedPackage] { isOpen ? logState.awaitedPackages : [] }
}

extension LogState {
    /// What Apple announced of apps that are listed; an app that is in no marketplace needs none.
    fileprivate var awaitedPackages: [AwaitedPackage] {
        apps.flatMap { app -> [AwaitedPackage] in
            let items = Set(app.distribution.listings.values.map(\.item))
            guard !items.isEmpty else { return [] }
            return app.distribution.packages.awaited.map {
                AwaitedPackage(app: app.slug, id: $0.id, version: $0.versionID, items: items)
            }
        }
    }
}

extension Writer {
    fileprivate func record(
        _ ingested: IngestedPackage,
        _ awaited: AwaitedPackage,
        below address: EndpointURL,
        as fence: Fence
    ) async throws {
        guard let package = ingested.package(id: awaited.id, below: address) else {
            throw UnwritableAddress(address: address)
        }
        let command = IngestPackage(
            package,
            of: awaited.app,
            announcedAs: awaited.version,
            reason: try Reason(validating: "Fetched from App Store Connect as \(awaited.version)"),
            by: .system
        )
        do throws(WriteError) {
            _ = try await perform(CommandRequest(command, fence: fence))
        } catch {
            guard case .refused(let refusal) = error, refusal == Refusal(.nothingChanges) else {
                throw error
            }
        }
    }
}

private struct UnwritableAddress: Error, CustomStringConvertible {
    let address: EndpointURL

    var description: String { "the addresses of packages below \(address) are too long" }
}
