import PlimsollJSON

/// Edits that tests propose.
enum Edits {
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
