import PlimsollJSON

/// A version with how it was written, which is what is remembered of it.
struct WrittenVersion<Value: Comparable> {
    let text: String
    let value: Value
}

/// The versions of the selected entry, decided upon as the libraries for Android and in Kotlin do.
struct RememberedDecision<Value: Comparable> {
    let required: WrittenVersion<Value>?
    let last: WrittenVersion<Value>?
    let installed: WrittenVersion<Value>
    let isAlways: Bool

    /// One version is remembered: the one that was told of last, a required one too.
    func answer(
        _ meta: JSONObject,
        entry: Int?,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard required != nil || last != nil else { throw PrinceFailure("IllegalStateException") }
        let (status, version) = decide(memory)
        if status != .noUpdateAvailable { memory.last = version.text }
        return .answered(
            PrinceAnswer(status: status, updateVersion: version.text, meta: meta, entry: entry)
        )
    }

    private func decide(_ memory: PrinceMemory) -> (PrinceStatus, WrittenVersion<Value>) {
        if let required, installed.value < required.value {
            let offered = last.flatMap { $0.value > required.value ? $0 : nil } ?? required
            return (.requiredUpdateNeeded, offered)
        }
        guard let last, installed.value < last.value else { return (.noUpdateAvailable, installed) }
        let mayNotify = isAlways || memory.last != last.text
        return (mayNotify ? .newUpdateAvailable : .noUpdateAvailable, last)
    }
}

/// Versions as a document has them, which are read only once it is clear that there is one.
struct WrittenVersions {
    private let required: String?
    private let last: String?

    init(required: String?, last: String?) throws(PrinceFailure) {
        guard required != nil || last != nil else { throw PrinceFailure("IllegalStateException") }
        (self.required, self.last) = (required, last)
    }

    func decision<Value>(
        installed: String,
        isAlways: Bool,
        _ read: (String) throws(PrinceFailure) -> Value
    ) throws(PrinceFailure) -> RememberedDecision<Value> {
        func version(_ text: String) throws(PrinceFailure) -> WrittenVersion<Value> {
            WrittenVersion(text: text, value: try read(text))
        }
        return RememberedDecision(
            required: try required.map(version),
            last: try last.map(version),
            installed: try version(installed),
            isAlways: isAlways
        )
    }
}
