package import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import NIOHTTPTypes
import PlimsollAPI
package import PlimsollDomain
import Synchronization

/// How long a listener waits for a client.
package struct Timeouts: Sendable {
    /// For the whole head of a stranger's request, from the connection or the last answer on.
    package var head = TimeAmount.seconds(10)
    /// For the whole body, from the end of the head on.
    package var body = TimeAmount.seconds(30)
    /// For somebody who is known and says nothing, between two requests.
    package var idle = TimeAmount.seconds(60)
    /// For a reader to take anything of what waits for it.
    package var stall = TimeAmount.seconds(30)
    /// For a client to read its last answer.
    package var lingering = TimeAmount.seconds(1)

    package init() {}
}

/// Holds one connection of a listener to what its client may take: places and time.
///
/// A request has to be there as a whole in time, however busily its bytes drip. A client that is
/// answered before it has sent everything, or that is told that its token is no good, is let go with
/// that answer; what it still sends is thrown away, so that the answer reaches it.
package final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private enum Course {
        /// Requests come and are answered.
        case open
        /// The answer that is being written is the last.
        case closing
        /// The last answer was written.
        case closed
    }

    private let places: Places
    private let patience: Timeouts
    private let stopSignal: StopSignal
    private let identify: @Sendable (HTTPFields) -> PrincipalID?
    private var course = Course.open
    private var isInside = false
    private var isReadingBody = false
    private var isAnswering = false
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - places: What all connections of the listener share.
    ///   - patience: How long it waits.
    ///   - stopSignal: Lets everybody go with the answer at hand.
    ///   - identify: Says whose valid token a request carries.
    package init(
        _ places: Places,
        patience: Timeouts,
        stopSignal: StopSignal = StopSignal(),
        identify: @escaping @Sendable (HTTPFields) -> PrincipalID?
    ) {
        self.places = places
        self.patience = patience
        self.stopSignal = stopSignal
        self.identify = identify
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        enter(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        places.leave(context.channel)
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard course != .closed else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            isReadingBody = true
            isAnswering = true
            if let principal = identify(request.headerFields) {
                places.know(context.channel, as: principal)
            }
            expect(within: patience.body, context)
        case .body: break
        case .end:
            isReadingBody = false
            deadline?.cancel()
        }
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if course == .closed { context.read() }
        context.fireChannelReadComplete()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if course == .closed, case ChannelEvent.inputClosed = event {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        guard course != .closed else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var response):
            if isReadingBody || response.status == .unauthorized || stopSignal.isUp
                || response.headerFields[.connection] == "close"
            {
                course = .closing
                response.headerFields[.connection] = "close"
            }
            // A feed that is cut off goes on where it was.
            if response.headerFields[.contentType] == ContentType.eventStream.field {
                places.settle(context.channel, .following)
            }
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isAnswering = false
            places.settle(context.channel, .idle)
            if course == .closing {
                context.writeAndFlush(data, promise: promise)
                linger(context)
            } else {
                context.write(data, promise: promise)
                if !places.knows(context.channel) { expect(within: patience.head, context) }
            }
        }
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard !isInside else { return }
        isInside = true
        places.enter(context.channel)
        expect(within: patience.head, context)
    }

    private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.loosePatience(context)
        }
    }

    /// A body that is too late is answered, unless an answer is on its way already.
    private func loosePatience(_ context: ChannelHandlerContext) {
        guard isReadingBody, isAnswering, course == .open else {
            context.close(promise: nil)
            return
        }
        let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        let response = HTTPResponse(status: .requestTimeout, headerFields: fields)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        linger(context)
    }

    /// Ends the own side, and listens to the other until it has ended too, or for a moment: closing
    /// with bytes unread would take the answer from whoever still sends.
    private func linger(_ context: ChannelHandlerContext) {
        course = .closed
        deadline?.cancel()
        context.close(mode: .output, promise: nil)
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: patience.lingering) {
            context.close(promise: nil)
        }
        context.read()
    }
}

/// The connections that a listener holds, and who has to go when there are too many.
///
/// Everybody comes as a stranger, and stays one until a request brings a valid token. Nobody waits
/// for a place: a stranger too many makes room for themselves at the cost of whoever has been there
/// longest, from the address that holds most. So strangers, however many, take no place of those
/// who have a token, and whoever has one is known within the time of one request.
package final class Places: Sendable {
    /// How many connections there may be.
    package struct Limits: Sendable {
        package var strangers = 256
        package var known = 384
        /// Of one principal; more than may be answered at the same time.
        package var knownOfOne = 256

        package init(strangers: Int = 256, known: Int = 384, knownOfOne: Int = 256) {
            self.strangers = strangers
            self.known = known
            self.knownOfOne = knownOfOne
        }

        /// Connections that were told to go are there for a moment longer.
        package var connections: Int { strangers + known + 64 }
    }

    fileprivate struct Connection {
        let channel: any Channel
        let address: String
        let number: UInt64
        var principal: PrincipalID?
        var course = Course.idle
    }

    /// What the connection of somebody known is there for, beginning with what goes first.
    enum Course: Int {
        /// For the next request.
        case idle
        /// For what a feed brings.
        case following
        /// For an answer.
        case answered
    }

    fileprivate struct State {
        var strangers: [ObjectIdentifier: Connection] = [:]
        /// How many strangers there are of an address.
        var crowds: [String: Int] = [:]
        var known: [ObjectIdentifier: Connection] = [:]
        var next: UInt64 = 0
    }

    private let limits: Limits
    private let state = Mutex(State())

    package init(_ limits: Limits) { self.limits = limits }

    package var strangerCount: Int { state.withLock { $0.strangers.count } }

    func enter(_ channel: any Channel) {
        let address = channel.remoteAddress?.ipAddress ?? ""
        let evicted = state.withLock { state -> (any Channel)? in
            state.next += 1
            let connection = Connection(channel: channel, address: address, number: state.next)
            state.strangers[ObjectIdentifier(channel)] = connection
            state.crowds[address, default: 0] += 1
            guard state.strangers.count > limits.strangers else { return nil }
            return state.oldestOfTheLargestCrowd()
        }
        evicted?.close(promise: nil)
    }

    func leave(_ channel: any Channel) {
        state.withLock { state in
            if state.removeStranger(ObjectIdentifier(channel)) == nil {
                state.known[ObjectIdentifier(channel)] = nil
            }
        }
    }

    /// Somebody sent a valid token, or is signed in.
    package func know(_ channel: any Channel, as principal: PrincipalID) {
        let id = ObjectIdentifier(channel)
        let evicted = state.withLock { state -> (any Channel)? in
            guard var connection = state.known[id] ?? state.removeStranger(id) else { return nil }
            connection.principal = principal
            connection.course = .answered
            state.known[id] = connection
            let own = state.known.values.filter { $0.principal == principal }
            if own.count > limits.knownOfOne { return state.evict(from: own, or: connection) }
            guard state.known.count > limits.known else { return nil }
            return state.evictOneOfTheLargest(for: connection)
        }
        evicted?.close(promise: nil)
    }

    /// Whether the connection has shown whose it is, and was not told to go since.
    func knows(_ channel: any Channel) -> Bool {
        state.withLock { $0.known[ObjectIdentifier(channel)] != nil }
    }

    /// Says what becomes of the connection, if it is of somebody known.
    func settle(_ channel: any Channel, _ course: Course) {
        state.withLock { $0.known[ObjectIdentifier(channel)]?.course = course }
    }
}

extension Places.State {
    fileprivate mutating func removeStranger(_ id: ObjectIdentifier) -> Places.Connection? {
        guard let connection = strangers.removeValue(forKey: id) else { return nil }
        let left = (crowds[connection.address] ?? 1) - 1
        crowds[connection.address] = left > 0 ? left : nil
        return connection
    }

    fileprivate mutating func oldestOfTheLargestCrowd() -> (any Channel)? {
        let most = crowds.values.max()
        let oldest = strangers.values.filter { crowds[$0.address] == most }
            .min { $0.number < $1.number }
        guard let oldest else { return nil }
        _ = removeStranger(ObjectIdentifier(oldest.channel))
        return oldest.channel
    }

    /// Whoever holds most gives one up, so that nobody, however busy, takes the places of the others.
    fileprivate mutating func evictOneOfTheLargest(for connection: Places.Connection) -> any Channel
    {
        let held = Dictionary(grouping: known.values, by: \.principal)
        let most = held.values.map(\.count).max()
        let largest = held.filter { $1.count == most }
        let oldest = largest.values.joined().min { $0.number < $1.number } ?? connection
        let isOneOfThem = largest[connection.principal] != nil
        return evict(from: Array(largest.values.joined()), or: isOneOfThem ? connection : oldest)
    }

    /// The oldest that is idle has to go, or else the oldest feed, or else the last.
    fileprivate mutating func evict(
        from connections: [Places.Connection],
        or last: Places.Connection
    ) -> any Channel {
        let spare = connections.filter { $0.course != .answered }
            .min { ($0.course.rawValue, $0.number) < ($1.course.rawValue, $1.number) }
        let evicted = (spare ?? last).channel
        known[ObjectIdentifier(evicted)] = nil
        return evicted
    }
}

/// Hangs up on a reader who does not read.
///
/// As long as the bytes that wait for the reader are more than the channel likes, whoever writes
/// has to wait too. Time is taken from the moment when that begins; a slow reader who takes some
/// of them makes it begin anew.
package final class StallGuard: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Never

    private let patience: TimeAmount
    private var hangUp: Scheduled<Void>?

    package init(patience: TimeAmount) {
        self.patience = patience
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        hangUp?.cancel()
        hangUp = nil
        if !context.channel.isWritable {
            let channel = context.channel
            hangUp = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        hangUp?.cancel()
        hangUp = nil
        context.fireChannelInactive()
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 as the administration speaks it.
    package static func administration(
        _ places: Places,
        _ patience: Timeouts = Timeouts(),
        stopSignal: StopSignal = StopSignal(),
        identify: @escaping @Sendable (HTTPFields) -> PrincipalID? = { _ in nil }
    ) -> HTTPServerBuilder {
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                StallGuard(patience: patience.stall),
                ConnectionGuard(
                    places,
                    patience: patience,
                    stopSignal: stopSignal,
                    identify: identify
                ),
            ],
            idleTimeout: patience.idle
        )
        return HTTPServerBuilder { responder in
            ClosingChannel(http: HTTP1Channel(responder: responder, configuration: configuration))
        }
    }
}
