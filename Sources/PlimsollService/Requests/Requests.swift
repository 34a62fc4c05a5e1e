import Crypto
package import PlimsollDomain
import PlimsollStore

/// What an administrator says of a new app.
package struct AppRegistration: Equatable, Sendable {
    package let slug: AppSlug
    package let settings: AppSettings
    /// Without a word on it, the first app becomes the default one.
    package let isDefault: Bool?

    package init(slug: AppSlug, settings: AppSettings, isDefault: Bool? = nil) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
    }
}

/// What somebody proposes.
package struct ChangeProposal: Equatable, Sendable {
    package let app: AppSlug
    package let title: Title
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    package let schedule: Schedule?
    /// What it is made of; open changes that its author made of the same are superseded.
    package let source: Title?

    package init(
        app: AppSlug,
        title: Title,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        source: Title? = nil
    ) {
        self.app = app
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.source = source
    }
}

/// What is to stand in a change from now on.
package struct ChangeRevision: Equatable, Sendable {
    package let change: ChangeID
    package let seen: ChangeDigest
    /// `nil` keeps the title.
    package let title: Title?
    package let reason: Reason?
    /// The position of the documents its author looked at.
    package let base: Position
    /// In the place of all that were there.
    package let operations: [Operation]
    /// `nil` keeps the schedule.
    package let schedule: Schedule?
    /// What becomes of fields that others wrote after the base.
    package let resolve: [Field: ConflictChoice]

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        title: Title?,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        resolve: [Field: ConflictChoice] = [:]
    ) {
        self.change = change
        self.seen = seen
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.resolve = resolve
    }
}

/// What a responder wants in force at once.
package struct EmergencyRequest: Equatable, Sendable {
    package let app: AppSlug
    package let title: Title
    /// The position of the documents its author looked at; `nil` is what is live.
    package let base: Position?
    package let operations: [Operation]
    package let incident: Title
    /// Who sees to the review; `nil` is whoever acts.
    package let owner: PrincipalID?
    package let reason: Reason

    package init(
        app: AppSlug,
        title: Title,
        base: Position?,
        operations: [Operation],
        incident: Title,
        owner: PrincipalID?,
        reason: Reason
    ) {
        self.app = app
        self.title = title
        self.base = base
        self.operations = operations
        self.incident = incident
        self.owner = owner
        self.reason = reason
    }
}

/// Which versions a responder wants to run no more.
package struct BlockRequest: Equatable, Sendable {
    package let app: AppSlug
    package let platform: Platform
    /// The oldest version that still runs.
    package let below: VersionValue
    /// What people below it read.
    package let texts: TextsByLanguage
    package let title: Title
    package let incident: Title?
    package let owner: PrincipalID?
    package let reason: Reason

    package init(
        app: AppSlug,
        platform: Platform,
        below: VersionValue,
        texts: TextsByLanguage = [:],
        title: Title,
        incident: Title?,
        owner: PrincipalID?,
        reason: Reason
    ) {
        self.app = app
        self.platform = platform
        self.below = below
        self.texts = texts
        self.title = title
        self.incident = incident
        self.owner = owner
        self.reason = reason
    }
}

/// What a responder asks for.
package struct RollbackRequest: Equatable, Sendable {
    package let app: AppSlug
    package let target: RollbackTarget
    /// `nil` means every platform of the app.
    package let platforms: [Platform]?
    /// `nil` means every field; they say their platforms themselves.
    package let fields: [Field]?
    /// `nil` means every threshold; of each all that there is, then and now.
    package let thresholds: [ThresholdPlace]?
    /// Of a revert: the fields in which later work stays.
    package let keep: [Field]
    /// Where the caller was told that it leads.
    package let rehearsed: Position?
    /// How many changes of others the caller knows it to take back; `nil` where nobody counted.
    package let undoing: Int?
    package let reason: Reason

    package init(
        app: AppSlug,
        target: RollbackTarget,
        platforms: [Platform]?,
        fields: [Field]? = nil,
        thresholds: [ThresholdPlace]? = nil,
        keep: [Field] = [],
        rehearsed: Position? = nil,
        undoing: Int? = nil,
        reason: Reason
    ) {
        self.app = app
        self.target = target
        self.platforms = platforms
        self.fields = fields
        self.thresholds = thresholds
        self.keep = keep
        self.rehearsed = rehearsed
        self.undoing = undoing
        self.reason = reason
    }

    /// Whether the whole app goes back.
    var isWhole: Bool {
        if case .revert = target { return false }
        return platforms == nil && fields == nil && thresholds == nil
    }
}

/// What an administrator asks for when letting somebody in.
package struct TokenRequest: Equatable, Sendable {
    /// The name of a new principal; `nil` where ``principal`` names a known one.
    package let name: Title?
    package let principal: PrincipalID?
    package let grants: [RoleGrant]
    /// `nil` means after ``UseCases/tokenLifetime``.
    package let expiresAt: Instant?

    package init(
        name: Title?,
        principal: PrincipalID?,
        grants: [RoleGrant],
        expiresAt: Instant?
    ) {
        self.name = name
        self.principal = principal
        self.grants = grants
        self.expiresAt = expiresAt
    }
}

/// The secret part of an access token: `plm_` and 256 random bits in hexadecimal.
package struct TokenSecret: Sendable {
    package let text: String

    package init?(_ text: String) {
        let digits = text.utf8.dropFirst(4)
        guard text.utf8.starts(with: "plm_".utf8), digits.count == 64,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// Takes the bits from the system's cryptographic generator.
    package static func random() -> TokenSecret {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return TokenSecret(unchecked: "plm_" + hexadecimal(bytes))
    }

    /// What is recorded in its place; the secret has too many bits to be guessed from it.
    package var digest: SecretDigest {
        let hex = hexadecimal(SHA256.hash(data: Array(text.utf8)))
        guard let digest = SecretDigest(hex: hex) else {
            preconditionFailure("SHA-256 has 64 hexadecimal digits")
        }
        return digest
    }
}
