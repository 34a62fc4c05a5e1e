import PlimsollAPI
import PlimsollDomain
import PlimsollService

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
        try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await document(of: app, on: platform, at: moment, for: caller)
        }
    }
}

/// Asks for what an address and its query name: what makes no sense there is not found.
///
/// The moment is named by the parameter that named it.
func naming<View>(
    at moment: String? = nil,
    _ question: () async throws(UseCaseError) -> View
) async throws -> View {
    do throws(UseCaseError) {
        return try await question()
    } catch {
        guard
            case .refused(let refusal) = error,
            refusal.objections.allSatisfy(\.isOfName)
        else { throw error }
        throw Problem(
            .notFound,
            detail: refusal.objections[0].detail,
            errors: refusal.faults(at: moment)
        )
    }
}

/// Asks about one state or two; what makes no sense is named by the parameter of its state.
func placing<View>(
    _ from: String?,
    _ to: StateName?,
    _ question: (StateName?) async throws(UseCaseError) -> View
) async throws -> View {
    do {
        return try await naming(at: to == nil ? from : "to") {
            () async throws(UseCaseError) in try await question(to)
        }
    } catch {
        guard to != nil else { throw error }
        // What is refused without the second state is refused because of the first.
        _ = try await naming(at: from) { () async throws(UseCaseError) in
            try await question(nil)
        }
        throw error
    }
}

extension Refusal {
    fileprivate func faults(at moment: String?) -> [Problem.Fault] {
        objections.map { objection in
            Problem.Fault(
                at: objection.parameter(moment).map(Problem.Place.parameter),
                code: objection.code,
                detail: objection.detail,
                remedy: objection.remedy
            )
        }
    }
}

extension Objection {
    /// Whether it is to what an address or its query names.
    fileprivate var isOfName: Bool {
        switch self {
        case .changeUnknown, .snapshotUnknown: true
        default: kind == .invalid
        }
    }

    /// Which part of an address it objects to.
    fileprivate func parameter(_ moment: String?) -> String? {
        switch self {
        case .platformUnknown: "platform"
        case .targetAhead, .targetBeforeApp, .timeAhead, .changeUnknown, .changeNeverApplied,
            .snapshotUnknown, .neverLiveSoLong, .documentEmptied, .listTooLong,
            .offerPlaceMissing, .offerRefused, .offersTooLarge:
            moment
        default: nil
        }
    }
}

extension Moment {
    /// The parameter that names it.
    var parameter: String? {
        switch self {
        case .live: nil
        case .event: "event"
        case .time: "at"
        }
    }

    /// As a question tells it from others.
    var name: String {
        switch self {
        case .live: "live"
        case .event(let position): "event=\(position)"
        case .time(let instant): "at=\(instant.rfc3339)"
        }
    }
}
