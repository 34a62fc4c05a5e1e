/// Wakes those who wait for a client to have something new.
struct News {
    /// Rises with every piece of news.
    private(set) var count = 0
    private var bells: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastBell = 0

    mutating func spread() {
        count += 1
        for bell in bells.values { bell.finish() }
        bells = [:]
    }

    /// How many are waiting.
    var listeners: Int { bells.count }

    /// A stream that ends with the next news.
    mutating func bell() -> (id: Int, stream: AsyncStream<Void>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        lastBell += 1
        bells[lastBell] = continuation
        return (lastBell, stream)
    }

    mutating func remove(_ id: Int) {
        bells[id] = nil
    }
}
