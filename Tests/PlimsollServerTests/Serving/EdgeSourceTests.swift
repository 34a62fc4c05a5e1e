import Logging
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

struct EdgeSourceTests {
    private static let places = [
        ("/srv/export", false), ("https://config.example.com", true),
        ("http://127.0.0.1:8081", false), ("s3://config/live", true),
        ("s3://config/live?endpoint=https://minio.example.com", true),
        ("s3://config/live?endpoint=http://127.0.0.1:9000", false),
    ]

    @Test(arguments: places)
    func `an authority vouches for what is asked over TLS alone`(
        _ place: String,
        _ isSecure: Bool
    ) throws {
        let source = try #require(EdgeSource(place, environment: [:]))
        #expect(source.isSecure == isSecure)
    }

    @Test(arguments: ["/srv/export", "https://config.example.com", "s3://config/live"])
    func `what is told of one of several sources names it`(_ place: String) throws {
        let (source, lines) = (try #require(EdgeSource(place, environment: [:])), LogLines())
        source.naming(lines.logger).notice("nothing is there")
        #expect(lines.all == ["nothing is there origin.address=\(place)"])
    }
}
