package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes
package import PlimsollDomain

/// How long a listener waits for a client.
package struct Patience: Sendable {
    /// For the whole head of a stranger's request, from the connection or the last answer on.
    package var head = TimeAmount.seconds(10)
    /// For the whole body, from the end of the head on.
    package var body = TimeAmount.seconds(30)
    /// For somebody who is known and says nothing, between two requests.
    package var idle = TimeAmount.seconds(60)
    /// For a reader to take anything of what waits for it.
    package var stall = TimeAmount.seconds(30)
    /// For a client to read its last answer.
    package var farewell = TimeAmount.seconds(1)

    package init() {}
}

/// Holds one connection of a listener to what its client may take: places and time.
///
/// A request has to be there as a whole in time, however busily its bytes drip. A client that is
/// answered before it has sent everything, or that is told that its token is no good, is let go with
/// that answer; what it still sends is thrown away, so that the answer reaches it.
package final class Doorkeeper: ChannelDuplexHandler, RemovableChannelHandler {
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
    private let patience: Patience
    private let identify: @Sendable (HTTPFields) -> PrincipalID?
    private var course = Course.open
    private var isInside = false
    private var isKnown = false
    private var isReadingBody = false
    private var isAnswering = false
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - places: What all connections of the listener share.
    ///   - patience: How long it waits.
    ///   - identify: Says whose living token a request carries.
    package init(
        _ places: Places,
        patience: Patience,
        identify: @escaping @Sendable (HTTPFields) -> PrincipalID?
    ) {
        self.places = places
        self.patience = patience
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
                isKnown = true
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
            if isReadingBody || response.status == .unauthorized
                || response.headerFields[.connection] == "close"
            {
                course = .closing
                response.headerFields[.connection] = "close"
            }
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isAnswering = false
            places.rest(context.channel)
            if course == .closing {
                context.writeAndFlush(data, promise: promise)
                sayFarewell(context)
            } else {
                context.write(data, promise: promise)
                if !isKnown { expect(within: patience.head, context) }
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
        sayFarewell(context)
    }

    /// Ends the own side, and listens to the other until it has ended too, or for a moment: closing
    /// with bytes unread would take the answer from whoever still sends.
    private func sayFarewell(_ context: ChannelHandlerContext) {
        course = .closed
        deadline?.cancel()
        context.close(mode: .output, promise: nil)
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: patience.farewell) {
            context.close(promise: nil)
        }
        context.read()
    }
}
