import Foundation
package import Logging
import NIOCore
import PlimsollDomain
import PlimsollSystem
import ServiceLifecycle
import Synchronization

/// The public listener: answers phones from memory, whatever happens to everything else.
///
/// It needs no database and no disk. ``update(_:)`` gives it what to serve, before it runs or
/// while it does; until then it is up and says 404, or 503 where it begins unloaded.
///
/// ```swift
/// let edge = EdgeService(EdgeConfiguration(port: 8081), logger: logger)
/// edge.update(table)
/// ```
package final class EdgeService: Service {
    private let configuration: EdgeConfiguration
    private let logger: Logger
    private let source: TableSource
    private let bound = OneShot<EdgeAddress>()

    package init(
        _ configuration: EdgeConfiguration,
        table: EdgeTable = .empty,
        logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        source = TableSource(table)
    }

    /// What is being served.
    package var table: EdgeTable { source.table }

    /// Whether devices that install from a marketplace are answered.
    var answersDevices: Bool { configuration.devices != nil }

    /// Serves another table from now on: once this returns, every request that arrives is
    /// answered from it.
    package func update(_ table: EdgeTable) {
        source.publish(table)
    }

    /// Where it listens, as soon as it does; throws when it could not.
    package func address() async throws -> EdgeAddress {
        try await bound.value
    }

    /// The same as a URL, without a path.
    package func url() async throws -> String {
        "\(configuration.tls == nil ? "http" : "https")://\(try await address())"
    }

    /// Serves until graceful shutdown, which lets requests under way finish.
    package func run() async throws {
        do {
            try await serve()
        } catch {
            bound.settle(.failure(error))
            throw error
        }
    }

    private func serve() async throws {
        let parts = makeParts()
        let (source, metrics, tls) = (source, parts.metrics, configuration.tls)
        let onTick = { @Sendable in
            metrics.recordAges(source.table, at: .current)
            if let tls { metrics.recordCertificate(until: tls.end, at: .current) }
        }
        if let tls {
            let listener = EncryptedListener(configuration: configuration, tls: tls, parts: parts)
            try await listener.run(announce: announce, onTick: onTick)
        } else {
            let listener = PlainListener(configuration: configuration, parts: parts)
            try await listener.run(announce: announce, onTick: onTick)
        }
    }

    private func makeParts() -> EdgeParts {
        let maximum = OpenFiles.connectionsMaximum(
            configuration.limits.connectionsMaximum,
            limit: OpenFileLimit.raise()
        )
        logger.info("edge admits", metadata: ["connections.maximum": "\(maximum)"])
        let admission = Admission(maximum: maximum)
        let packages = configuration.packages.map {
            PackageLookup($0, descriptors: admission, connectionsMaximum: maximum)
        }
        BrokenPipes.survive()
        return EdgeParts(
            source: source,
            limits: configuration.limits,
            admission: admission,
            streams: Admission(maximum: maximum),
            devices: configuration.devices,
            packages: packages,
            snapshots: PublishedSnapshots.workers(
                descriptors: admission,
                connectionsMaximum: maximum
            )
        )
    }

    private func announce(_ port: Int) {
        let address = EdgeAddress(host: configuration.host, port: port)
        logger.info("edge listens", metadata: ["address.bound": "\(address)"])
        bound.settle(.success(address))
    }
}

/// What all threads of a listener share.
struct EdgeParts: Sendable {
    let source: TableSource
    let limits: EdgeLimits
    let admission: Admission
    /// Of requests over HTTP/2 beside the first of each connection: as many as there may be
    /// connections, so that all of them hold no more than twice what one request for each would.
    let streams: Admission
    /// Who answers devices that install from a marketplace, where anybody does.
    var devices: (any DeviceResponder)?
    /// Who hands out packages, where any are served.
    var packages: PackageLookup?
    /// Who reads snapshots that were published before.
    let snapshots: FileWorkers
    /// Of bodies that weigh more than a head does.
    let largePosts = Admission(maximum: 64)
    let metrics = EdgeMetrics()
    let tiles = TileResponder()

    /// So many clients may wait to be let in.
    static let backlog = 1024
    /// Requests are small; how many bytes a client may have sent ahead is bounded by this.
    static let receiveBufferSize = 65_536

    /// Waits for the end; says how long connections have to come to theirs, which is no time
    /// where it was not announced, but the task cancelled.
    func patienceAtEnd() async -> Duration {
        do {
            try await gracefulShutdown()
            return limits.drainTimeout
        } catch {
            return .zero
        }
    }
}

/// Where the edge listens, with how many threads, and within which limits.
package struct EdgeConfiguration: Sendable {
    package var host: String
    /// 0 lets the system choose; ``EdgeService/address()`` says what it chose.
    package var port: Int
    /// One for each processor that the process may use, unless told otherwise.
    package var threads: Int
    package var limits: EdgeLimits
    /// What is shown to clients that speak TLS; nil for a listener that speaks plain HTTP.
    package var tls: TLSSource?
    /// Who answers devices that install from a marketplace; nil for a listener that only publishes.
    package var devices: (any DeviceResponder)?
    /// The packages that are served; nil for a listener that serves none.
    package var packages: PackageSettings?

    package init(
        host: String = "127.0.0.1",
        port: Int,
        threads: Int? = nil,
        limits: EdgeLimits = EdgeLimits(),
        tls: TLSSource? = nil
    ) {
        precondition((0...65_535).contains(port), "a port is a number of sixteen bits")
        let threads = threads ?? Processors.count
        precondition(threads > 0, "somebody has to answer")
        self.host = host
        self.port = port
        self.threads = threads
        self.limits = limits
        self.tls = tls
    }
}

/// Where the edge is reached.
package struct EdgeAddress: Equatable, Sendable {
    package let host: String
    package let port: Int
}

extension EdgeAddress: CustomStringConvertible {
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// What one client may ask of the listener, in bytes, fields and time.
///
/// The defaults are for a public port. Tests pass short times.
package struct EdgeLimits: Sendable {
    /// Of the request line and the fields together; beyond it 431.
    package var headSizeMaximum = 8192
    /// Beyond it 414.
    package var targetLengthMaximum = 2048
    /// Beyond it 431.
    package var fieldCountMaximum = 100
    /// Of a body that comes with `GET` or `HEAD`, although nobody reads it; beyond it 413.
    package var bodySizeMaximum: UInt64 = 65_536
    /// Of what a device asks with `POST`; beyond it 413.
    package var postSizeMaximum: UInt64 = 1 << 20
    /// From the first byte of a head to its last, or to that of a body that is read; beyond it 408.
    package var headTimeout: Duration = .seconds(10)
    /// Without a request, or without taking what was answered.
    package var idleTimeout: Duration = .seconds(75)
    /// For the client to close after the last answer; closing at once could destroy it.
    package var lingerTimeout: Duration = .seconds(2)
    /// For requests under way when the service stops.
    package var drainTimeout: Duration = .seconds(5)
    /// On all event loops together, or fewer where the system allows few files; beyond it 503.
    package var connectionsMaximum = 50_000
    /// How often dates are renewed, times looked at and counts reported.
    package var tickInterval: Duration = .seconds(1)

    package init() {}
}

/// How many files and sockets this process may have open.
enum OpenFiles {
    /// For everything that is not a client: snapshots to read, the database, health checks.
    static let reserve = 256

    /// How many connections there may be: what was asked for, or what the system leaves.
    ///
    /// At the system's limit nothing can be opened any more, the next snapshot included; a
    /// client that is refused in good time costs less.
    static func connectionsMaximum(_ wanted: Int, limit: Int?) -> Int {
        guard let limit else { return wanted }
        return min(wanted, max(limit - reserve, limit / 2, 1))
    }
}

/// The processors that this process may run on.
enum Processors {
    /// How many there are, by the limits of its group and by those of its own: threads that have to
    /// share one keep every answer waiting for a turn.
    static var count: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return min(System.coreCount, status.flatMap(allowed) ?? .max)
    }

    /// Reads what Linux says of a process, where the line is `Cpus_allowed_list: 0-1,4`; `nil`
    /// where it does not say (proc_pid_status(5)).
    static func allowed(by status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
        guard let list = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return nil }
        var count = 0
        for range in list.split(separator: ",") {
            let ends = range.split(separator: "-").map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last
            else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }
}

/// How many of something there are at a time, such as connections on all loops together, and how
/// many there may be.
final class Admission: Sendable {
    private let maximum: Int
    private let count = Atomic(0)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Whether there was room for one more.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= maximum else {
            leave()
            return false
        }
        return true
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}

/// The limits of time as a loop adds them to its clock, never earlier than they say although
/// that may be a tick old.
struct Timeouts {
    let tick: TimeAmount
    private let head: TimeAmount
    private let idle: TimeAmount
    private let linger: TimeAmount

    init(_ limits: EdgeLimits) {
        tick = TimeAmount(limits.tickInterval)
        head = TimeAmount(limits.headTimeout) + tick
        idle = TimeAmount(limits.idleTimeout) + tick
        linger = TimeAmount(limits.lingerTimeout) + tick
    }

    subscript(deadline: EdgeConnection.Deadline) -> TimeAmount {
        switch deadline {
        case .head: head
        case .idle: idle
        case .linger: linger
        }
    }
}

/// Works, and closes what it worked with whatever came of it; the work's error is the one thrown.
func closing(
    _ close: () async throws -> Void,
    after work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch {
        try? await close()
        throw error
    }
    try await close()
}

extension Instant {
    /// What the machine's clock says now.
    static var current: Instant { Instant(Date.now) }
}
