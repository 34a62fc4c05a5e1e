import Testing

@testable import PlimsollEdge

/// A table in which a host has documents of its own.
enum KeyHostFixture {
    private static let key = "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"

    /// One document signed by a leading key, and the same signed by that of the host `k2.example`.
    static func table() throws -> EdgeTable {
        let host = try #require(KeyHost("k2.example=\(key)"))
        let places = try ["leading", "second"].map { body in
            let resource = try EdgeFixture.resource(Array(body.utf8))
            var place = EdgePlace(PreparedResource(resource), at: ["/\(body)"])
            place.keylessPaths = [EdgeFixture.path]
            place.leads = body == "leading"
            place.key = body == "second" ? host.key : nil
            return place
        }
        return EdgeTable(placing: places, publications: [], hosts: [host])
    }
}
