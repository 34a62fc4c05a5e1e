import FoundationEssentials
package import PlimsollDomain
package import PlimsollJSON

extension Event {
    /// What the event says, as its entry holds it.
    var data: JSONObject {
        switch self {
        case .app(let event): event.data
        case .change(let event): event.data
        case .access(let event): event.data
        case .key(let event): event.data
        case .service(let event): event.data
        case .webhook(let event): event.data
        case .export(.snapshotPublished(let record)):
            [
                "keys": .array(record.keys.map { .string($0.text) }),
                "manifestDigest": .string(record.manifestDigest),
                "position": .integer(record.position.rawValue),
                "sequence": .integer(record.sequence.rawValue),
            ]
        case .export(.publicationFailed(let sequence, let cause)):
            ["cause": .string(cause), "sequence": .integer(sequence.rawValue)]
        }
    }
}

extension AppEvent {
    fileprivate var data: JSONObject {
        switch self {
        case .appRegistered(let settings), .appSettingsChanged(let settings): settings.data
        case .thresholdSet(let platform, let name, let value):
            Operation(platform, name, .setValue(value)).fields
        case .valueCleared(let platform, let name):
            Operation(platform, name, .clearValue).fields
        case .thresholdCleared(let platform, let name):
            Operation(platform, name, .clearThreshold).fields
        case .textSet(let platform, let name, let part, let language, let text):
            Operation(platform, name, .setText(part, language, text)).fields
        case .textRemoved(let platform, let name, let part, let language):
            Operation(platform, name, .removeText(part, language)).fields
        case .offersReplaced(let platform, let offers):
            Operation(platform, offers: .set(offers)).fields
        case .legacyOfferReplaced(let platform, let legacy):
            Operation(platform, legacy: legacy).fields
        case .rolledBack(let record): record.data
        case .renewalOrdered, .freezeStarted, .freezeEnded: [:]
        case .freezePlan(let event): event.data
        case .policyChanged(let policy): ["policy": policy.map { .object($0.data) } ?? .null]
        case .rollbackReviewOrdered(let order): order.data
        case .rollbackReviewed(let position, let verdict): verdict.data(of: position)
        case .releaseRegistered(let release), .releaseAmended(let release): release.data
        case .releaseWithdrawn(let platform, let version):
            ["platform": .string(platform.rawValue), "version": version.data]
        case .versionSharesReplaced(let platform, let shares): shares.data(on: platform)
        }
    }
}

extension KeyEvent {
    fileprivate var data: JSONObject {
        switch self {
        case .keyAdded(let key):
            [
                "app": .string(key.app.text),
                "id": .string(key.id.text),
                "publicKey": .string(Data(key.publicKey).base64EncodedString()),
            ]
        case .keyActivated(let id, let app), .keyRetired(let id, let app),
            .keyCompromised(let id, let app):
            ["app": .string(app.text), "id": .string(id.text)]
        }
    }
}

extension ServiceEvent {
    fileprivate var data: JSONObject {
        switch self {
        case .defaultAppChosen(let app): ["app": .string(app.text)]
        case .defaultPolicyChanged(let policy): ["policy": .object(policy.data)]
        case .serviceFreezeStarted, .serviceFreezeEnded: [:]
        case .freezePlan(let event): event.data
        }
    }
}

extension ChangeEvent {
    fileprivate var data: JSONObject {
        switch self {
        case .changeProposed(let app, let title, let base):
            [
                "app": .string(app.text),
                "base": .integer(base.rawValue),
                "title": .string(title.text),
            ]
        case .operationsAdded(let operations):
            ["operations": .array(operations.map { .object($0.data) })]
        case .changeApproved(let digest, let comment, let counted):
            approvalData(digest, comment, counted)
        case .changeRejected(let digest): digestData(digest, comment: nil)
        case .changeWithdrawn: [:]
        case .changeApplied(let app, let digest):
            ["app": .string(app.text), "digest": .string(digest.hex)]
        case .changeRevised(let title, let base):
            ["base": .integer(base.rawValue), "title": .string(title.text)]
        case .changeScheduled(let schedule):
            ["schedule": schedule.map { .object($0.data) } ?? .null]
        case .changeCommented(let comment): ["comment": .string(comment.text)]
        case .checkOverridden(let check, let digest):
            ["check": .string(check.rawValue), "digest": .string(digest.hex)]
        case .changesRequested(let digest): digestData(digest, comment: nil)
        case .changeSourced(let source): ["source": .string(source.text)]
        case .changeOvertaken(let id), .changeSuperseded(let id): ["by": .integer(id.rawValue)]
        case .changeSuspended(let cause): ["cause": .string(cause.rawValue)]
        case .changeEnded(let app): ["app": .string(app.text)]
        case .emergencyApplied(let emergency): emergency.data
        case .emergencyReviewed(let position, let verdict): verdict.data(of: position)
        }
    }

    private func approvalData(
        _ digest: ChangeDigest,
        _ comment: Reason?,
        _ counted: [Platform: Position]
    ) -> JSONObject {
        var data = digestData(digest, comment: comment)
        guard !counted.isEmpty else { return data }
        var counts: JSONObject = [:]
        for (platform, position) in counted {
            counts[platform.rawValue] = .integer(position.rawValue)
        }
        data["counted"] = .object(counts)
        return data
    }

    private func digestData(_ digest: ChangeDigest, comment: Reason?) -> JSONObject {
        var data: JSONObject = ["digest": .string(digest.hex)]
        data["comment"] = comment.map { .string($0.text) }
        return data
    }
}

extension AccessEvent {
    fileprivate var data: JSONObject {
        switch self {
        case .principalAdded(let id), .principalSuspended(let id), .principalResumed(let id),
            .nameErased(let id):
            return ["principal": .string(id.text)]
        case .roleGranted(let id, let grant), .roleRevoked(let id, let grant):
            var data: JSONObject = [
                "principal": .string(id.text), "role": .string(grant.role.rawValue),
            ]
            if case .app(let app) = grant.scope { data["app"] = .string(app.text) }
            return data
        case .tokenIssued(let token): return token.data
        case .tokenRenewed(let token, let old, let until):
            var data = token.data
            data["renews"] = .string(old.description)
            data["until"] = .string(until.rfc3339)
            return data
        case .tokenRevoked(let id): return ["id": .string(id.description)]
        }
    }
}

extension TokenRecord {
    fileprivate var data: JSONObject {
        var data: JSONObject = [
            "id": .string(id.description),
            "principal": .string(principal.text),
            "secretDigest": .string(secret.hex),
        ]
        data["expiresAt"] = expiresAt.map { .string($0.rfc3339) }
        return data
    }
}

extension AppSettings {
    fileprivate var data: JSONObject {
        var data: JSONObject = [
            "fallbackLanguage": .string(fallbackLanguage.text),
            "languages": .array(languages.map { .string($0.text) }),
            "name": .string(name.text),
            "platforms": .array(platforms.map { .string($0.rawValue) }),
            "princeOfVersions": .string(princeClients.rawValue),
            "profile": .string(profile.rawValue),
        ]
        data["clients"] = clients.map { .array($0.map { .string($0.name) }) }
        data["shippedLanguages"] = shippedLanguages.map { .array($0.map { .string($0.text) }) }
        return data
    }
}

extension RollbackRecord {
    fileprivate var data: JSONObject {
        let target: JSONObject =
            switch request {
            case .event(let position): ["event": .integer(position.rawValue)]
            case .time(let instant): ["time": .string(instant.rfc3339)]
            case .beforeChange(let id): ["beforeChange": .integer(id.rawValue)]
            case .revert(let id): ["revert": .integer(id.rawValue)]
            case .lastGood(let seconds): ["lastGood": .integer(seconds)]
            }
        var data: JSONObject = [
            "platforms": .array(platforms.map { .string($0.rawValue) }),
            "request": .object(target),
            "target": .integer(self.target.rawValue),
        ]
        data["fields"] = fields.map { .array($0.map { .string($0.path) }) }
        return data
    }
}

extension Operation {
    /// The operation with its name, as it stands in a list.
    package var data: JSONObject {
        var data = fields
        data["op"] = .string(name)
        return data
    }

    /// What the operation says, without its name.
    fileprivate var fields: JSONObject {
        var fields: JSONObject
        switch subject {
        case .threshold(let name, let edit):
            fields = edit.fields
            fields["threshold"] = .string(name.rawValue)
        case .offers(let edit): fields = edit.data
        case .legacy(let legacy): fields = legacy.map { ["legacy": .object($0.json)] } ?? [:]
        }
        fields["platform"] = .string(platform.rawValue)
        return fields
    }

    private var name: String {
        switch subject {
        case .threshold(_, let edit): edit.name
        case .offers(let edit): OfferEditName(edit).rawValue
        case .legacy(let legacy):
            (legacy == nil ? LegacyEditName.removeLegacyOffer : .setLegacyOffer).rawValue
        }
    }
}

extension Operation.Edit {
    fileprivate var fields: JSONObject {
        var fields: JSONObject = [:]
        switch self {
        case .setValue(let version): fields["value"] = version.data
        case .clearValue, .clearThreshold: break
        case .setText(let part, let language, let text):
            fields["part"] = .string(part.rawValue)
            fields["language"] = .string(language.text)
            fields["text"] = .string(text.text)
        case .removeText(let part, let language):
            fields["part"] = .string(part.rawValue)
            fields["language"] = .string(language.text)
        }
        return fields
    }

    fileprivate var name: String {
        switch self {
        case .setValue: "setValue"
        case .clearValue: "clearValue"
        case .clearThreshold: "clearThreshold"
        case .setText: "setText"
        case .removeText: "removeText"
        }
    }
}
