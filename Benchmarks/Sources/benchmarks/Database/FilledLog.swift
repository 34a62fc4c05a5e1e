import PlimsollDomain
import PlimsollService
import PlimsollStore
import PlimsollSystem

/// A log of many events that a service can go on with: its keys lie in the service's data folder,
/// and somebody may do everything.
struct FilledLog: Sendable {
    let server: ScratchServer
    /// The data folder of the service that goes on with it.
    let data: Path
    let admin: TokenRecord
    /// The administrator's, as the REST interface takes it.
    let token: String

    /// Runs the body on a log of at least so many events, which is filled where it is not yet.
    static func with<Answer: Sendable>(
        in parent: Path,
        events: Int,
        _ body: @escaping @Sendable (FilledLog) async throws -> Answer
    ) async throws -> Answer {
        let folder = parent / "log-\(events)"
        let data = folder / "service"
        return try await ScratchServer.with(in: folder) { server in
            let keys = EntryKeyFolder(data / "keys" / EntryKeyFolder.name)
            let authentication = EntryAuthentication(keysIn: keys)
            try await Filling(
                server: server,
                folder: data,
                events: events,
                authentication: authentication
            ).run()
            let secret = TokenSecret.random()
            let admin = try await WorkingWriter.with(
                on: server,
                authentication: authentication
            ) { working in
                try await Crew.admit(.admin, by: working.writer, secret: secret.digest)
            }
            return try await body(
                FilledLog(server: server, data: data, admin: admin, token: secret.text)
            )
        }
    }
}
