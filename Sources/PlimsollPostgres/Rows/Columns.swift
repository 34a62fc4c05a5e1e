/// The names and types of a result's columns.
package final class Columns: Sendable {
    package let names: [String]
    package let types: [PostgresType]

    init(names: [String], types: [PostgresType]) {
        self.names = names
        self.types = types
    }

    package var count: Int { names.count }

    package func index(of name: String) -> Int? { names.firstIndex(of: name) }
}
