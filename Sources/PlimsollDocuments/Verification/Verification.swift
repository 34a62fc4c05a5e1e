/// What a check came to; only what was verified can be used further.
package enum Verification<Verified: Sendable>: Sendable {
    case verified(Verified)
    case refused(VerificationRefusal)

    package var verified: Verified? {
        if case .verified(let value) = self { value } else { nil }
    }

    package var refusal: VerificationRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    package func get() throws(VerificationRefusal) -> Verified {
        switch self {
        case .verified(let value): return value
        case .refused(let refusal): throw refusal
        }
    }
}

extension Verification: Equatable where Verified: Equatable {}
