import NIOCore
import NIOHTTP2

/// What one connection may ask of the library that reads its frames.
enum HTTP2Limits {
    static let streamsMaximum = 100

    /// Far above what a head may have, so that one in between is answered with 431.
    ///
    /// One beyond it ends the connection: the library gives up before there is a request to answer.
    /// The protocol counts 32 bytes more for each field. The library takes 16 KiB, and lets nobody
    /// say otherwise, until the client has acknowledged the settings.
    static let headerListSizeMaximum = 65_536

    /// In any half minute: requests taken back, streams that break the rules, pings and settings.
    private static let nuisancesMaximum = 100

    static var connection: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamsMaximum),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListSizeMaximum),
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
