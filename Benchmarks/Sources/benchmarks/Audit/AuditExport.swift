import Foundation
import PlimsollPostgres

/// The whole record out of a running service as NDJSON, against psql that copies the rows.
struct AuditExport {
    let options: Options
    let log: FilledLog
    let events: Int

    private static let copy = """
        \\copy (SELECT * FROM log.event ORDER BY position) TO '/dev/null'
        """

    func scores() async throws -> (speed: Score, memory: Score)? {
        guard let program = options.plimsoll else { return nil }
        return try await RunningService.with(
            program,
            data: log.data,
            options: ["--database-url", log.server.connection]
        ) { service in
            var speed = Score("NDJSON of all", against: "psql \\copy", target: .atLeast(0.5))
            var memory = Score("service at its most", against: "allowed", target: .atMost(1))
            try await service.whenReady()
            // What only the start needed it gives back by then.
            try await Task.sleep(for: .seconds(8))
            try service.forgetMemoryMaximum()
            for _ in 1...max(options.rounds / 2, 2) {
                let exporting = try await Lap.measure {
                    try await export(from: service)
                }
                let copying = try await Lap.measure {
                    let arguments = ["-X", "-q", "-d", log.server.connection, "-c", Self.copy]
                    _ = try await Tool.output("psql", arguments)
                }
                speed.note(
                    Double(events) / exporting.duration,
                    against: Double(events) / copying.duration
                )
                memory.note(try service.memoryMaximum(), against: 100)
            }
            return (speed, memory)
        }
    }

    private func export(from service: RunningService) async throws {
        let url = "http://127.0.0.1:\(service.rest)/v1/events?order=oldest"
        let count = try await Tool.output(
            "curl",
            [
                "--silent", "--fail", "--output", "/dev/null", "--write-out", "%{size_download}",
                "--header", "Authorization: Bearer \(log.token)",
                "--header", "Accept: application/x-ndjson", url,
            ]
        )
        guard let size = Int(count), size > events * 100 else {
            throw Failure(sentence: "the export has \(count) bytes for \(events) events")
        }
    }
}
