extension Offer {
    /// What it says, in a line: `from 15.0.0 on: required 3.2.0, last 3.4.0, told once`.
    package var sentence: String {
        let versions = [required.map { "required \($0)" }, last.map { "last \($0)" }]
        let told = notification == .always ? "told always" : "told once"
        let handedOn = metadata.isEmpty ? nil : "with \(metadata.count) of metadata"
        let clauses = versions.compactMap(\.self) + [told] + [handedOn].compactMap(\.self)
        return "\(requirements.sentence): \(clauses.joined(separator: ", "))"
    }
}

extension OfferRequirements {
    /// Whom it is for: `from 15.0.0 on, region is eu`.
    var sentence: String {
        let custom = custom.sorted { $0.key < $1.key }.map { "\($0.key.text) is \($0.value.words)" }
        let clauses = [system.map { "from \($0) on" }].compactMap(\.self) + custom
        return clauses.isEmpty ? "for everybody" : clauses.joined(separator: ", ")
    }
}

extension OfferPlaceMissing {
    /// What there is instead.
    func sentence(on platform: Platform) -> String {
        let offers =
            switch count {
            case 0: "has no offers"
            case 1: "has one offer, at place 0"
            default: "has \(count) offers, at the places 0 to \(count - 1)"
            }
        return "There is no place \(place): \(platform.rawValue) \(offers)."
    }
}
