import PlimsollSystem
package import PlimsollLog

/// The private key that a witness cosigns with, in the form of C2SP signer keys.
package struct WitnessKeyFile: Sendable {
    private let path: Path
    /// What the witness is called if it has no key yet; `nil` leaves it to chance.
    private let name: KeyName?

    private static let fileSizeMaximum = 4096

    /// Takes the absolute path of the file.
    package init(_ path: String, name: KeyName?) {
        self.path = Path(path)
        self.name = name
    }

    /// The key that is there, or a new one that is kept before it is used.
    func cosigner() throws(WitnessKeyError) -> Cosigner {
        if let cosigner = try read() { return cosigner }
        let key = SignerKey(name: name ?? Self.chance, kind: .cosignature)
        do throws(FileError) {
            try path.parent.createFolder(permissions: .folderOfOwner)
            try path.writeDurablyOnce(Array((key.secretText + "\n").utf8), permissions: .ownerOnly)
        } catch {
            // Of two makers one wins, and both get its key.
            guard error.isAlreadyThere else { throw .file(error) }
        }
        guard let cosigner = try read() else { throw .missing(path) }
        return cosigner
    }

    private func read() throws(WitnessKeyError) -> Cosigner? {
        let cosigner: Cosigner
        do {
            let bytes = try path.readSecret(sizeMaximum: Self.fileSizeMaximum)
            let key = try SignerKey(parsing: String(decoding: bytes, as: UTF8.self))
            cosigner = try Cosigner(key)
        } catch let error as FileError {
            guard !error.isMissing else { return nil }
            throw .file(error)
        } catch let error as KeyTextError {
            throw .malformed(path, error)
        } catch {
            preconditionFailure("reading a key throws nothing else")
        }
        let known = cosigner.verifierKey.name
        guard name == nil || name == known else { throw .otherName(path, known) }
        return cosigner
    }

    private static var chance: KeyName {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        guard let name = KeyName("plimsoll.local/witness-\(digits)") else {
            preconditionFailure("a name without spaces names a key")
        }
        return name
    }
}

/// Why a witness has no key.
enum WitnessKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case file(FileError)
    case malformed(Path, KeyTextError)
    /// The key has a name already, and another one was asked for.
    case otherName(Path, KeyName)
    case missing(Path)

    var description: String {
        switch self {
        case .file(let error): "The witness's key is not used: \(error)."
        case .malformed(let path, let error):
            "The witness's key at \(path) cannot be read: \(error)"
        case .otherName(let path, let name):
            "The key at \(path) is called \(name) and keeps that name; leave --name out."
        case .missing(let path): "The witness's key went away from \(path) while it was made."
        }
    }
}
