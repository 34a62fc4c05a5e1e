import PlimsollSystem
import PlimsollService

/// The token that the first start leaves behind, so that somebody can let the others in.
///
/// It is written before it is recorded: a start that dies in between finds the file, and records
/// the same token.
struct AdminToken: Sendable {
    let file: Path
    let secret: TokenSecret

    private static let sizeMaximum = 256

    /// Makes a token and keeps it, where none is.
    static func prepare(in file: Path) throws -> AdminToken {
        if let token = try kept(in: file) { return token }
        let secret = TokenSecret.random()
        try file.writeDurably(Array((secret.text + "\n").utf8), permissions: .ownerOnly)
        return AdminToken(file: file, secret: secret)
    }

    /// The token that was kept; somebody may have taken it away since.
    static func kept(in file: Path) throws -> AdminToken? {
        guard let bytes = try existing(file) else { return nil }
        let line = bytes.prefix { $0 != 0x0A }
        guard let secret = TokenSecret(String(decoding: line, as: UTF8.self)) else {
            throw UnusableAdminToken(file: file)
        }
        return AdminToken(file: file, secret: secret)
    }

    private static func existing(_ file: Path) throws -> [UInt8]? {
        do throws(FileError) {
            return try file.readSecret(sizeMaximum: sizeMaximum)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }
}

/// The file of the bootstrap token holds something else.
struct UnusableAdminToken: Error, CustomStringConvertible {
    let file: Path

    var description: String {
        "\(file) does not hold a token; move it away and start again, or put the token back."
    }
}
