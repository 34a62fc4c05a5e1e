import PlimsollJSON

/// Edits that tests propose.
enum Edits {
    /// A line that holds nobody back, so that a rollback to before what follows empties nothing.
    static let calm: JSONValue = [
        ["op": "setValue", "platform": "ios", "threshold": "recommendedOS", "value": "0"]
    ]

    /// Raises the minimum of the app on iOS, with the texts that it needs.
    static func minimum(_ version: String) -> JSONValue {
        [
            [
                "op": "setValue", "platform": "ios", "threshold": "minimumApp",
                "value": .string(version),
            ],
            text("en-GB", "Please update to \(version)."), text("en", "Update to \(version)."),
        ]
    }

    static func text(_ language: String, _ text: String) -> JSONValue {
        [
            "op": "setText", "platform": "ios", "threshold": "minimumApp",
            "part": "description", "language": .string(language), "text": .string(text),
        ]
    }
}
