import CLibPQ

/// libpq's own reading of connection strings and of the `PG…` environment.
enum ConnectionDefaults {
    /// The settings a connection string holds.
    static func parse(_ text: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            // libpq's message quotes what it could not read, which may be a password.
            unsafe PQfreemem(message)
            throw PostgresError(.connectFailed, "the connection string cannot be read")
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe collect(options)
    }

    /// The settings that the environment and libpq itself give to what a string leaves out.
    static func read() -> [String: String] {
        guard let options = unsafe PQconndefaults() else { return [:] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe collect(options)
    }

    private static func collect(
        _ options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [String: String] {
        var settings: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe settings[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return settings
    }
}
