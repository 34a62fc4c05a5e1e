import PlimsollDomain
import Testing

/// The same documents for the same seed: every mix of what is set and what is not.
struct RandomDocuments {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private static let languages = [
        "ar", "bn", "cy", "de", "en", "en-GB", "gu", "pl", "ro", "so", "tr", "ur", "zh-Hant",
    ]
    private static let texts = [
        "Update needed", "Zeile eins\n\nZeile \"zwei\" \\ drei", "يلزم تحديث التطبيق", "😀👩‍👩‍👧",
        "\u{2028}/</script>", "e\u{301}", "\u{10FFFD}", String(repeating: "ü", count: 4000),
    ]
    private static let dotted = ["0", "1", "13.5", "13.5.0", "6.00", "2147483647.0.1", "99"]
    private static let integers: [Int64] = [1, 23, 358, 2_147_483_647]

    mutating func document(for platform: Platform) throws -> Document {
        var document = Document(platform: platform)
        for name in platform.thresholds where chance(3, of: 4) {
            document[name] = Threshold(
                value: chance(3, of: 4) ? try value(platform.versionKind) : nil,
                titles: try texts(),
                descriptions: try texts()
            )
        }
        return document
    }

    private mutating func value(_ kind: VersionKind) throws -> VersionValue {
        switch kind {
        case .dotted: .dotted(try #require(AppleVersion(pick(Self.dotted))))
        case .integer: .integer(try #require(AndroidVersion(pick(Self.integers))))
        }
    }

    private mutating func texts() throws -> [LanguageTag: Text] {
        var texts: [LanguageTag: Text] = [:]
        for language in Self.languages where chance(1, of: 3) {
            texts[try #require(LanguageTag(language))] = try Text(validating: pick(Self.texts))
        }
        return texts
    }

    private mutating func chance(_ part: UInt64, of whole: UInt64) -> Bool { next() % whole < part }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int(next() % UInt64(list.count))]
    }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
