extension Document {
    /// What the checks find in offers of the platform's own, which nothing is derived beside, after
    /// these changes led to this document.
    func findingsInOffers(after changes: [FieldChange]) -> [CheckFinding] {
        let written = changes.map(\.field).first { field in
            field == .offers(of: platform) || field == Field(platform, .minimumApp, .value)
        }
        guard let written, !offers.isEmpty, let value = self[.minimumApp].value,
            value.holdsSomebodyBack, let minimum = OfferVersion(value)
        else { return [] }
        // A version as another platform writes it is refused by itself, and is not to be compared.
        guard offers.allSatisfy({ $0.required?.kind ?? minimum.kind == minimum.kind }) else {
            return []
        }
        let behind = offers.indices.filter { index in
            offers[index].required.map { $0 < minimum } ?? true
        }
        let places = behind.map { "at place \($0)" }
        let others = offers.isOpenToAll ? [] : ["for devices that meet none of them"]
        guard !(places + others).isEmpty else { return [] }
        return [
            CheckFinding(
                .offersBehind,
                written,
                "\(platform.rawValue) has offers of its own that ask for less than \(value),"
                    + " \((places + others).joined(separator: ", ")): clients of Prince of Versions"
                    + " go on below it."
            )
        ]
    }
}
