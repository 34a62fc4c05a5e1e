/// Which part of a list is asked for.
package struct PageOptions: Equatable, Sendable {
    /// `nil` for as many as the service usually gives.
    package let limit: Int?
    /// What an earlier part gave as the beginning of this one.
    package let cursor: String?

    package init(limit: Int? = nil, after cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    var query: [(name: String, value: String)] {
        (limit.map { [("limit", String($0))] } ?? []) + (cursor.map { [("cursor", $0)] } ?? [])
    }
}
