package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

/// What came of looking at an app's current snapshot.
package enum LoadOutcome: Equatable, Sendable {
    /// It is served from now on.
    case loaded(SnapshotSequence)
    /// It is the one that is served already.
    case unchanged(SnapshotSequence)
    /// Nothing has been published of this app.
    case absent
    /// What was served before is served on.
    case refused(LoadRefusal)

    var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }

    /// Whether it is what phones get now.
    var isServed: Bool {
        switch self {
        case .loaded, .unchanged: true
        case .absent, .refused: false
        }
    }
}

/// Why a snapshot on the disk is not served.
package enum LoadRefusal: Error, Equatable, Sendable {
    /// The link of the app leads to no snapshot of it.
    case linkMalformed(String)
    case unreadable(FileError)
    case untrusted(VerificationRefusal)
    /// The manifest is another one than its folder says.
    case anotherSequence(found: SnapshotSequence, expected: SnapshotSequence)
    /// Somebody wants to bring back what was replaced.
    case older(found: SnapshotSequence, known: SnapshotSequence)
    /// Other documents were served under the number: it comes from another history.
    case otherDocuments(SnapshotSequence)
    /// A file could not stand in an answer.
    case unservable(FileName)
}

extension LoadRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .linkMalformed(let destination):
            "The link leads to \(destination), which is no snapshot of the app."
        case .unreadable(let error): "The snapshot cannot be read: \(error)."
        case .untrusted(let refusal): "The snapshot is not trusted. \(refusal)"
        case .anotherSequence(let found, let expected):
            "The manifest has the sequence \(found); its folder says \(expected)."
        case .older(let found, let known):
            "The snapshot has the sequence \(found), and \(known) was served already; "
                + "to go back on purpose, remove what the edge remembers and start it anew."
        case .otherDocuments(let sequence):
            "The snapshot \(sequence) has other documents than were served under the number; no"
                + " number stands for two."
        case .unservable(let name): "The file \(name) has a media type that no header can carry."
        }
    }
}
