import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

/// How somebody who appends stands to the others.
enum AppendPlace {
    case inLine
    /// It was overtaken, and nobody else appends for a moment.
    case next
}

/// What a group came to, and what its process did not know.
struct AppendReply: Sendable {
    let answers: [AppendAnswer]
    /// `nil` where nothing was told.
    var news: NewerEvents?
}

/// Events that others appended, from the first that was not known.
struct NewerEvents: Sendable {
    var entries: [(position: Position, entry: [UInt8])] = []
    /// Where the log ends, which may be beyond what was told.
    var end: Position
}

extension AppendReply {
    init(_ rows: [Row]) throws(PostgresError) {
        var answers: [AppendAnswer] = []
        var news: NewerEvents?
        for row in rows {
            guard try row.value(at: 1, as: String.self) == "event" else {
                answers.append(try AppendAnswer(row))
                continue
            }
            let end = try Position(row: try row.value(at: 3))
            let position = try Position(row: try row.value(at: 2))
            news = news ?? NewerEvents(end: end)
            news?.entries.append((position, try row.value(at: 8)))
        }
        self.init(answers: answers, news: news)
    }
}

extension AppendAnswer {
    /// Whether others came first; then nobody else appends for a moment.
    var isOvertaken: Bool {
        switch self {
        case .conflict, .clockBehind: true
        case .appended, .duplicate, .mismatch, .undecided: false
        }
    }
}

extension [LogCommand] {
    /// The leases of the leaders that they come from, each once, and the epochs of these.
    private var fences: [Fence] {
        Set(compactMap(\.fence)).sorted { $0.lease.rawValue < $1.lease.rawValue }
    }
    var leases: [String] { fences.map(\.lease.rawValue) }
    var epochs: [Int64] { fences.map(\.epoch.rawValue) }
}

extension PostgresError {
    /// Whether a leader was refused because there is a later one.
    package var isSuperseded: Bool { sqlState == SQLState(rawValue: "PLFEN") }

    /// Whether somebody was refused who knows what the log does not have.
    var saysLogIsLost: Bool { sqlState == "PLBHD" || sqlState == "PLFRK" }
}

extension LogTip? {
    /// Behind every log for whoever knows nothing: they are told no news.
    var place: Int64 { self?.position.rawValue ?? .max }
    var leaf: [UInt8]? { self?.leaf.bytes }
}
