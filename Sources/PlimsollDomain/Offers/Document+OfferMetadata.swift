extension Document {
    /// What clients hand on to their app of all that the format has no words for: the texts of the
    /// thresholds, and the versions of the system, which offers cannot demand.
    ///
    /// `required.title.de-AT`, `recommended.description.en`, `required.os`, `required.os.title.de`.
    package var offerMetadata: [MetadataName: OfferValue] {
        var metadata: [MetadataName: OfferValue] = [:]
        for name in ThresholdName.allCases {
            let threshold = self[name]
            for part in TextPart.allCases {
                for (language, text) in threshold.texts(part) {
                    let key = "\(name.metadataName).\(part.rawValue).\(language)"
                    if let key = MetadataName(key) { metadata[key] = OfferValue(text) }
                }
            }
            guard
                name.isOfSystem, let value = threshold.value,
                let key = MetadataName(name.metadataName),
                let text = try? Text(validating: value.description)
            else { continue }
            metadata[key] = OfferValue(text)
        }
        return metadata
    }
}

extension ThresholdName {
    /// Whether it is the system's version that it draws a line for.
    package var isOfSystem: Bool {
        switch self {
        case .minimumOS, .recommendedOS: true
        case .minimumApp, .recommendedApp: false
        }
    }

    fileprivate var metadataName: String {
        switch self {
        case .minimumOS: "required.os"
        case .recommendedOS: "recommended.os"
        case .minimumApp: "required"
        case .recommendedApp: "recommended"
        }
    }
}
