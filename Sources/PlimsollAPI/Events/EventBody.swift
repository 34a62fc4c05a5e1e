package import PlimsollDomain
package import PlimsollJSON

/// What an event is called and what it says, by the members that its type has.
///
/// It is a view: what is stored and hashed has a form of its own. The digest of a token's secret
/// is left out.
package struct EventBody: Equatable, Sendable {
    package let type: String
    package let data: JSONObject

    init(_ type: String, _ data: JSONObject) {
        self.type = type
        self.data = data
    }

    package init(_ event: Event) {
        switch event {
        case .app(let event): self.init(event)
        case .change(let event): self.init(event)
        case .access(let event): self.init(event)
        case .key(let event): self.init(event)
        case .service(let event): self.init(event)
        case .export(let event): self.init(event)
        case .webhook(let event): self.init(event)
        }
    }

    /// Every name there is, in the order of the alphabet.
    package static let types = [
        "AppRegistered", "AppSettingsChanged", "ChangeApplied", "ChangeApproved", "ChangeCommented",
        "ChangeEnded", "ChangeOvertaken", "ChangeProposed", "ChangeRejected", "ChangeRevised",
        "ChangeScheduled", "ChangeSourced", "ChangeSuperseded", "ChangeSuspended",
        "ChangeWithdrawn", "ChangesRequested", "CheckOverridden", "DefaultAppChosen",
        "DefaultPolicyChanged", "EmergencyApplied", "EmergencyReviewed", "FreezeEnded",
        "FreezePlanCancelled", "FreezePlanned", "FreezeStarted", "KeyActivated", "KeyAdded",
        "KeyCompromised", "KeyRetired", "LegacyOfferReplaced", "NameErased", "OffersReplaced",
        "OperationsAdded",
        "PlannedFreezeEnded", "PlannedFreezeStarted", "PolicyChanged", "PrincipalAdded",
        "PrincipalResumed", "PrincipalSuspended", "PublicationFailed", "ReleaseAmended",
        "ReleaseRegistered", "ReleaseWithdrawn", "RenewalOrdered", "RoleGranted", "RoleRevoked",
        "RollbackReviewOrdered", "RollbackReviewed", "RolledBack", "ServiceFreezeEnded",
        "ServiceFreezePlanCancelled", "ServiceFreezePlanned", "ServiceFreezeStarted",
        "ServicePlannedFreezeEnded", "ServicePlannedFreezeStarted", "SnapshotPublished",
        "TextRemoved", "TextSet", "ThresholdCleared", "ThresholdSet", "TokenIssued",
        "TokenRenewed", "TokenRevoked", "ValueCleared", "VersionSharesReplaced", "WebhookDisabled",
        "WebhookEnabled", "WebhookRegistered", "WebhookRemoved", "WebhookReplayOrdered",
        "WebhookSecretRotated",
    ]
}

extension EventBody {
    private init(_ event: AppEvent) {
        switch event {
        case .appRegistered(let settings): self.init("AppRegistered", settings.json)
        case .appSettingsChanged(let settings): self.init("AppSettingsChanged", settings.json)
        case .thresholdSet(let platform, let name, let value):
            self.init(Operation(platform, name, .setValue(value)), "ThresholdSet")
        case .valueCleared(let platform, let name):
            self.init(Operation(platform, name, .clearValue), "ValueCleared")
        case .thresholdCleared(let platform, let name):
            self.init(Operation(platform, name, .clearThreshold), "ThresholdCleared")
        case .textSet(let platform, let name, let part, let language, let text):
            self.init(Operation(platform, name, .setText(part, language, text)), "TextSet")
        case .textRemoved(let platform, let name, let part, let language):
            self.init(Operation(platform, name, .removeText(part, language)), "TextRemoved")
        case .offersReplaced(let platform, let offers):
            self.init(Operation(platform, offers: .set(offers)), "OffersReplaced")
        case .legacyOfferReplaced(let platform, let legacy):
            self.init(Operation(platform, legacy: legacy), "LegacyOfferReplaced")
        case .rolledBack(let record):
            var json: JSONObject = [
                "to": .object(record.request.json),
                "target": JSONValue(record.target),
                "platforms": JSONValue(record.platforms),
            ]
            json["fields"] = record.fields.map { .array($0.map { .string($0.path) }) }
            self.init("RolledBack", json)
        case .renewalOrdered: self.init("RenewalOrdered", [:])
        case .policyChanged(let policy):
            self.init("PolicyChanged", ["policy": policy.map { .object($0.json) } ?? .null])
        case .freezeStarted: self.init("FreezeStarted", [:])
        case .freezeEnded: self.init("FreezeEnded", [:])
        case .freezePlan(let event): self.init(event, "")
        case .rollbackReviewOrdered(let order): self.init("RollbackReviewOrdered", order.json)
        case .rollbackReviewed(let review, let verdict):
            self.init("RollbackReviewed", verdict.json(of: review))
        case .releaseRegistered(let release): self.init("ReleaseRegistered", release.json)
        case .releaseAmended(let release): self.init("ReleaseAmended", release.json)
        case .releaseWithdrawn(let platform, let version):
            self.init(
                "ReleaseWithdrawn",
                ["platform": .string(platform.rawValue), "version": JSONValue(version)]
            )
        case .versionSharesReplaced(let platform, let shares):
            self.init(
                "VersionSharesReplaced",
                ["platform": .string(platform.rawValue), "rows": JSONValue(shares.rows)]
            )
        }
    }

    /// The members of an edit, but not its name, which the event's own takes the place of.
    private init(_ operation: Operation, _ type: String) {
        var json = operation.json
        json["op"] = nil
        self.init(type, json)
    }

    private init(_ event: ChangeEvent) {
        switch event {
        case .changeProposed(let app, let title, let base):
            self.init(
                "ChangeProposed",
                [
                    "app": .string(app.text), "title": .string(title.text),
                    "base": JSONValue(base),
                ]
            )
        case .operationsAdded(let operations):
            self.init("OperationsAdded", ["operations": JSONValue(operations)])
        case .changeApproved(let digest, let comment, let counted):
            var json: JSONObject = ["digest": .string(digest.hex)]
            json["comment"] = JSONValue(comment?.text)
            json["counted"] = .object(counted.json)
            self.init("ChangeApproved", json)
        case .changeRejected(let digest):
            self.init("ChangeRejected", ["digest": .string(digest.hex)])
        case .changeWithdrawn: self.init("ChangeWithdrawn", [:])
        case .changeApplied(let app, let digest):
            self.init(
                "ChangeApplied",
                ["app": .string(app.text), "digest": .string(digest.hex)]
            )
        case .changeRevised(let title, let base):
            self.init("ChangeRevised", ["title": .string(title.text), "base": JSONValue(base)])
        case .changeScheduled(let schedule):
            self.init(
                "ChangeScheduled",
                ["schedule": schedule.map { .object($0.json) } ?? .null]
            )
        case .changeCommented(let comment):
            self.init("ChangeCommented", ["comment": .string(comment.text)])
        case .checkOverridden(let check, let digest):
            self.init(
                "CheckOverridden",
                ["check": .string(check.rawValue), "digest": .string(digest.hex)]
            )
        case .changesRequested(let digest):
            self.init("ChangesRequested", ["digest": .string(digest.hex)])
        case .changeSourced(let source):
            self.init("ChangeSourced", ["source": .string(source.text)])
        case .changeSuperseded(let id):
            self.init("ChangeSuperseded", ["by": .string(id.description)])
        case .changeOvertaken(let id):
            self.init("ChangeOvertaken", ["by": .string(id.description)])
        case .changeSuspended(let cause):
            self.init("ChangeSuspended", ["cause": .string(cause.rawValue)])
        case .changeEnded(let app): self.init("ChangeEnded", ["app": .string(app.text)])
        case .emergencyApplied(let emergency):
            var json = emergency.review.json
            json["incident"] = .string(emergency.incident.text)
            self.init("EmergencyApplied", json)
        case .emergencyReviewed(let review, let verdict):
            self.init("EmergencyReviewed", verdict.json(of: review))
        }
    }

    private init(_ event: ServiceEvent) {
        switch event {
        case .defaultAppChosen(let slug):
            self.init("DefaultAppChosen", ["app": .string(slug.text)])
        case .defaultPolicyChanged(let policy):
            self.init("DefaultPolicyChanged", ["policy": .object(policy.json)])
        case .serviceFreezeStarted: self.init("ServiceFreezeStarted", [:])
        case .serviceFreezeEnded: self.init("ServiceFreezeEnded", [:])
        case .freezePlan(let event): self.init(event, "Service")
        }
    }

    /// Of an app, or with the word in front of everything.
    private init(_ event: FreezePlanEvent, _ scope: String) {
        switch event {
        case .planned(let window): self.init("\(scope)FreezePlanned", window.json)
        case .cancelled(let plan):
            self.init("\(scope)FreezePlanCancelled", ["plan": JSONValue(plan)])
        case .started(let plan):
            self.init("\(scope)PlannedFreezeStarted", ["plan": JSONValue(plan)])
        case .ended(let plan): self.init("\(scope)PlannedFreezeEnded", ["plan": JSONValue(plan)])
        }
    }

    private init(_ event: AccessEvent) {
        switch event {
        case .principalAdded(let id):
            self.init("PrincipalAdded", ["principal": .string(id.text)])
        case .principalSuspended(let id):
            self.init("PrincipalSuspended", ["principal": .string(id.text)])
        case .principalResumed(let id):
            self.init("PrincipalResumed", ["principal": .string(id.text)])
        case .roleGranted(let id, let grant): self.init("RoleGranted", grant.json(of: id))
        case .roleRevoked(let id, let grant): self.init("RoleRevoked", grant.json(of: id))
        case .tokenIssued(let token): self.init("TokenIssued", token.json)
        case .tokenRenewed(let token, let old, let until):
            var json = token.json
            json["renews"] = .string(old.description)
            json["until"] = JSONValue(until)
            self.init("TokenRenewed", json)
        case .nameErased(let id):
            self.init("NameErased", ["principal": .string(id.text)])
        case .tokenRevoked(let id):
            self.init("TokenRevoked", ["id": .string(id.description)])
        }
    }

    private init(_ event: KeyEvent) {
        switch event {
        case .keyAdded(let record):
            self.init(
                "KeyAdded",
                ["id": .string(record.id.text), "app": .string(record.app.text)]
            )
        case .keyActivated(let id, let app):
            self.init("KeyActivated", ["id": .string(id.text), "app": .string(app.text)])
        case .keyRetired(let id, let app):
            self.init("KeyRetired", ["id": .string(id.text), "app": .string(app.text)])
        case .keyCompromised(let id, let app):
            self.init("KeyCompromised", ["id": .string(id.text), "app": .string(app.text)])
        }
    }

    private init(_ event: ExportEvent) {
        switch event {
        case .snapshotPublished(let record):
            self.init(
                "SnapshotPublished",
                [
                    "sequence": JSONValue(record.sequence),
                    "position": JSONValue(record.position),
                    "manifestDigest": .string(record.manifestDigest),
                    "keys": .array(record.keys.map { .string($0.text) }),
                ]
            )
        case .publicationFailed(let sequence, let cause):
            self.init(
                "PublicationFailed",
                ["sequence": JSONValue(sequence), "cause": .string(cause)]
            )
        }
    }
}

extension RoleGrant {
    fileprivate func json(of principal: PrincipalID) -> JSONObject {
        var json = json
        json["principal"] = .string(principal.text)
        return json
    }
}

extension TokenRecord {
    /// Without the digest of its secret.
    fileprivate var json: JSONObject {
        [
            "id": .string(id.description), "principal": .string(principal.text),
            "expiresAt": JSONValue(expiresAt),
        ]
    }
}
