/// What the signatures under a note are worth to somebody who trusts certain keys.
package enum NoteVerification: Equatable, Sendable {
    /// At least one, in the order of their lines.
    case verified([VerifiedSignature])
    case refused(NoteRefusal)
}

/// Why nobody should look at the text of a note.
package enum NoteRefusal: Error, Equatable, Sendable {
    /// A line claims to be by a key that is trusted, and is not.
    case wrongSignature(KeyName, NoteKeyID)
    case noKnownSignature
}

/// A line of a note that was checked: only verification makes one.
package struct VerifiedSignature: Hashable, Sendable {
    package let key: VerifierKey
    /// When the text was seen; only a cosignature says so.
    package let posixSeconds: Int?

    init(key: VerifierKey, posixSeconds: Int? = nil) {
        self.key = key
        self.posixSeconds = posixSeconds
    }
}

extension SignedNote {
    /// Checks each line that is by one of the keys; one that is wrong spoils the note.
    ///
    /// Lines by others are left aside, even where their name *or* their id is that of a known key.
    package func verification(by keys: [VerifierKey]) -> NoteVerification {
        var verified: [VerifiedSignature] = []
        for line in signatures {
            let claimed = keys.filter { $0.made(line) }
            if claimed.isEmpty { continue }
            let found = claimed.lazy.compactMap { $0.verify(line.signature, over: text) }.first
            guard let found else { return .refused(.wrongSignature(line.name, line.keyID)) }
            verified.append(found)
        }
        return verified.isEmpty ? .refused(.noKnownSignature) : .verified(verified)
    }
}

extension NoteRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongSignature(let name, let id):
            "The signature by \(name) with the key \(id) is wrong: the text or the line was changed."
        case .noKnownSignature: "None of the signatures is by a key that is trusted."
        }
    }
}
