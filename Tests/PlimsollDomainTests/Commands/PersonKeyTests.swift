import PlimsollDomain
import PlimsollTestSupport
import Testing

/// People sign what they approve, and a policy may count nothing else.
@Suite struct PersonKeyTests {
    private let key: PersonKey
    private let other: PersonKey

    init() throws {
        key = try testKey("A")
        other = try testKey("B")
    }

    private func add(
        _ key: PersonKey,
        of principal: PrincipalID = bob,
        by: PrincipalID = root
    ) -> AddPersonKey {
        AddPersonKey(key, of: principal, reason: nil, by: by)
    }

    private func revoke(
        _ key: PersonKey,
        of principal: PrincipalID = bob,
        by: PrincipalID
    ) -> RevokePersonKey {
        RevokePersonKey(key, of: principal, reason: nil, by: by)
    }

    /// A raised minimum needs so many signed approvals, and bob has a key.
    private func signedPolicy(_ count: Int = 1) throws -> Given {
        let asked = ApprovalRequirement(count, of: .approver, signedBy: .person)
        let policy = Policy(rules: [.raiseMinimum: ApprovalRule(requirements: [asked])])
        return try Given.harbourApp()
            .when(root, (.app(harbour), .app(.policyChanged(policy))))
            .when(add(key))
            .when(raise(to: "3.2.0", base: .start))
    }

    // MARK: - Keys

    @Test func `nobody is given a key while they are suspended`() throws {
        let suspend = SuspendPrincipal(bob, reason: try Reason(validating: "Lost"), by: root)
        try Given.harbourApp().when(suspend).when(add(key), refusedBy: .suspended(bob))
    }

    @Test func `a key has one owner for good, and its owner or an administrator revokes it`()
        throws
    {
        let given = try Given.harbourApp()
        given.when(add(key, by: alice), refusedBy: .roleMissing(.admin, .app(harbour)))
        let added = given.when(add(key))
        #expect(added.logState.access.personKeys(of: bob) == [key])
        added.when(add(key), refusedBy: .nothingChanges)
        added.when(add(key, of: alice), refusedBy: .personKeyKnown(key, of: bob))
        added.when(revoke(other, by: bob), refusedBy: .personKeyUnknown(other, of: bob))
        added.when(revoke(key, by: alice), refusedBy: .roleMissing(.admin, .app(harbour)))
        for keeper in [bob, root] {
            let revoked = added.when(revoke(key, by: keeper))
            #expect(revoked.logState.access.personKeys(of: bob).isEmpty)
            revoked.when(add(key), refusedBy: .personKeyKnown(key, of: bob))
            revoked.when(add(key, of: alice), refusedBy: .personKeyKnown(key, of: bob))
        }
    }

    @Test func `nobody has more keys than may count at a time`() throws {
        let letters = Array("CDEFGHIJKL")
        let full = try letters.reduce(try Given.harbourApp()) { given, letter in
            given.when(add(try testKey(letter)))
        }
        full.when(add(key), refusedBy: .personKeysFull(bob))
    }

    @Test func `whoever adds a key of somebody could sign as them, and is one of those they owe`()
        throws
    {
        let given = try Given.harbourApp().when(
            root,
            (.access, .access(.roleGranted(alice, RoleGrant(.admin, in: .app(harbour)))))
        )
        #expect(!given.logState.access.depends(bob, on: alice))
        let added = given.when(add(key, by: alice))
        #expect(added.logState.access.depends(bob, on: alice))
        let proposed = try added.when(raise(to: "3.2.0", base: .start))
        proposed.when(proposed.approve(.first), refusedBy: .dependsOnAuthor(.first))
    }

    // MARK: - Approvals

    @Test func `a signed approval is one with the key that its approver signed with`() throws {
        let given = try signedPolicy()
        let signature = given.signature(.first, with: key)
        let applied = given.when(given.approve(.first, signature: signature))
        #expect(applied.logState.openChange(.first) == nil)
        let recorded = applied.events.compactMap { recorded -> PersonSignature? in
            guard case .change(.changeApproved(_, _, _, let signature)) = recorded.event else {
                return nil
            }
            return signature
        }
        #expect(recorded == [signature])
    }

    @Test func `where the policy counts only signed approvals one without is refused`() throws {
        let given = try signedPolicy()
        given.when(given.approve(.first), refusedBy: .signatureNeeded(.first))
    }

    @Test func `what was approved without a signature can be signed afterwards`() throws {
        let signed = ApprovalRequirement(1, of: .approver, signedBy: .person)
        let policy = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(
                    requirements: [ApprovalRequirement(1, of: .approver), signed]
                )
            ]
        )
        let given = try Given.harbourApp()
            .when(root, (.app(harbour), .app(.policyChanged(policy))))
            .when(raise(to: "3.2.0", base: .start))
        let half = given.when(given.approve(.first)).when(add(key))
        #expect(try half.approvalStatus(.first).missing.map(\.requirement) == [signed])
        half.when(half.approve(.first), refusedBy: .approvedAlready(.first))
        let change = try #require(half.logState.openChange(.first))
        #expect(half.logState.waits(change, for: bob, testHash, at: half.decidedAt))
        let signature = half.signature(.first, with: key)
        let applied = half.when(half.approve(.first, signature: signature))
        #expect(applied.logState.openChange(.first) == nil)
    }

    @Test func `who has no key is not asked for a signature, and signs nothing for trial`() throws {
        let given = try signedPolicy()
        let change = try #require(given.logState.openChange(.first))
        #expect(given.logState.waits(change, for: bob, testHash, at: given.decidedAt))
        func trial(_ given: Given) -> ApproveChange {
            ApproveChange(
                change: .first,
                seen: given.digest(.first),
                comment: nil,
                by: bob,
                hash: testHash,
                isDryRun: true
            )
        }
        #expect(given.when(trial(given)).logState.openChange(.first) == nil)
        let revoked = given.when(revoke(key, by: bob))
        let open = try #require(revoked.logState.openChange(.first))
        #expect(!revoked.logState.waits(open, for: bob, testHash, at: revoked.decidedAt))
        revoked.when(trial(revoked), refusedBy: .signatureNeeded(.first))
    }

    @Test func `a signature is refused with another key, statement or time, or a second time`()
        throws
    {
        let given = try signedPolicy(2)
        let now = given.decidedAt
        func refused(
            _ fault: SignatureFault,
            _ signature: PersonSignature,
            in given: Given
        ) {
            given.when(
                given.approve(.first, signature: signature),
                refusedBy: .signatureRefused(fault)
            )
        }
        refused(.keyNotYours(other), given.signature(.first, with: other), in: given)
        let forged = try #require(PersonSignature(by: key, at: now, "Zm9yZ2Vk"))
        refused(.anotherStatement, forged, in: given)
        for seconds in [-901, 901] {
            let then = now.advanced(by: .seconds(seconds))
            refused(
                .anotherTime(then, now: now),
                given.signature(.first, with: key, at: then),
                in: given
            )
        }
        for seconds in [-900, 900] {
            let then = now.advanced(by: .seconds(seconds))
            let signature = given.signature(.first, with: key, at: then)
            _ = given.when(given.approve(.first, signature: signature))
        }
        let half = given.when(
            given.approve(.first, signature: given.signature(.first, with: key))
        )
        let objected = half.when(try half.turnDown(.first, .changesRequested, because: "Wait"))
        let revised = objected.when(try objected.revise(.first, to: "3.2.0", by: alice))
        refused(
            .used(now, last: now),
            revised.signature(.first, with: key, at: now),
            in: revised
        )
    }

    @Test func `an approval counts no more once its key is revoked, others of the person do`()
        throws
    {
        let given = try signedPolicy(2).when(add(other))
        let half = given.when(
            given.approve(.first, signature: given.signature(.first, with: key))
        )
        #expect(try half.approvalStatus(.first).approvals.map(\.by) == [bob])
        let elsewhere = half.when(revoke(other, by: bob))
        #expect(try elsewhere.approvalStatus(.first).approvals.map(\.by) == [bob])
        let revoked = half.when(revoke(key, by: bob))
        #expect(try revoked.approvalStatus(.first).approvals.isEmpty)
        let lapse = try #require(revoked.logState.openChange(.first)?.approvals.first?.lapse)
        #expect(lapse.cause == .keyRevoked(key) && ApprovalVoid(lapse).cause == .keyRevoked)
    }

    @Test func `an approval that was given before the policy wanted it signed counts no more`()
        throws
    {
        let given = try Given.harbourApp().when(raise(to: "3.2.0", base: .start))
        let two = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(requirements: [ApprovalRequirement(2, of: .approver)])
            ]
        )
        let open = given.when(root, (.app(harbour), .app(.policyChanged(two))))
        let half = open.when(open.approve(.first)).when(add(key))
        let signed = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(
                    requirements: [ApprovalRequirement(1, of: .approver, signedBy: .person)]
                )
            ]
        )
        let later = half.when(root, (.app(harbour), .app(.policyChanged(signed))))
        #expect(try later.approvalStatus(.first).missing.map(\.have) == [0])
        let change = try #require(later.logState.openChange(.first))
        let app = try #require(later.logState.app(harbour))
        let void = later.logState.void(
            try #require(change.approvals.first),
            of: change,
            change.content(against: app),
            later.digest(.first),
            try later.approvalStatus(.first)
        )
        #expect(void?.cause == .unsigned)
        let applied = later.when(
            later.approve(.first, signature: later.signature(.first, with: key))
        )
        #expect(applied.logState.openChange(.first) == nil)
    }

    @Test func `a policy that nobody has a key for has a gap`() throws {
        let asked = ApprovalRequirement(1, of: .approver, signedBy: .person)
        let policy = Policy(rules: [.text: ApprovalRule(requirements: [asked])])
        let given = try Given.harbourApp()
        let gap = PolicyGap.approvals([.text], asked, have: 0)
        #expect(given.logState.gaps(in: policy, of: .app(harbour)).contains(gap))
        let added = given.when(add(key))
        #expect(!added.logState.gaps(in: policy, of: .app(harbour)).contains(gap))
    }

    // MARK: - What is written

    @Test func `a public key is read as OpenSSH writes it, and nothing else is one`() {
        let blob = "AAAAC3NzaC1lZDI1NTE5AAAAINKL4CD7QaZDgfNZiW/nUG/DuaZIzVDTdUpgckdQRFJW"
        #expect(PersonKey("ssh-ed25519 \(blob) alice on her laptop")?.text == "ssh-ed25519 \(blob)")
        #expect(PersonKey("ssh-ed25519 \(blob) ")?.text == "ssh-ed25519 \(blob)")
        for wrong in [
            "", "ssh-ed25519", "ssh-ed25519 ", blob, " ssh-ed25519 \(blob)",
            "ssh-ed25519  \(blob)", "ssh-rsa \(blob)", "ssh-ed25519 \(blob)A",
            "ssh-ed25519 \(blob.dropLast())", "ssh-ed25519 \(blob.dropLast())!",
            "ecdsa-sha2-nistp256 \(blob)", "ssh-ed25519\n\(blob)",
        ] {
            #expect(PersonKey(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `a statement says in plain words what is signed`() throws {
        let statement = ApprovalStatement(
            app: harbour,
            change: .first,
            digest: try #require(ChangeDigest(hex: String(repeating: "a", count: 64))),
            approver: .system,
            signedAt: Instant(millisecondsSince1970: 0)
        )
        #expect(
            statement.text == """
                plimsoll-approval 1
                app harbour
                change 1
                digest \(String(repeating: "a", count: 64))
                approver system
                at 1970-01-01T00:00:00.000Z

                """
        )
    }
}
