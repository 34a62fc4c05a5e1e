import Foundation
import Logging
import PlimsollPostgres
import PlimsollSystem
import PlimsollJSON

/// A whole service with the sample app, as its users see it.
struct RunningService {
    let rest: UInt16
    let edge: UInt16
    private let data: Path
    /// Its private PostgreSQL, as libpq reads it.
    let database: String
    private let process: Int32

    static let documentPath = "/distribution/availability-ios"

    /// Starts the service, calls the body and stops it.
    static func with<Answer>(
        _ program: String,
        data: Path,
        options: [String] = [],
        _ body: (RunningService) async throws -> Answer
    ) async throws -> Answer {
        let output = URL(filePath: data.string + ".log")
        let server = try Server(
            "plimsoll",
            [
                program, "serve", "--sample", "--data", data.string, "--listen", "127.0.0.1:0",
                "--public-listen", "127.0.0.1:0", "--log-level", "warning",
            ] + options,
            alone: false,
            output: output
        ) { announcement(output).contains("Try next:") }
        defer { server.stop() }
        let service = try RunningService(
            announcement: announcement(output),
            data: data,
            process: server.id
        )
        return try await body(service)
    }

    private static func announcement(_ output: URL) -> String {
        // Unreadable is as good as not yet written.
        (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    }

    private init(announcement: String, data: Path, process: Int32) throws {
        (self.data, self.process) = (data, process)
        func port(_ name: String) throws -> UInt16 {
            let line = announcement.split(separator: "\n").first { $0.contains("  \(name) ") }
            let digits = line?.split(separator: ":").last
            return try known(digits.flatMap { UInt16($0) }, "the port of \(name)")
        }
        rest = try port("REST")
        edge = try port("phones")
        database =
            PrivateCluster(
                configuration: PrivateCluster.Configuration(stateDirectory: data),
                logger: .quiet("postgres")
            ).connection
    }
}

extension RunningService {
    /// The token that the first start on a new log made.
    var adminToken: String {
        get throws {
            try String(contentsOfFile: data.string + "/admin-token", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The keys that edges are given.
    var keys: Path { data / "export" / "keys.json" }

    /// Returns once it does all of its work, and so has read the whole log.
    func whenReady() async throws {
        let deadline = ContinuousClock.now + .seconds(1800)
        while try HTTPConnection(port: rest).send("GET", "/readyz").status != 200 {
            guard ContinuousClock.now < deadline else {
                throw Failure(sentence: "the service is not ready")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// How much memory it has had at once, in millions of bytes.
    func memoryMaximum() throws -> Double { try MemoryMaximum(of: process).megabytes }

    /// Counts its memory anew from now on.
    func forgetMemoryMaximum() throws { try MemoryMaximum.forget(of: process) }
}

/// A person with a token, at the REST interface.
struct Person {
    let token: String
    let connection: HTTPConnection

    /// Lets somebody in, who may do this on all apps.
    func admit(_ name: String, as role: String) throws -> Person {
        let answer = try send(
            "POST",
            "/v1/tokens",
            ["name": .string(name), "roles": [["role": .string(role)]]]
        )
        let token = try known(answer["token"]?.string, "a token")
        return Person(token: token, connection: connection)
    }

    /// What a request that has to succeed is answered with.
    func send(
        _ method: String,
        _ path: String,
        _ body: JSONValue? = nil,
        fields: [(name: String, value: String)] = []
    ) throws -> JSONValue {
        let own = [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
        let answer = try connection.send(
            method,
            path,
            fields: own + fields,
            body: body?.canonicalBytes() ?? []
        )
        guard (200..<300).contains(answer.status) else {
            let words = String(decoding: answer.body, as: UTF8.self)
            throw Failure(sentence: "\(method) \(path) was answered \(answer.status): \(words)")
        }
        guard !answer.body.isEmpty else { return .null }
        return try JSONValue(parsing: answer.body, limits: JSONLimits(sizeMaximum: 1 << 20))
    }
}
