import FoundationEssentials
package import PlimsollDomain

package let harbour = slug("harbour")
package let alice = PrincipalID(UUID())
package let bob = PrincipalID(UUID())
package let rita = PrincipalID(UUID())
package let root = PrincipalID(UUID())

/// When the tests' commands are decided, unless they say otherwise.
package let testNow = Instant(millisecondsSince1970: 1_800_000_000_000)

package func slug(_ text: String) -> AppSlug {
    guard let slug = AppSlug(text) else { preconditionFailure("\(text) is no slug") }
    return slug
}

package func tag(_ text: String) -> LanguageTag {
    guard let tag = LanguageTag(text) else { preconditionFailure("\(text) is no language tag") }
    return tag
}

package func dotted(_ text: String) -> VersionValue {
    guard let version = AppleVersion(text) else { preconditionFailure("\(text) is no version") }
    return .dotted(version)
}

package func code(_ number: Int64) -> VersionValue {
    guard let version = AndroidVersion(number) else { preconditionFailure("\(number) is no code") }
    return .integer(version)
}

package func change(_ number: Int64) -> ChangeID {
    guard let id = ChangeID(rawValue: number) else { preconditionFailure("no change \(number)") }
    return id
}

package func text(_ text: String) throws -> Text { try Text(validating: text) }

package func settings(
    _ platforms: [Platform] = [.ios, .android],
    _ languages: [String] = ["en"],
    fallback: String = "en",
    profile: DocumentProfile = .complete,
    clients: [ClientGeneration]? = nil
) throws -> AppSettings {
    AppSettings(
        name: try Title(validating: "Harbour"),
        platforms: platforms,
        languages: languages.map(tag),
        fallbackLanguage: tag(fallback),
        profile: profile,
        clients: clients
    )
}

/// The settings that harbour is registered with.
package let harbourSettings: AppSettings = {
    guard let plain = try? settings() else { preconditionFailure("plain settings are settings") }
    return plain
}()

extension Policy {
    /// The built-in one, but for what a test is about; rules left out are the built-in ones.
    package init(
        rules: [ChangeKind: ApprovalRule] = [:],
        rollbackReview: ReviewRule? = nil,
        graceSeconds: Int64 = Policy.builtIn.graceSeconds,
        checks: [CheckName: CheckRule] = [:],
        storeSeconds: Int64 = Policy.storeSecondsUsual,
        blockedPercentMaximum: Int64? = nil,
        releases: FactRule = .usual,
        shares: FactRule = .usual
    ) {
        self.init(
            rules: rules,
            emergencyReview: Policy.builtIn.emergencyReview,
            rollbackReview: rollbackReview,
            graceSeconds: graceSeconds,
            checks: checks,
            storeSeconds: storeSeconds,
            blockedPercentMaximum: blockedPercentMaximum,
            releases: releases,
            shares: shares
        )
    }
}

/// A digest that tells contents apart as well as a real one does, for deciding.
package let testHash: ChangeHash = { content in
    var hasher = FNV()
    hasher.add("\(content)")
    return hasher.digest
}

/// Counts what ``Given/signature(_:with:by:at:)`` makes.
package let testSignatures: SignatureCheck = { signature, statement in
    signature == testSignature(of: statement, with: signature.key)
}

/// Tells keys and statements apart as well as a real one does, for deciding.
package func testSignature(of statement: ApprovalStatement, with key: PersonKey) -> PersonSignature
{
    var hasher = FNV()
    hasher.add(key.text + statement.text)
    return PersonSignature(key: key, signedAt: statement.signedAt, value: hasher.digest.hex)
}

/// A key like those of OpenSSH, another one for each letter.
package func testKey(_ letter: Character) throws -> PersonKey {
    let blob = "AAAAC3NzaC1lZDI1NTE5AAAAI" + String(repeating: letter, count: 43)
    guard let key = PersonKey("ssh-ed25519 \(blob)") else { throw NoKey() }
    return key
}

private struct NoKey: Error {}

/// Fowler, Noll and Vo's hash, spread over 64 digits.
private struct FNV {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    var digest: ChangeDigest {
        let digits = String(state, radix: 16)
        let padded = String(repeating: "0", count: 64 - digits.count) + digits
        guard let digest = ChangeDigest(hex: padded) else {
            preconditionFailure("64 digits are a digest")
        }
        return digest
    }
}

extension Given {
    /// Harbour on iOS and Android, with somebody in every role.
    package static func harbourApp() throws -> Given {
        Given()
            .when(
                .system,
                (.access, .access(.principalAdded(root))),
                (.access, .access(.roleGranted(root, RoleGrant(.admin, in: .all))))
            )
            .when(
                root,
                (.app(harbour), .app(.appRegistered(try settings()))),
                (.access, .access(.principalAdded(alice))),
                (.access, .access(.roleGranted(alice, RoleGrant(.proposer, in: .app(harbour))))),
                (.access, .access(.principalAdded(bob))),
                (.access, .access(.roleGranted(bob, RoleGrant(.approver, in: .app(harbour))))),
                (.access, .access(.principalAdded(rita))),
                (.access, .access(.roleGranted(rita, RoleGrant(.responder, in: .all))))
            )
    }

    /// What a reviewer of the change would see now.
    package func digest(_ id: ChangeID) -> ChangeDigest {
        guard let change = logState.openChange(id), let app = logState.app(change.app) else {
            preconditionFailure("change \(id) is not open")
        }
        return testHash(change.content(against: app))
    }
}

package func raise(
    to version: String,
    base: Position,
    at start: Instant? = nil,
    until end: Instant? = nil,
    by author: PrincipalID = alice
) throws -> ProposeChange {
    try propose(
        [
            Operation(.ios, .minimumApp, .setValue(dotted(version))),
            Operation(
                .ios,
                .minimumApp,
                .setText(.description, tag("en"), text("Update to \(version)."))
            ),
        ],
        base: base,
        at: start,
        until: end,
        by: author
    )
}

package func propose(
    _ operations: [Operation],
    base: Position,
    at start: Instant? = nil,
    until end: Instant? = nil,
    by author: PrincipalID = alice
) throws -> ProposeChange {
    ProposeChange(
        app: harbour,
        title: try Title(validating: "A change"),
        reason: nil,
        base: base,
        operations: operations,
        schedule: start ?? end == nil ? nil : Schedule(at: start, until: end, timeZone: .utc),
        by: author
    )
}

/// The approval of what a reviewer saw.
package func approval(
    of id: ChangeID,
    seen: ChangeDigest,
    by reviewer: PrincipalID = bob
) -> ApproveChange {
    ApproveChange(change: id, seen: seen, comment: nil, by: reviewer, hash: testHash)
}

extension Given {
    /// The approval of what a reviewer would see now.
    package func approve(
        _ id: ChangeID,
        by reviewer: PrincipalID = bob,
        signature: PersonSignature? = nil
    ) -> ApproveChange {
        ApproveChange(
            change: id,
            seen: digest(id),
            comment: nil,
            signature: signature,
            by: reviewer,
            hash: testHash,
            isSigned: testSignatures
        )
    }

    /// What a reviewer says who would see the change now and does not want it so.
    package func turnDown(
        _ id: ChangeID,
        _ verdict: TurnDownChange.Verdict,
        because reason: String,
        by reviewer: PrincipalID = bob
    ) throws -> TurnDownChange {
        TurnDownChange(
            change: id,
            verdict: verdict,
            seen: digest(id),
            reason: try Reason(validating: reason),
            by: reviewer,
            hash: testHash
        )
    }

    /// What a reviewer who sees the change now would sign.
    package func signature(
        _ id: ChangeID,
        with key: PersonKey,
        by reviewer: PrincipalID = bob,
        at instant: Instant? = nil
    ) -> PersonSignature {
        let statement = ApprovalStatement(
            app: harbour,
            change: id,
            digest: digest(id),
            approver: reviewer,
            signedAt: instant ?? decidedAt
        )
        return testSignature(of: statement, with: key)
    }

    /// The same change with another minimum, on what is live now.
    package func revise(
        _ id: ChangeID,
        to version: String,
        _ schedule: Schedule? = nil,
        by author: PrincipalID
    ) throws -> ReviseChange {
        ReviseChange(
            change: id,
            seen: digest(id),
            title: nil,
            base: logState.position,
            operations: try raise(to: version, base: logState.position).operations,
            schedule: schedule,
            reason: nil,
            by: author,
            hash: testHash
        )
    }

    /// Where the open change stands.
    package func approvalStatus(
        _ id: ChangeID,
        at now: Instant = testNow
    ) throws -> ApprovalStatus {
        logState.approvalStatus(of: try logState.examined(id, by: .system, testHash), at: now)
    }
}

/// Registers an app for iOS and Android, with a key that nobody signs with.
package func registration(of app: AppSlug, isDefault: Bool? = nil) throws -> RegisterApp {
    RegisterApp(
        slug: app,
        settings: try settings(),
        key: KeyRecord(id: KeyID(UUID()), app: app, publicKey: [1]),
        isDefault: isDefault,
        by: .system
    )
}

/// The record of a token; the digest of its secret is of one digit, or of any.
package func sampleToken(
    of principal: PrincipalID = PrincipalID(UUID()),
    _ digit: Character? = nil,
    until end: Instant? = nil
) -> TokenRecord {
    let digits = (0..<64).map { _ in digit ?? "0123456789abcdef".randomElement() ?? "0" }
    guard let secret = SecretDigest(hex: String(digits)) else {
        preconditionFailure("64 digits are a digest")
    }
    return TokenRecord(id: TokenID(UUID()), principal: principal, secret: secret, expiresAt: end)
}

/// An event as the service would have recorded it alone.
package func recordedEvent(
    _ event: Event,
    in stream: StreamName = .app(harbour),
    at instant: Instant,
    _ position: Position = .start,
    by actor: PrincipalID = .system
) -> RecordedEvent {
    RecordedEvent(
        position: position,
        id: UUID(),
        stream: stream,
        revision: .none,
        recordedAt: instant,
        command: CommandID(UUID()),
        origin: Origin(actor: actor, authentication: .service, correlation: UUID()),
        event: event
    )
}
