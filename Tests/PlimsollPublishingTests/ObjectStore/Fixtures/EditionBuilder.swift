import Foundation
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// What a log orders in which nothing but the registration of harbour has happened.
enum EditionBuilder {
    static func inspection(at event: Int) throws -> Inspection {
        var log = LogBuilder()
        let key = KeyID(UUID())
        log.append([
            (.app(harbour), .app(.appRegistered(try settings()))),
            (.keys, .key(.keyAdded(KeyRecord(id: key, app: harbour, publicKey: [1])))),
            (.keys, .key(.keyActivated(key, app: harbour))),
        ])
        let edition = try #require(log.edition())
        return Inspection(edition, at: Position(event))
    }
}
