/// What a client's JSON reader forgives that the format does not.
struct ClientDialect: Sendable {
    /// Which member counts where a name stands twice.
    enum Duplicates: Sendable {
        case first
        case last
        case refused
    }

    /// What a comma before a closing bracket means.
    enum TrailingComma: Sendable {
        case nothing
        /// One more element, which is null.
        case null
        case refused
    }

    let duplicates: Duplicates
    let commaInArray: TrailingComma
    let commaInObject: TrailingComma
    let forgivesByteOrderMark: Bool
    /// Whether what follows the first value is not looked at.
    let forgivesRest: Bool
    /// Whether bytes that are not UTF-8 become replacement characters instead of an error.
    let forgivesEncoding: Bool

    /// Foundation, as the native libraries for Apple's platforms were observed to read.
    static let foundation = ClientDialect(
        duplicates: .first,
        commaInArray: .nothing,
        commaInObject: .nothing,
        forgivesByteOrderMark: true,
        forgivesRest: false,
        forgivesEncoding: false
    )

    /// The `org.json` that is part of Android.
    static let android = ClientDialect(
        duplicates: .last,
        commaInArray: .null,
        commaInObject: .refused,
        forgivesByteOrderMark: true,
        forgivesRest: true,
        forgivesEncoding: true
    )

    /// The `org.json` from Maven Central, which the JVM's library brings along.
    static let jvm = ClientDialect(
        duplicates: .refused,
        commaInArray: .nothing,
        commaInObject: .nothing,
        forgivesByteOrderMark: false,
        forgivesRest: true,
        forgivesEncoding: true
    )
}
