import Crypto
import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollStore

/// A strong entity tag (RFC 9110, 8.8.3): another tag, another representation.
struct EntityTag: Equatable {
    /// What stands between the quotation marks.
    let opaque: String

    var field: String { "\"\(opaque)\"" }

    init(opaque: String) {
        self.opaque = opaque
    }

    /// The tag of some bytes.
    init(of bytes: [UInt8]) {
        opaque = hexadecimal(SHA256.hash(data: bytes).prefix(16))
    }

    /// The tag of a change: what an approval has to name while it is open.
    ///
    /// When it is closed the answer's own tag is added, because the answer becomes another one
    /// though the digest is the same: when it is applied, ends, or is taken back.
    init(of change: ChangeAnswer) {
        guard let digest = change.digest else {
            self.init(of: change.bytes)
            return
        }
        guard !change.summary.state.isOpen else {
            self.init(opaque: digest.hex)
            return
        }
        self.init(opaque: "\(digest.hex)-\(EntityTag(of: change.bytes).opaque)")
    }

    /// The tag of what an event brought to where it stands: its position.
    ///
    /// A dry run has no position, so its bytes have to do.
    init(of answer: any Answer, at position: Position?) {
        guard let position else {
            self.init(of: answer.bytes)
            return
        }
        self.init(opaque: position.description)
    }

    /// The one strong tag that an `If-Match` names; `nil` without the header.
    ///
    /// `*` is not accepted: what binds to whatever is there binds to nothing.
    init?(ifMatch headers: HTTPFields) throws(Problem) {
        let values = headers[values: .ifMatch]
        guard let value = values.first else { return nil }
        let tag = value.trimmingCharacters(in: .whitespaces)
        guard
            values.count == 1, tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            !tag.dropFirst().dropLast().contains("\"")
        else { throw .ifMatchWrong }
        self.init(opaque: String(tag.dropFirst().dropLast()))
    }

    /// Whether one of the tags of an `If-None-Match` is this one; weak comparison is right there
    /// (RFC 9110, 13.1.2).
    func isNamed(by headers: HTTPFields) -> Bool {
        let text = headers[values: .ifNoneMatch].joined(separator: ",")
        return text.split(separator: ",").contains { entry in
            let tag = entry.trimmingCharacters(in: .whitespaces)
            return tag == "*" || tag == field || tag == "W/\(field)"
        }
    }
}

/// An answer that has a tag of its own, which a write may have to name.
protocol TaggedAnswer: Answer {
    var tag: EntityTag { get }
    /// Whether another answer has another tag, so that the tag says enough for 304.
    var isToldByTag: Bool { get }
}

extension TaggedAnswer {
    var isToldByTag: Bool { true }
}

extension ChangeAnswer: TaggedAnswer {
    var tag: EntityTag { EntityTag(of: self) }
    /// While it is open its tag is what an approval names, and approvals, objections and states
    /// come and go beneath it.
    var isToldByTag: Bool { !summary.state.isOpen }
}

extension PolicyAnswer: TaggedAnswer {
    /// That of the built-in one is 0.
    var tag: EntityTag {
        let isKnown = source == .builtIn || decision?.position != nil
        return EntityTag(of: self, at: isKnown ? seen : nil)
    }

    /// What nobody can give changes with people and roles.
    var isToldByTag: Bool { false }
}

extension SettingsAnswer: TaggedAnswer {
    var tag: EntityTag { EntityTag(of: self, at: position) }
    /// Who refuses what is live changes with what is live.
    var isToldByTag: Bool { false }
}

extension MarketplaceAnswer: TaggedAnswer {
    var tag: EntityTag { EntityTag(of: self, at: position) }
}

extension KeyAnswer: TaggedAnswer {
    var tag: EntityTag { EntityTag(of: self, at: position) }
}

extension EntityTag {
    /// The position that it is, written as positions are.
    fileprivate var position: Position? {
        let position = Int64(opaque).flatMap(Position.init(rawValue:))
        return position.flatMap { $0.description == opaque ? $0 : nil }
    }
}

extension ChangeDigest {
    /// The digest that an `If-Match` names, which has to be the one that was seen.
    init(ifMatch headers: HTTPFields) throws(Problem) {
        guard let tag = try EntityTag(ifMatch: headers) else { throw .ifMatchMissing }
        guard let digest = ChangeDigest(hex: String(tag.opaque.prefix(64))) else {
            throw .ifMatchUnknown
        }
        self = digest
    }
}

extension Position {
    /// The position that an `If-Match` names; `nil` without the header.
    init?(ifMatch headers: HTTPFields, orElse problem: Problem) throws(Problem) {
        guard let tag = try EntityTag(ifMatch: headers) else { return nil }
        guard let position = tag.position else { throw problem }
        self = position
    }
}

extension Problem {
    static let ifMatchMissing = Problem(
        .preconditionRequired,
        detail: "Send the change's digest in the header If-Match.",
        errors: [
            ifMatchFault("ifMatchMissing", "The header is missing; a decision binds to a digest.")
        ]
    )

    static let ifMatchWrong = Problem(
        .invalidHeader,
        detail: "If-Match has to name one strong entity tag, between quotation marks.",
        errors: [ifMatchFault("ifMatchWrong", "The header is not one strong entity tag.")]
    )

    static let ifMatchUnknown = Problem(
        .stale,
        detail: "The entity tag in If-Match is not a change's digest.",
        errors: [ifMatchFault("digestDiffers", "No change has this entity tag.")]
    )

    static let ifMatchNoPosition = Problem(
        .stale,
        detail: "The entity tag in If-Match is not a policy's.",
        errors: [ifMatchFault("policyDiffers", "No policy has this entity tag.")]
    )

    static let ifMatchNoSettings = Problem(
        .stale,
        detail: "The entity tag in If-Match is not that of an app's settings.",
        errors: [ifMatchFault("settingsDiffer", "No settings have this entity tag.")]
    )

    static let ifMatchNoMarketplace = Problem(
        .stale,
        detail: "The entity tag in If-Match is not a marketplace's.",
        errors: [ifMatchFault("marketplaceDiffers", "No marketplace has this entity tag.")]
    )

    static let ifMatchNoKey = Problem(
        .stale,
        detail: "The entity tag in If-Match is not a key's.",
        errors: [ifMatchFault("keyDiffers", "No key has this entity tag.")]
    )

    private static func ifMatchFault(_ code: String, _ detail: String) -> Fault {
        Fault(
            at: .header("If-Match"),
            code: code,
            detail: detail,
            remedy: "Read what is there and send the ETag of the answer."
        )
    }
}

extension HTTPFields {
    /// The name that the caller gives a request, so that sending it twice does it once; `nil` where
    /// they gave none.
    func idempotencyKey() throws(Problem) -> String? {
        try word(.idempotencyKey, orElse: .idempotencyKeyWrong)
    }

    /// What the caller says was asked under the key, where the body does not say it: a script that
    /// read the present state first sends another body each time.
    func idempotencyInput() throws(Problem) -> String? {
        let input = try word(.idempotencyInput, orElse: .idempotencyInputWrong)
        guard input == nil || self[.idempotencyKey] != nil else { throw .idempotencyInputWrong }
        return input
    }

    private func word(
        _ name: HTTPField.Name,
        orElse problem: Problem
    ) throws(Problem) -> String? {
        let values = self[values: name]
        guard let word = values.first else { return nil }
        guard
            values.count == 1, (1...wordBytesMaximum).contains(word.utf8.count),
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw problem }
        return word
    }
}

private let wordBytesMaximum = 255

extension Problem {
    fileprivate static let idempotencyKeyWrong = Problem(
        .invalidHeader,
        detail:
            "Idempotency-Key needs to be 1 to \(wordBytesMaximum) visible ASCII characters, once.",
        errors: [
            Fault(
                at: .header("Idempotency-Key"),
                code: "keyWrong",
                detail: "The header is not one key of that form.",
                remedy: "A random UUID does."
            )
        ]
    )

    fileprivate static let idempotencyInputWrong = Problem(
        .invalidHeader,
        detail: "Idempotency-Input needs to be 1 to \(wordBytesMaximum) visible ASCII characters,"
            + " once, beside an Idempotency-Key.",
        errors: [
            Fault(
                at: .header("Idempotency-Input"),
                code: "inputWrong",
                detail: "The header is not one word of that form beside a key.",
                remedy: "A SHA-256 of what was asked does, beside an Idempotency-Key."
            )
        ]
    )
}
