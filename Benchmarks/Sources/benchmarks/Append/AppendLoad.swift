import PlimsollDomain
import PlimsollStore
import PlimsollSystem

/// Writers that each append one event after the other.
struct AppendLoad: Sendable {
    private let writer: Writer
    private let log: EventLog
    private let crew: Crew
    private let seconds: Int

    /// Runs the body while a server of its own is up; it has written for a while by then.
    static func with<Answer: Sendable>(
        _ options: Options,
        _ name: String,
        isAuthenticated: Bool,
        _ body: @escaping @Sendable (AppendLoad, ScratchServer) async throws -> Answer
    ) async throws -> Answer {
        let folder = options.folder / name
        return try await ScratchServer.with(in: folder) { server in
            let keys = EntryKeyFolder(folder / EntryKeyFolder.name)
            let authentication = isAuthenticated ? EntryAuthentication(keysIn: keys) : nil
            try authentication?.prepare()
            return try await WorkingWriter.with(on: server, authentication: authentication) {
                working in
                let writer = working.writer
                if let key = writer.firstEntryKey, writer.logState.entryKeys.current == nil {
                    let command = AddEntryKey(key, reason: nil, by: .system)
                    _ = try await writer.perform(CommandRequest(command))
                }
                let load = AppendLoad(
                    writer: writer,
                    log: working.log,
                    crew: try await Crew.admitted(by: writer, apps: 1, keys: folder / "keys"),
                    seconds: options.seconds
                )
                _ = try await load.run(writers: AppendBenchmark.waiting)
                return try await body(load, server)
            }
        }
    }

    /// How many events became durable in a second.
    func run(writers: Int) async throws -> Double {
        let app = crew.apps[0]
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<writers {
                group.addTask(name: "writer") {
                    var count = 0
                    while ContinuousClock.now < end {
                        let receipt = try await writer.perform(crew.request(OrderRenewal(app: app)))
                        count += receipt.events.count
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    /// The last entry that was appended, as large as the others.
    func entry() async throws -> [UInt8] {
        let end = try await log.head().position
        let event = try known(try await log.event(at: end), "an event")
        return try EventCodec.encode(event)
    }
}
