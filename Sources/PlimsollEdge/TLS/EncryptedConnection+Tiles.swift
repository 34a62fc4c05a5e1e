import NIOCore
import PlimsollLog

extension EncryptedConnection {
    /// Begins to fetch a tile.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        for request: TileRequest,
        _ context: ChannelHandlerContext
    ) {
        guard let tile = loop.tiles.fetch(address, from: tiles, on: context.eventLoop) else {
            return conclude(loop.desk.refusalOfTile(request), context)
        }
        isFetching = true
        tile.assumeIsolated().whenSuccess { [self] resource in deliver(resource, request) }
    }

    private func deliver(_ resource: PreparedResource?, _ request: TileRequest) {
        guard let context, stage == .serving else { return }
        isFetching = false
        conclude(loop.desk.reply(resource, to: request), context)
        guard stage == .serving else { return }
        context.flush()
        resume(context)
    }
}
