import FoundationEssentials
import PlimsollDomain
import PlimsollEdge
import PlimsollLog
import PlimsollPublishing
import PlimsollService
import PlimsollStore
import PlimsollSystem

// What publishing is put together from.

extension PublicationRecorder {
    init(writer: Writer, log: EventLog) {
        self.init(
            perform: { command, identity, fence in
                let request = CommandRequest(command, identity: identity, fence: fence)
                _ = try await writer.perform(request)
            },
            head: { try await log.head().position }
        )
    }
}

extension ServerConfiguration {
    /// Stores first, so that no cache fills itself from one that has the old documents yet.
    var sinks: [any Sink] {
        let now: @Sendable () -> Instant = { Instant(Date.now) }
        var sinks: [any Sink] = stores.map {
            StoreSink($0, cacheControl: EdgeTable.defaultCacheControl, now: now)
        }
        if let purge { sinks.append(PurgeSink(purge, now: now)) }
        return sinks
    }

    /// The content keys, with the key service that this instance asks.
    var signingKeys: SigningKeys {
        var settings = KeyManagementService.Settings()
        settings.endpoint = keyServiceEndpoint
        var signingKeys = SigningKeys(folder: keys)
        signingKeys.service = KeyManagementService(settings)
        return signingKeys
    }

    var logKeyFile: LogKeyFile { LogKeyFile(logKey, origin: logOrigin) }

    /// The verifier key as it is published; what cannot be read is not there.
    var publishedLogKey: @Sendable () async -> String? {
        let tiles = TileStore(ExportFolder(export))
        return { (try? tiles.key())?.text }
    }
}
