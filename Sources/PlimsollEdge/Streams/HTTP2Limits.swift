import NIOCore
import NIOHTTP2

/// What one connection may ask of the library that reads its frames.
enum HTTP2Limits {
    static let streamsMaximum = 100

    /// Above what a head may have, so that most are answered with 431 before one ends the connection.
    ///
    /// The protocol counts 32 bytes more for each field.
    static func headerListSizeMaximum(_ limits: EdgeLimits) -> Int {
        limits.headSizeMaximum + 32 * limits.fieldCountMaximum + 4096
    }

    /// In any half minute: requests taken back, streams that break the rules, pings and settings.
    private static let nuisancesMaximum = 100

    static func connection(_ limits: EdgeLimits) -> NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamsMaximum),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListSizeMaximum(limits)),
        ]
        configuration.maximumBufferedControlFrames = nuisancesMaximum
        configuration.maximumConnectionGlitches = nuisancesMaximum
        configuration.controlFrameRateLimit.maximumCount = nuisancesMaximum
        return configuration
    }

    static var stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = nuisancesMaximum
        configuration.streamErrorRateLimit.maximumCount = nuisancesMaximum
        return configuration
    }
}
