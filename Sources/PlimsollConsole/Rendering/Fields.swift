import Foundation

/// What a template fills its places with, by name.
typealias Fields = [String: Any]

extension Fields {
    /// All of these names, also those of what is not there: a section of them is not shown then.
    ///
    /// A template looks for a name that a row does not have in what is around it, where it may be that of
    /// something else: the reason of a page is not that of each of its rows.
    init(all pairs: KeyValuePairs<String, Any?>) {
        self.init(minimumCapacity: pairs.count)
        for (name, value) in pairs { self[name] = value ?? NSNull() }
    }

    /// Without what is not there, for a page, which has nothing around it.
    var present: Fields { filter { !($0.value is NSNull) } }
}
