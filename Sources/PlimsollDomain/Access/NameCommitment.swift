/// SHA-256 of a name and a salt that stand outside the log: whoever has both can see that they are
/// those that the log means, and nobody learns the name from it.
package struct NameCommitment: Codable, Hashable, Sendable {
    package let hex: String

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}

/// What stands beside the log of what people are called, held against what the log says of it.
package struct NameFindings: Equatable, Sendable {
    /// How many names are those that the log committed to.
    package private(set) var verified = 0
    /// How many stand there that the log says nothing of.
    package private(set) var uncommitted = 0
    /// Whose names are others, in the order of the ids.
    package private(set) var altered: [PrincipalID] = []
    /// Whose names are gone and were not erased, in the order of the ids.
    package var missing: [PrincipalID] = []
    /// The first event that says what a name was; `nil` where none does.
    package let committedSince: Position?

    /// Takes what every name that is known would have as its commitment; `nil` where it has no salt.
    package init(_ names: [PrincipalID: NameCommitment?], in access: Access) {
        committedSince = access.namesCommittedSince
        for id in access.principalIDs where !access.erased.contains(id) {
            let principal = access.principal(id)
            switch (principal?.name, names[id]) {
            case (nil, nil): break
            case (nil, _?) where principal?.isBeforeNames == true: uncommitted += 1
            case (_?, nil): missing.append(id)
            case (let commitment?, let name?) where name == commitment: verified += 1
            case (_, _?): altered.append(id)
            }
        }
    }
}
