import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct DecideChangeTests {
    private func proposed() throws -> Given {
        let given = try Given.harbourApp()
        return given.when(try raise(to: "3.2.0", base: given.logState.position))
    }

    @Test func `one approval applies a change, with the fields in between`() throws {
        let given = try proposed()
        let digest = given.digest(change(1))
        given.when(
            given.approve(change(1)),
            then: [
                .change(.changeApproved(digest: digest, comment: nil)),
                .app(.thresholdSet(.ios, .minimumApp, dotted("3.2.0"))),
                .app(
                    .textSet(
                        .ios,
                        .minimumApp,
                        .description,
                        tag("en"),
                        try text("Update to 3.2.0.")
                    )
                ),
                .change(.changeApplied(app: harbour, digest: digest)),
            ]
        )
        let after = given.when(given.approve(change(1)))
        #expect(after.logState.app(harbour)?.document(.ios)[.minimumApp].value == dotted("3.2.0"))
        #expect(after.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `an author never approves own work, not even as approver`() throws {
        let given = try proposed().when(
            root,
            (.access, .access(.roleGranted(alice, RoleGrant(.approver, in: .all))))
        )
        given.when(given.approve(change(1), by: alice), refusedBy: .ownWork(change(1)))
        given.when(
            try given.turnDown(change(1), .rejected, because: "no", by: alice),
            refusedBy: .ownWork(change(1))
        )
    }

    @Test func `whoever owes the author a role cannot approve, however indirectly`() throws {
        let mask = PrincipalID(UUID())
        let mask2 = PrincipalID(UUID())
        let given = try proposed()
            .when(alice, (.access, .access(.principalAdded(mask))))
            .when(
                mask,
                (.access, .access(.principalAdded(mask2))),
                (.access, .access(.roleGranted(bob, RoleGrant(.viewer, in: .all))))
            )
            .when(root, (.access, .access(.roleGranted(mask2, RoleGrant(.approver, in: .all)))))
        given.when(
            given.approve(change(1), by: mask2),
            refusedBy: .dependsOnAuthor(change(1))
        )
        given.when(given.approve(change(1), by: bob), refusedBy: .dependsOnAuthor(change(1)))
    }

    @Test func `whoever the author has issued a token for cannot approve, revoked or not`() throws {
        let (mask, token) = (PrincipalID(UUID()), TokenID(UUID()))
        let secret = try #require(SecretDigest(hex: String(repeating: "1", count: 64)))
        let stolen = TokenRecord(id: token, principal: bob, secret: secret, expiresAt: nil)
        let given = try proposed()
            .when(alice, (.access, .access(.tokenIssued(stolen))))
            .when(
                bob,
                (.access, .access(.principalAdded(mask))),
                (.access, .access(.roleGranted(mask, RoleGrant(.approver, in: .all)))),
                (.access, .access(.tokenRevoked(token)))
            )
        for approver in [bob, mask] {
            given.when(
                given.approve(change(1), by: approver),
                refusedBy: .dependsOnAuthor(change(1))
            )
        }
    }

    @Test func `an administrator who proposes finds no approver among own creatures`() throws {
        var given = try Given.harbourApp().when(
            .system,
            (.access, .access(.roleGranted(root, RoleGrant(.proposer, in: .all))))
        )
        given = given.when(try raise(to: "3", base: given.logState.position, by: root))
        given.when(given.approve(change(1)), refusedBy: .dependsOnAuthor(change(1)))
    }

    @Test func `who let the author in cannot approve, however indirectly`() throws {
        let (friend, carol) = (PrincipalID(UUID()), PrincipalID(UUID()))
        var given = try Given.harbourApp()
            .when(bob, (.access, .access(.principalAdded(friend))))
            .when(
                friend,
                (.access, .access(.principalAdded(carol))),
                (.access, .access(.roleGranted(carol, RoleGrant(.proposer, in: .app(harbour)))))
            )
            .when(
                root,
                (.access, .access(.roleGranted(friend, RoleGrant(.approver, in: .app(harbour)))))
            )
        given = given.when(try raise(to: "3", base: given.logState.position, by: carol))
        for approver in [bob, friend] {
            given.when(
                given.approve(change(1), by: approver),
                refusedBy: .authorDepends(change(1))
            )
        }
    }

    @Test func `that the service let somebody in keeps it from nothing`() throws {
        var given = try Given.harbourApp()
        let carol = PrincipalID(UUID())
        let role = RoleGrant(.proposer, in: .app(harbour))
        given = given.when(AdmitPrincipal(carol, grants: [role], by: .system))
        given = given.when(try raise(to: "3", base: given.logState.position, by: carol))
        let approved = given.when(given.approve(change(1), by: .system))
        #expect(approved.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `an approval of something else than was shown is refused`() throws {
        let given = try proposed()
        let seen = try #require(ChangeDigest(hex: String(repeating: "0", count: 64)))
        given.when(
            approval(of: change(1), seen: seen),
            refusedBy: .digestDiffers(change(1), seen: seen, current: given.digest(change(1)))
        )
    }

    @Test func `when what is live moves under a change, the old digest is void`() throws {
        var given = try proposed()
        let seen = given.digest(change(1))
        given = given.when(try raise(to: "3.3.0", base: given.logState.position))
        given = given.when(given.approve(change(2)))
        #expect(given.digest(change(1)) != seen)
        let command = approval(of: change(1), seen: seen)
        #expect(throws: Refusal.self) { try command.decide(in: given.logState, at: testNow) }
        #expect(throws: Refusal.self) {
            try given.approve(change(1)).decide(in: given.logState, at: testNow)
        }
    }

    @Test func `a change that ended refuses every decision`() throws {
        let rejected = try proposed().rejected()
        let withdrawn = try proposed().withdrawn()
        let applied = try proposed().when(proposed().approve(change(1)))
        for (given, state) in [
            (rejected, ChangeState.rejected), (withdrawn, .withdrawn), (applied, .applied),
        ] {
            let digest = try proposed().digest(change(1))
            given.when(
                approval(of: change(1), seen: digest),
                refusedBy: .changeClosed(change(1), state)
            )
            given.when(
                WithdrawChange(change: change(1), seen: digest, by: alice, hash: testHash),
                refusedBy: .changeClosed(change(1), state)
            )
        }
    }

    @Test func `only its author withdraws a change`() throws {
        let given = try proposed().when(
            root,
            (.access, .access(.roleGranted(bob, RoleGrant(.proposer, in: .all))))
        )
        given.when(
            WithdrawChange(
                change: change(1),
                seen: given.digest(change(1)),
                by: bob,
                hash: testHash
            ),
            refusedBy: .notTheAuthor(change(1))
        )
    }

    @Test func `a change nobody made is unknown`() throws {
        let given = try proposed()
        let command = approval(of: change(9), seen: given.digest(change(1)))
        given.when(command, refusedBy: .changeUnknown(change(9)))
    }
}

extension Given {
    fileprivate func rejected() throws -> Given {
        when(try turnDown(change(1), .rejected, because: "not yet"))
    }

    fileprivate func withdrawn() -> Given {
        when(
            WithdrawChange(
                change: change(1),
                seen: digest(change(1)),
                by: alice,
                hash: testHash
            )
        )
    }
}
