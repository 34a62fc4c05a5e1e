import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import Testing

/// What orders a publication; settings do where they alter bytes, as they do in these tests.
private let orders: Set = [
    "AppSettingsChanged", "ChangeApplied", "KeyActivated", "KeyCompromised", "KeyRetired",
    "DefaultAppChosen", "ReleaseAmended", "ReleaseRegistered", "ReleaseWithdrawn", "RenewalOrdered",
    "RolledBack", "MarketplaceSet", "MarketplaceRemoved", "AppListed", "AppUnlisted",
    "PackageIngested", "PackagesWithdrawn",
]

/// One run of the service: its process, and everybody who speaks to it.
struct RunningServer: Sendable {
    let fixture: ServerFixture
    let processID: Int32
    /// Where its administration is asked; `nil` for its own address.
    var door: String?

    func send(_ signal: Int32) { _ = Glibc.kill(processID, signal) }

    /// Whether the process is there and not only waited for.
    var isAlive: Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
        else { return false }
        return stat.split(separator: ") ").last?.first != "Z"
    }

    func wait(for beginning: ServerFixture.Beginning) async throws {
        guard beginning != .started else { return }
        try await eventually("the service \(beginning)") {
            let log = try fixture.logText()
            try #require(isAlive, "the service ended: \(log)")
            switch beginning {
            case .ready: return try fixture.announcementText().contains("Try next:") ? () : nil
            case .edge, .started:
                return log.contains("edge listens") ? () : nil
            }
        }
        if beginning == .ready { _ = try await settle() }
    }

    /// Whether it is the one that publishes, as it says itself.
    func isLeading() async throws -> Bool {
        let metrics = try await send(.get, "/metrics", as: nil).answer.body
        // The line itself, not the one that explains it.
        let line = "\nplimsoll_exporter_active 1\n"
        return String(decoding: metrics, as: UTF8.self).contains(line)
    }

    /// Waits until what was ordered last is published and recorded; answers the whole log.
    func settle() async throws -> [JSONValue] {
        let token = try fixture.adminToken()
        return try await eventually("the record of what phones read") {
            let probe = try await send(.get, "/v1/events?limit=1", as: token)
            guard probe.status == 200 else {
                return [JSONValue]?.none
            }
            let events = try await events(as: token)
            let told = events.last { $0["type"]?.string == "SnapshotPublished" }
            let ordered = events.last { orders.contains($0["type"]?.string ?? "") }
            let sequence = told?["data"]?["sequence"]?.integer
            return sequence == ordered?["position"]?.integer ? events : nil
        }
    }

    /// Where the process listens; it chose the port itself and said so.
    func rest() throws -> String {
        if let door { return door }
        return try #require(try address(after: "listening on "), "REST does not listen yet")
    }

    func edge() throws -> String {
        try #require(try address(after: "address.bound="), "the edge does not listen yet")
    }

    func address(after words: String) throws -> String? {
        let text = try fixture.logText()
        guard let start = text.range(of: words)?.upperBound else { return nil }
        return String(text[start...].prefix { $0.isNumber || $0 == "." || $0 == ":" })
    }

    /// The whole program as a person runs it, in its own process.
    func plimsoll(_ arguments: [String], as token: String) async throws -> Outcome {
        try await Program.run(
            try Program.plimsoll(),
            arguments,
            environment: [
                "PLIMSOLL_URL": "http://\(try rest())", "PLIMSOLL_TOKEN": token,
                "PLIMSOLL_PUBLIC_URL": "http://\(try edge())",
            ]
        )
    }

    /// What a phone gets.
    func phone(_ path: String = "/distribution/availability-ios") async throws -> WebAnswer {
        try await fixture.transport.send(WebRequest(.get, "http://\(try edge())\(path)"))
    }

    /// The members of the document on a platform that say where it stands.
    func published(_ platform: String = "ios") async throws -> Published {
        try Published(try await phone("/distribution/availability-\(platform)"))
    }
}

/// A document as it is served, with its signature.
struct Published: Sendable {
    let answer: WebAnswer
    let document: JSONValue
    let sequence: Int64

    init(_ answer: WebAnswer) throws {
        try #require(answer.status == 200)
        self.answer = answer
        document = try JSONValue(parsing: answer.body, limits: JSONLimits(sizeMaximum: 1 << 20))
        sequence = try #require(document["plimsoll"]?["sequence"]?.integer)
    }

    var minimumApp: String? { document["minimumAppVersion"]?["value"]?.string }

    func text(_ language: String) -> String? {
        document["minimumAppVersion"]?["description"]?[language]?.string
    }
}
