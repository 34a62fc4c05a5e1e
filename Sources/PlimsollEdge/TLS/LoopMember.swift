import NIOCore

/// A connection as its loop sees it, whatever is spoken on it: something that comes to an end.
protocol LoopMember: AnyObject {
    /// Where the loop keeps it; nil when it does not.
    var place: Int? { get set }
    var deadline: NIODeadline { get }

    /// The deadline has passed.
    func expire()

    /// Answers what has begun to arrive, and then no more.
    func drain()

    func abort()
}

/// A member in a channel's pipeline, which knows its place there for as long as it has one.
protocol LoopHandler: LoopMember, ChannelHandler {
    var context: ChannelHandlerContext? { get set }
}

extension LoopHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }
}
