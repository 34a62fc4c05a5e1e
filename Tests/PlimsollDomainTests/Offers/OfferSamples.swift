import PlimsollDomain
import Testing

func apple(_ text: String) throws -> OfferVersion {
    try #require(OfferVersion(written: text, on: .ios), "\(text)")
}

func versionCode(_ number: Int) throws -> OfferVersion {
    try #require(OfferVersion(written: String(number), on: .android), "\(number)")
}

func requirement(_ name: String, _ value: String) throws -> [RequirementName: OfferValue] {
    [try #require(RequirementName(name)): OfferValue(try Text(validating: value))]
}
