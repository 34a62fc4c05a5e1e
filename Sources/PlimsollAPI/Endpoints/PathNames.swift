package import PlimsollDomain

/// What an address names between its braces, in both directions.
package protocol PathNames: Sendable {
    /// Reads the names; one that cannot be a name is the name of nothing, so it is not found.
    init(_ reader: PathReader) throws(Problem)

    /// The names as the address has them, in its order.
    var texts: [String] { get }
}

/// Reads the names in an address.
package struct PathReader {
    private let text: (String) -> String?

    package init(_ text: @escaping (String) -> String?) { self.text = text }

    package func name<Value>(
        _ parameter: String,
        _ make: (String) -> Value?
    ) throws(Problem) -> Value {
        if let value = text(parameter).flatMap(make) { return value }
        let fault = Problem.Fault(
            at: .parameter(parameter),
            code: "\(parameter)Unknown",
            detail: "The address names no \(parameter) that could exist."
        )
        throw Problem(.notFound, detail: fault.detail, errors: [fault])
    }
}

/// An address without names.
package struct NoNames: PathNames {
    package init() {}
    package init(_ reader: PathReader) {}

    package var texts: [String] { [] }
}

/// The only name of an address: an identifier that is written as people read it.
package protocol PathName: PathNames, CustomStringConvertible {
    /// What stands between the braces.
    static var parameter: String { get }
    init?(_ text: String)
}

extension PathName {
    package init(_ reader: PathReader) throws(Problem) {
        self = try reader.name(Self.parameter) { Self($0) }
    }

    package var texts: [String] { [description] }
}

extension AppSlug: PathName { package static let parameter = "app" }
extension ChangeID: PathName { package static let parameter = "change" }
extension TokenID: PathName { package static let parameter = "token" }
extension SessionID: PathName { package static let parameter = "session" }
extension EntryKeyID: PathName { package static let parameter = "entryKey" }
extension KeyID: PathName { package static let parameter = "key" }
extension PrincipalID: PathName { package static let parameter = "principal" }
extension WebhookID: PathName { package static let parameter = "webhook" }

extension Position: PathNames {
    package init(_ reader: PathReader) throws(Problem) {
        self = try reader.name("position") { Int64($0).flatMap(Position.init(rawValue:)) }
    }

    package var texts: [String] { [description] }
}

/// A platform of an app: `/v1/apps/{app}/shares/{platform}`.
package struct AppPlatform: PathNames {
    package let app: AppSlug
    package let platform: Platform

    package init(_ app: AppSlug, _ platform: Platform) {
        (self.app, self.platform) = (app, platform)
    }

    package init(_ reader: PathReader) throws(Problem) {
        app = try AppSlug(reader)
        platform = try reader.name("platform", Platform.init(rawValue:))
    }

    package var texts: [String] { [app.text, platform.rawValue] }
}

/// A release of an app: `/v1/apps/{app}/releases/{platform}/{version}`.
package struct AppRelease: PathNames {
    package let app: AppSlug
    package let platform: Platform
    package let version: VersionValue

    package init(_ app: AppSlug, _ platform: Platform, _ version: VersionValue) {
        (self.app, self.platform, self.version) = (app, platform, version)
    }

    package init(_ reader: PathReader) throws(Problem) {
        let place = try AppPlatform(reader)
        (app, platform) = (place.app, place.platform)
        version = try reader.name("version") { [platform] in
            VersionValue(text: $0, platform.versionKind)
        }
    }

    package var texts: [String] { [app.text, platform.rawValue, version.description] }
}

/// Something of an app by the position of its event: `/v1/apps/{app}/freeze/plans/{position}`.
package struct AppPosition: PathNames {
    package let app: AppSlug
    package let position: Position

    package init(_ app: AppSlug, _ position: Position) {
        (self.app, self.position) = (app, position)
    }

    package init(_ reader: PathReader) throws(Problem) {
        app = try AppSlug(reader)
        position = try Position(reader)
    }

    package var texts: [String] { [app.text, position.description] }
}

/// An app and the marketplace that another is: `/v1/apps/{app}/listings/{marketplace}`.
package struct AppMarketplace: PathNames {
    package let app: AppSlug
    package let marketplace: AppSlug

    package init(_ app: AppSlug, _ marketplace: AppSlug) {
        (self.app, self.marketplace) = (app, marketplace)
    }

    package init(_ reader: PathReader) throws(Problem) {
        app = try AppSlug(reader)
        marketplace = try reader.name("marketplace") { AppSlug($0) }
    }

    package var texts: [String] { [app.text, marketplace.text] }
}
