import NIOCore

/// What is asked of a tile that is on its way from the disk.
struct TileRequest {
    let headOnly: Bool
    let isLast: Bool
    /// Copies: the bytes of the request are gone when the tile comes.
    let conditions: [[UInt8]]

    init(_ head: RequestHead, _ bytes: Span<UInt8>, isLast: Bool) {
        headOnly = head.method == .head
        var conditions: [[UInt8]] = []
        for range in head.conditions {
            var value: [UInt8] = []
            for index in range { value.append(bytes[index]) }
            conditions.append(value)
        }
        self.conditions = conditions
        self.isLast = isLast
    }

    func isKnown(_ tag: EntityTag) -> Bool {
        conditions.contains { EntityTagCondition.matches($0.span, $0.indices, tag: tag) }
    }
}

extension EdgeConnection {
    /// Begins to fetch the tile that the request is for; whether it is for one.
    ///
    /// Until it is there nothing else is answered, so that answers keep the order of requests.
    func fetchTile(
        for head: RequestHead,
        _ bytes: Span<UInt8>,
        isLast: Bool,
        _ context: ChannelHandlerContext
    ) -> Bool {
        guard let (tiles, address) = loop.answers.tile(for: head, in: bytes) else { return false }
        let request = TileRequest(head, bytes, isLast: isLast)
        guard let tile = loop.tiles.fetch(address, from: tiles, on: context.eventLoop) else {
            send(loop.answer(.tilesBusy), headOnly: request.headOnly, isLast: isLast, context)
            if isLast { closeAfterLastAnswer(context) }
            return true
        }
        isFetching = true
        tile.assumeIsolated().whenSuccess { [self] resource in deliver(resource, request) }
        return true
    }

    private func deliver(_ resource: PreparedResource?, _ request: TileRequest) {
        guard let context, stage == .serving else { return }
        isFetching = false
        let answer =
            resource.map { loop.dated($0, isKnown: request.isKnown($0.tag)) }
            ?? loop.answer(.notFound)
        send(answer, headOnly: request.headOnly, isLast: request.isLast, context)
        context.flush()
        if request.isLast {
            closeAfterLastAnswer(context)
        } else {
            resume(context)
        }
    }
}
