import PlimsollAPI
import PlimsollDomain
import PlimsollUseCases

extension UseCases {
    /// A document that an address names, with a moment that its query names.
    ///
    /// What makes no sense there is not a wrong request, but the name of nothing.
    func document(
        named app: AppSlug,
        _ platform: Platform,
        _ moment: Moment,
        for caller: Caller
    ) async throws -> DocumentView {
        try await naming { () async throws(UseCaseError) in
            try await document(of: app, on: platform, at: moment, for: caller)
        }
    }
}

/// Asks for what an address and its query name: what makes no sense there is not found.
func naming<View>(
    _ question: () async throws(UseCaseError) -> View
) async throws -> View {
    do throws(UseCaseError) {
        return try await question()
    } catch {
        guard
            case .refused(let refusal) = error,
            refusal.objections.allSatisfy({ $0.kind == .invalid })
        else { throw error }
        throw Problem(.notFound, detail: refusal.objections[0].detail, errors: refusal.faults)
    }
}

extension Refusal {
    fileprivate var faults: [Problem.Fault] {
        objections.map {
            Problem.Fault(at: $0.parameter, code: $0.code, detail: $0.detail, remedy: $0.remedy)
        }
    }
}

extension Objection {
    /// Which part of an address it objects to.
    fileprivate var parameter: Problem.Place? {
        switch self {
        case .platformUnknown: .parameter("platform")
        case .targetAhead, .targetBeforeApp: .parameter("event")
        default: nil
        }
    }
}
