package import PlimsollJSON

/// What a client tells its app.
package enum PrinceOutcome: Equatable, Sendable {
    case answered(PrinceAnswer)
    case failed(PrinceFailure)

    package var status: PrinceStatus {
        switch self {
        case .answered(let answer): answer.status
        case .failed: .error
        }
    }
}

/// What becomes of the device, in the words of the format.
package enum PrinceStatus: String, CaseIterable, Sendable {
    case requiredUpdateNeeded = "REQUIRED_UPDATE_NEEDED"
    case newUpdateAvailable = "NEW_UPDATE_AVAILABLE"
    case noUpdateAvailable = "NO_UPDATE_AVAILABLE"
    case error = "ERROR"
}

/// What an app is given where nothing went wrong.
package struct PrinceAnswer: Equatable, Sendable {
    package let status: PrinceStatus
    /// The client's own idea of where an update leads; it differs between the platforms.
    package let updateVersion: String
    /// The metadata of the document, and over it those of the selected entry; `nil` where the
    /// client hands on none.
    package let meta: JSONObject?
    /// Which entry was selected; `nil` in the format before 4.0, which has none.
    package var entry: Int?
    /// Told beside the status by the libraries before 4.0 for Apple's platforms alone.
    package var isMinimumSatisfied: Bool?
}

/// An error by the name that the client gives it.
package struct PrinceFailure: Error, Equatable, Sendable {
    package let name: String
    /// What an error about requirements carries: the metadata of the document alone.
    package let meta: JSONObject?

    init(_ name: String, meta: JSONObject? = nil) {
        self.name = name
        self.meta = meta
    }
}

extension PrinceOutcome {
    package var json: JSONObject {
        var json: JSONObject = ["status": .string(status.rawValue)]
        switch self {
        case .answered(let answer):
            json["updateVersion"] = .string(answer.updateVersion)
            json["entry"] = answer.entry.map { .integer(Int64($0)) }
            json["meta"] = answer.meta.map(JSONValue.object)
            json["minimumSatisfied"] = answer.isMinimumSatisfied.map(JSONValue.bool)
        case .failed(let failure):
            json["error"] = .string(failure.name)
            json["meta"] = failure.meta.map(JSONValue.object)
        }
        return json
    }
}
