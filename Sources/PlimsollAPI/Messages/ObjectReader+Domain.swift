package import PlimsollDomain
package import PlimsollJSON

/// Members that hold values of the domain, each refused in its own words.
extension ObjectReader {
    package mutating func slug(_ key: String) -> AppSlug? {
        string(key, needing: "an app's slug: \(AppSlug.grammar)", AppSlug.init)
    }

    package mutating func title(_ key: String) -> Title? {
        string(key).flatMap { validated(key, $0, Title.init(validating:)) }
    }

    package mutating func optionalTitle(_ key: String) -> Title? {
        optionalString(key).flatMap { validated(key, $0, Title.init(validating:)) }
    }

    package mutating func reason(_ key: String) -> Reason? {
        string(key).flatMap { validated(key, $0, Reason.init(validating:)) }
    }

    package mutating func optionalReason(_ key: String) -> Reason? {
        optionalString(key).flatMap { validated(key, $0, Reason.init(validating:)) }
    }

    package mutating func optionalLabel(_ key: String) -> Label? {
        optionalString(key).flatMap { validated(key, $0, Label.init(validating:)) }
    }

    package mutating func text(_ key: String) -> Text? {
        string(key).flatMap { validated(key, $0, Text.init(validating:)) }
    }

    package mutating func language(_ key: String) -> LanguageTag? {
        string(key, needing: LanguageTag.grammar, LanguageTag.init)
    }

    package mutating func platform(_ key: String) -> Platform? {
        string(key, needing: Platform.grammar, Platform.init(rawValue:))
    }

    package mutating func position(_ key: String) -> Position? {
        member(key, needing: Position.grammar) { $0.integer.flatMap(Position.init(rawValue:)) }
    }

    package mutating func optionalPosition(_ key: String) -> Position? {
        optionalMember(key, needing: Position.grammar) {
            $0.integer.flatMap(Position.init(rawValue:))
        }
    }

    package mutating func sequence(_ key: String) -> SnapshotSequence? {
        member(key, needing: SnapshotSequence.grammar) {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
    }

    package mutating func optionalSequence(_ key: String) -> SnapshotSequence? {
        optionalMember(key, needing: SnapshotSequence.grammar) {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
    }

    package mutating func instant(_ key: String) -> Instant? {
        string(key, needing: Instant.grammar, Instant.init(rfc3339:))
    }

    package mutating func optionalInstant(_ key: String) -> Instant? {
        optionalString(key, needing: Instant.grammar, Instant.init(rfc3339:))
    }

    package mutating func change(_ key: String) -> ChangeID? {
        string(key, needing: ChangeID.grammar, ChangeID.init)
    }

    /// Changes by their ids.
    package mutating func changes(_ key: String) -> [ChangeID]? {
        strings(key, needing: ChangeID.grammar, ChangeID.init)
    }

    package mutating func principal(_ key: String) -> PrincipalID? {
        string(key, needing: "a principal's id", PrincipalID.init)
    }

    package mutating func optionalPrincipal(_ key: String) -> PrincipalID? {
        optionalString(key, needing: "a principal's id", PrincipalID.init)
    }

    /// One of the cases of a closed set of names.
    package mutating func name<Value: RawRepresentable & CaseIterable>(
        _ key: String,
        as type: Value.Type = Value.self
    ) -> Value? where Value.RawValue == String {
        string(key, needing: oneOf(type), Value.init(rawValue:))
    }

    private mutating func validated<Value>(
        _ key: String,
        _ text: String,
        _ make: (String) throws(TextFault) -> Value
    ) -> Value? {
        do throws(TextFault) {
            return try make(text)
        } catch {
            refuse(key, error.sentence)
            return nil
        }
    }
}

/// The names of a closed set, as a sentence says them: `one of title, description`.
package func oneOf<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> String
where Value.RawValue == String {
    "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
}

extension Platform {
    package static let grammar = oneOf(Platform.self)
}

extension Field {
    package static let grammar =
        "a field's path, such as ios.minimumApp.value, android.recommendedApp.description.de or"
        + " ios.offers"
}

extension Position {
    package static let grammar = "a position of the log: a whole number from 0 on"
}

extension Instant {
    package static let grammar = "a time as RFC 3339 writes it, such as 2026-11-21T08:00:00.000Z"
}

extension ChangeID {
    package static let grammar = "a change's id, such as \"17\""
}

extension SnapshotSequence {
    package static let grammar = "a snapshot's sequence: a whole number from 1 on"
}

extension StateName {
    package static let grammar =
        "a state: live, event:POSITION, time:TIME, change:ID, snapshot:SEQUENCE or rollback:TARGET,"
        + " where TARGET is event:POSITION, time:TIME, before-change:ID, revert:ID or"
        + " last-good:SECONDS"
}
