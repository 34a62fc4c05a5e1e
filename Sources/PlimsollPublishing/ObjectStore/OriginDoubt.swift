/// Why an origin has nothing that could be looked at closer.
struct OriginDoubt: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
