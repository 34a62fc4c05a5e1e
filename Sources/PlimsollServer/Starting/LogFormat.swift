import Foundation
package import Logging
import PlimsollDomain
import PlimsollJSON
import Synchronization

/// How what happens is written to standard error.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// For programs: one object a line.
    case json

    package static let grammar = allCases.map(\.rawValue).joined(separator: " or ")

    /// Has every logger of the process write so; once a process.
    package func bootstrap() {
        switch self {
        case .text: LoggingSystem.bootstrap(StreamLogHandler.standardError)
        case .json:
            LoggingSystem.bootstrap { label in
                JSONLogHandler(label: label) { line in
                    // There is nobody to tell that nobody can be told.
                    try? standardError.withLock { try $0.write(contentsOf: line) }
                }
            }
        }
    }
}

/// So that no line is written into another.
private let standardError = Mutex(FileHandle.standardError)

/// Writes each message as one object of JSON on a line of its own.
///
/// What comes from outside stands in strings, where a line feed is `\n`: it can neither end the
/// line nor add a member. The metadata has an object of its own, so that none of its names is taken
/// for the message.
package struct JSONLogHandler: LogHandler {
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    package init(label: String, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var facts = metadata
        facts.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        if let error = event.error { facts["error"] = "\(error)" }
        facts.merge(event.metadata ?? [:]) { _, new in new }
        let line: JSONObject = [
            "time": .string(Instant(Date.now).description),
            "level": .string(event.level.rawValue),
            "logger": .string(label),
            "message": .string(event.message.description),
            "metadata": .object(JSONObject(facts)),
        ]
        write(line.canonicalBytes() + [UInt8(ascii: "\n")])
    }
}

extension JSONObject {
    fileprivate init(_ metadata: Logger.Metadata) {
        self.init(metadata.map { Member(key: $0.key, value: JSONValue($0.value)) })
    }
}

extension JSONValue {
    fileprivate init(_ value: Logger.MetadataValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .stringConvertible(let value): .string(value.description)
            case .array(let values): .array(values.map { JSONValue($0) })
            case .dictionary(let facts): .object(JSONObject(facts))
            }
    }
}
