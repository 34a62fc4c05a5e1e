/// What a template fills its places with, by name.
typealias Fields = [String: Any]

extension Fields {
    /// Leaves out what is not there: a section of it is not shown then.
    init(present pairs: KeyValuePairs<String, Any?>) {
        self.init(minimumCapacity: pairs.count)
        for (name, value) in pairs { self[name] = value }
    }
}
