package import PlimsollJSON

/// What an operation is called, in what is stored and over the wire.
package enum OperationName: String, CaseIterable, Sendable {
    case setValue
    case clearValue
    case clearThreshold
    case setText
    case removeText
    case setOffers
    case insertOffer
    case moveOffer
    case replaceOffer
    case removeOffer
    case setLegacyOffer
    case removeLegacyOffer
    case setPackages
    case insertPackage
    case movePackage
    case removePackage
}

extension Operation {
    /// The operation with its name, as it is stored in a list.
    package var data: JSONObject { Members.operation.object(self, .stored) }
    /// The same as it is answered and sent.
    package var json: JSONObject { Members.operation.object(self, .answered) }

    fileprivate var name: OperationName {
        switch subject {
        case .threshold(_, .setValue): .setValue
        case .threshold(_, .clearValue): .clearValue
        case .threshold(_, .clearThreshold): .clearThreshold
        case .threshold(_, .setText): .setText
        case .threshold(_, .removeText): .removeText
        case .offers(.set): .setOffers
        case .offers(.insert): .insertOffer
        case .offers(.move): .moveOffer
        case .offers(.replace): .replaceOffer
        case .offers(.remove): .removeOffer
        case .legacy(nil): .removeLegacyOffer
        case .legacy: .setLegacyOffer
        case .packages(.set): .setPackages
        case .packages(.insert): .insertPackage
        case .packages(.move): .movePackage
        case .packages(.remove): .removePackage
        }
    }
}

extension Members<OperationName> { fileprivate static let name = Members("op", .name) }
extension Members<Int> {
    fileprivate static let at = Members("at", .place)
    fileprivate static let from = Members("from", .place)
    fileprivate static let to = Members("to", .place)
}
extension Members<Int?> {
    fileprivate static let optionalAt = optional("at", .place, isNullAnswered: false)
}
extension Members<AppleVersionID> {
    fileprivate static let versionID = Members("version", .versionID)
}
extension Coding<Int> {
    /// A place in a list, counted from 0.
    fileprivate static let place = Coding(
        number: { $0 < 0 ? nil : Int(exactly: $0) },
        { Int64($0) }
    )
}
extension Members<Offer> {
    fileprivate static let listed = Members("offer", .object(.offer))
}

extension Members<Operation> {
    /// An operation of a list, whose name says which members it has.
    static let operation = Members(["op"], read: read, write: write)

    @Sendable private static func read(
        _ reader: inout DataReader
    ) throws(DataFault) -> Operation {
        let name = try reader.take(.name)
        if name == .setLegacyOffer || name == .removeLegacyOffer {
            let operation = try reader.take(.legacyOffer)
            guard operation.name == name else { throw .badMember("legacy") }
            return operation
        }
        let platform = try reader.take(.platform)
        if let edit = try offerEdit(name, &reader) { return Operation(platform, offers: edit) }
        if let edit = try packageEdit(name, &reader) {
            guard platform == .ios else { throw .badMember("platform") }
            return Operation(platform, .packages(edit))
        }
        return Operation(platform, try reader.take(.threshold), try edit(name, &reader))
    }

    private static func edit(
        _ name: OperationName,
        _ reader: inout DataReader
    ) throws(DataFault) -> Operation.Edit {
        switch name {
        case .setValue: .setValue(try reader.take(.value))
        case .clearValue: .clearValue
        case .clearThreshold: .clearThreshold
        case .setText:
            .setText(try reader.take(.part), try reader.take(.language), try reader.take(.text))
        case .removeText: .removeText(try reader.take(.part), try reader.take(.language))
        case .setOffers, .insertOffer, .moveOffer, .replaceOffer, .removeOffer, .setLegacyOffer,
            .removeLegacyOffer, .setPackages, .insertPackage, .movePackage, .removePackage:
            throw .badMember("op")
        }
    }

    /// `nil` where it edits something else.
    private static func offerEdit(
        _ name: OperationName,
        _ reader: inout DataReader
    ) throws(DataFault) -> OfferEdit? {
        switch name {
        case .setOffers: .set(try reader.take(.offers))
        case .insertOffer: .insert(try reader.take(.listed), at: try reader.take(.at))
        case .moveOffer: .move(from: try reader.take(.from), to: try reader.take(.to))
        case .replaceOffer: .replace(try reader.take(.at), with: try reader.take(.listed))
        case .removeOffer: .remove(try reader.take(.at))
        case .setValue, .clearValue, .clearThreshold, .setText, .removeText, .setLegacyOffer,
            .removeLegacyOffer, .setPackages, .insertPackage, .movePackage, .removePackage:
            nil
        }
    }

    /// The same of packages.
    private static func packageEdit(
        _ name: OperationName,
        _ reader: inout DataReader
    ) throws(DataFault) -> PackageEdit? {
        switch name {
        case .setPackages: .set(try reader.take(.packages))
        case .insertPackage:
            .insert(try reader.take(.versionID), at: try reader.take(.optionalAt))
        case .movePackage: .move(try reader.take(.versionID), to: try reader.take(.to))
        case .removePackage: .remove(try reader.take(.versionID))
        case .setValue, .clearValue, .clearThreshold, .setText, .removeText, .setOffers,
            .insertOffer, .moveOffer, .replaceOffer, .removeOffer, .setLegacyOffer,
            .removeLegacyOffer:
            nil
        }
    }

    @Sendable private static func write(
        _ operation: Operation,
        _ form: DataForm,
        _ object: inout JSONObject
    ) {
        func add<Said>(_ members: Members<Said>, _ value: Said) {
            members.write(value, form, to: &object)
        }
        add(.name, operation.name)
        add(.platform, operation.platform)
        operation.threshold.map { add(.threshold, $0) }
        switch operation.subject {
        case .threshold(_, .setValue(let value)): add(.value, value)
        case .threshold(_, .clearValue), .threshold(_, .clearThreshold), .legacy(nil): break
        case .threshold(_, .setText(let part, let language, let text)):
            add(.part, part)
            add(.language, language)
            add(.text, text)
        case .threshold(_, .removeText(let part, let language)):
            add(.part, part)
            add(.language, language)
        case .offers(.set(let offers)): add(.offers, offers)
        case .offers(.insert(let offer, let place)), .offers(.replace(let place, let offer)):
            add(.at, place)
            add(.listed, offer)
        case .offers(.move(let from, let to)):
            add(.from, from)
            add(.to, to)
        case .offers(.remove(let place)): add(.at, place)
        case .legacy(let legacy?): object["legacy"] = .object(legacy.json)
        case .packages(.set(let versions)): add(.packages, versions)
        case .packages(.insert(let version, let place)):
            add(.versionID, version)
            add(.optionalAt, place)
        case .packages(.move(let version, let place)):
            add(.versionID, version)
            add(.to, place)
        case .packages(.remove(let version)): add(.versionID, version)
        }
    }
}

extension Operation {
    /// What clients before 4.0 are told from then on, where it edits that.
    var legacy: LegacyOffer? {
        if case .legacy(let legacy) = subject { legacy } else { nil }
    }
}

extension Members<Operation> {
    /// What clients before 4.0 may be told depends on the platform, so these are read together.
    static let legacyOffer = Members(
        ["platform", "legacy"],
        read: { reader throws(DataFault) in
            let platform = try reader.take(.platform)
            let coding = Coding<LegacyOffer>(
                read: { json throws(DataFault) in LegacyOffer(json, on: platform) },
                write: { legacy, _ in .object(legacy.json) }
            )
            let legacy = try reader.take(.optional("legacy", coding))
            return Operation(platform, legacy: legacy)
        },
        write: { operation, form, object in
            Members<Platform>.platform.write(operation.platform, form, to: &object)
            object["legacy"] = operation.legacy.map { .object($0.json) }
        }
    )
}

extension Members<Offer> {
    static let offer = Members(
        Offer.init,
        Part(\.required, .optional("requiredVersion", .offerVersion)),
        Part(\.last, .optional("lastVersion", .offerVersion)),
        Part(\.notification, "notification", .name),
        Part(
            \.requirements,
            .unlessEmpty("requirements", .object(.requirements), OfferRequirements())
        ),
        Part(\.metadata, .unlessEmpty("metadata", .table(.metadata, of: .value), [:]))
    )
}

extension Members<OfferRequirements> {
    fileprivate static let requirements = Members(
        OfferRequirements.init,
        Part(\.system, .optional("os", .offerVersion)),
        Part(\.custom, .unlessEmpty("custom", .table(.requirement, of: .value), [:]))
    )
}

extension Offer {
    /// As it is stored.
    package var data: JSONObject { Members.offer.object(self, .stored) }
    /// As it is answered and sent.
    package var json: JSONObject { Members.offer.object(self, .answered) }

    /// Reads what ``data`` gives.
    package init?(json: JSONValue) {
        guard let offer = try? Coding.object(Members.offer).read(json) else { return nil }
        self = offer
    }
}
