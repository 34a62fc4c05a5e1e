import Foundation
import PlimsollDomain
import PlimsollJSON
package import PlimsollLog
package import PlimsollSystem

/// The private key that signs checkpoints: a file of its own, in the form of C2SP signer keys.
///
/// It is no content key: nothing that a phone reads is signed with it. Its name is the log's
/// origin, for good: whoever follows the log knows it by that.
package struct LogKeyFile: Sendable {
    package let path: Path
    /// What the operator wants the log to be called; `nil` leaves it to chance.
    private let origin: KeyName?

    private static let fileSizeMaximum = 4096

    package init(_ path: Path, origin: KeyName?) {
        self.path = path
        self.origin = origin
    }

    /// What signs; `nil` where there is no key yet.
    package func signer() throws(LogKeyError) -> LogSigner? {
        guard let key = try read() else { return nil }
        let signer: LogSigner
        do throws(KeyTextError) {
            signer = try LogSigner(key)
        } catch {
            throw .malformed(path, error)
        }
        guard origin == nil || origin == signer.verifierKey.name else {
            throw .otherOrigin(path, signer.origin)
        }
        return signer
    }

    /// What it is verified by; of a file that cannot be used nothing is known here, and the exporter
    /// complains of it.
    package var verifierKeyIfUsable: VerifierKey? { (try? signer())?.verifierKey }

    /// Makes a key and keeps it durably; of two makers one wins, and both get its key.
    package func make() throws(LogKeyError) -> LogSigner {
        let name = origin ?? KeyName("plimsoll.local/" + Self.chance)
        guard let name else { preconditionFailure("a name without spaces names a key") }
        let key = SignerKey(name: name, kind: .note)
        do throws(FileError) {
            try path.parent.createFolder(permissions: .folderOfOwner)
            try path.writeDurablyOnce(Array((key.secretText + "\n").utf8), permissions: .ownerOnly)
        } catch {
            guard error.isAlreadyThere else { throw .notMade(error) }
        }
        guard let signer = try signer() else { throw .missing(path) }
        return signer
    }

    private func read() throws(LogKeyError) -> SignerKey? {
        do {
            let bytes = try path.readSecret(sizeMaximum: Self.fileSizeMaximum)
            return try SignerKey(parsing: String(decoding: bytes, as: UTF8.self))
        } catch let error as FileError {
            guard !error.isMissing else { return nil }
            throw .unreadable(error)
        } catch let error as KeyTextError {
            throw .malformed(path, error)
        } catch {
            preconditionFailure("reading a key throws nothing else")
        }
    }

    /// 16 hexadecimal digits.
    private static var chance: String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Why the log's key cannot be used.
package enum LogKeyError: Error, Equatable, Sendable {
    /// This instance does not have it, and the log has been signed before.
    case missing(Path)
    case unreadable(FileError)
    case malformed(Path, KeyTextError)
    /// The log has a name already, and another one was asked for.
    case otherOrigin(Path, LogOrigin)
    case notMade(FileError)
}

extension LogKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "the log's key is not at \(path), though the log has been signed before; restore the key"
                + " from its backup, or export from the instance that has it"
        case .unreadable(let error): "the log's key is not used: \(error)"
        case .malformed(let path, let error): "the log's key at \(path) cannot be read: \(error)"
        case .otherOrigin(let path, let origin):
            "the log is called \(origin), as the key at \(path) says, and keeps that name; leave"
                + " the option --log-origin out"
        case .notMade(let error): "no key could be made for the log: \(error)"
        }
    }
}

/// Where a private key is that no file here holds: a file beside the others says so.
///
/// It has the public half too, so that what the key has signed is believed while its keeper is
/// away.
struct KeyNote: Equatable, Sendable {
    enum Keeper: Equatable, Sendable {
        case environment(EnvironmentName)
        case service(KeyServiceName)
    }

    let keeper: Keeper
    /// The SubjectPublicKeyInfo, DER.
    let publicKey: [UInt8]

    private static let limits = JSONLimits(sizeMaximum: 4096)

    init(_ keeper: Keeper, publicKey: [UInt8]) {
        self.keeper = keeper
        self.publicKey = publicKey
    }

    var bytes: [UInt8] {
        var json: JSONObject = ["publicKey": .string(Data(publicKey).base64EncodedString())]
        switch keeper {
        case .environment(let name): json["environment"] = .string(name.text)
        case .service(let name): json["keyService"] = .string(name.text)
        }
        return json.canonicalBytes()
    }

    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        let environment = reader.optionalString(
            "environment",
            needing: EnvironmentName.grammar,
            EnvironmentName.init
        )
        let service = reader.optionalString(
            "keyService",
            needing: KeyServiceName.grammar,
            KeyServiceName.init
        )
        let publicKey = reader.string("publicKey", needing: "base64") {
            Data(base64Encoded: $0).map(Array.init)
        }
        if (environment == nil) == (service == nil) {
            reader.refuse("keyService", "Either this or environment is needed.")
        }
        let keeper = environment.map(Keeper.environment) ?? service.map(Keeper.service)
        self = try reader.finish {
            guard let keeper, let publicKey else { return nil as KeyNote? }
            return KeyNote(keeper, publicKey: publicKey)
        }
    }
}
