import PlimsollDocuments
import PlimsollJSON
import Testing

/// One device after another, each of which looks at a document once or more often.
struct Check {
    var app = "2.0.0"
    var os = "15.4.1"
    var build = "0"
    var requirements: [String: String] = [:]
    var times = 1

    static let apple = Check()
    static let android = Check(app: "200", os: "30")
    static let java = Check(app: "2.0.0", os: "17")

    /// A device of the client's platform on which version 2, or code 200, is installed.
    static func usual(_ client: PrinceOfVersionsClient) -> Check {
        switch client.installation {
        case .apple: .apple
        case .code: .android
        case .semantic: Check(app: "2.0.0", os: "30")
        case .java: .java
        }
    }

    func outcomes(_ client: PrinceOfVersionsClient, _ document: String) -> [PrinceOfVersionsOutcome]
    {
        var memory = PrinceOfVersionsMemory()
        let device = PrinceOfVersionsDevice(
            appVersion: app,
            build: build,
            os: os,
            requirements: requirements
        )
        return (0..<times).map { _ in
            client.check(Array(document.utf8), on: device, remembering: &memory)
        }
    }

    /// What the last look gives, in a word.
    func verdict(_ client: PrinceOfVersionsClient, _ document: String) -> String? {
        outcomes(client, document).last?.word
    }
}

extension PrinceOfVersionsOutcome {
    /// The status, or which error.
    var word: String {
        switch self {
        case .failed(let failure): failure.name
        case .answered(let answer): answer.status.word
        }
    }

    var meta: JSONObject? {
        switch self {
        case .failed(let failure): failure.meta
        case .answered(let answer): answer.meta
        }
    }

    var answer: PrinceOfVersionsUpdate? {
        if case .answered(let answer) = self { answer } else { nil }
    }
}

extension PrinceOfVersionsStatus {
    var word: String {
        switch self {
        case .requiredUpdateNeeded: "required"
        case .newUpdateAvailable: "new"
        case .noUpdateAvailable: "none"
        case .error: "error"
        }
    }
}

extension PrinceOfVersionsClient {
    static let ios4: [PrinceOfVersionsClient] = [
        .ios400, .ios401, .ios402, .ios403, .ios404, .ios405, .ios406, .ios407, .ios408,
    ]
    /// iOS since 4.0, as far as a document for `ios` is told apart by none of them.
    static let apple4 = ios4 + [.macos408]
}

/// A document, and what clients make of it.
struct Row: CustomTestStringConvertible {
    let document: String
    let verdicts: [([PrinceOfVersionsClient], String)]
    var check: Check?

    init(
        _ document: String,
        _ verdicts: ([PrinceOfVersionsClient], String)...,
        on check: Check? = nil
    ) {
        (self.document, self.verdicts, self.check) = (document, verdicts, check)
    }

    var testDescription: String { document }

    /// Each client with what it is expected to say and what it says.
    var mismatches: [String] {
        verdicts.flatMap { clients, expected in
            clients.compactMap { client in
                let found = (check ?? .usual(client)).verdict(client, document) ?? "nothing"
                return found == expected ? nil : "\(client.rawValue): \(found), not \(expected)"
            }
        }
    }
}
