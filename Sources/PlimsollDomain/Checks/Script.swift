/// What letters belong to, as far as it takes to see that a text is in other letters than its
/// language.
enum Script: String, CaseIterable {
    case latin = "Latin"
    case greek = "Greek"
    case cyrillic = "Cyrillic"
    case armenian = "Armenian"
    case hebrew = "Hebrew"
    case arabic = "Arabic"
    case devanagari = "Devanagari"
    case bengali = "Bengali"
    case gurmukhi = "Gurmukhi"
    case gujarati = "Gujarati"
    case tamil = "Tamil"
    case telugu = "Telugu"
    case kannada = "Kannada"
    case malayalam = "Malayalam"
    case sinhala = "Sinhala"
    case thai = "Thai"
    case georgian = "Georgian"
    case ethiopic = "Ethiopic"
    case khmer = "Khmer"
    case hangul = "Korean"
    case kana = "Japanese"
    case han = "Chinese"

    /// The script of a letter; `nil` for what is no letter, or of a script that is not told apart.
    init?(_ scalar: Unicode.Scalar) {
        guard scalar.properties.isAlphabetic else { return nil }
        guard let script = Script.allCases.first(where: { $0.contains(scalar.value) }) else {
            return nil
        }
        self = script
    }

    private func contains(_ value: UInt32) -> Bool { blocks.contains { $0.contains(value) } }

    /// The blocks of Unicode that its letters are in.
    private var blocks: [ClosedRange<UInt32>] {
        switch self {
        case .latin: [0x41...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF]
        case .greek: [0x370...0x3FF, 0x1F00...0x1FFF]
        case .cyrillic: [0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F]
        case .armenian: [0x530...0x58F]
        case .hebrew: [0x590...0x5FF, 0xFB1D...0xFB4F]
        case .arabic: [0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF, 0xFB50...0xFEFC]
        case .devanagari: [0x900...0x97F]
        case .bengali: [0x980...0x9FF]
        case .gurmukhi: [0xA00...0xA7F]
        case .gujarati: [0xA80...0xAFF]
        case .tamil: [0xB80...0xBFF]
        case .telugu: [0xC00...0xC7F]
        case .kannada: [0xC80...0xCFF]
        case .malayalam: [0xD00...0xD7F]
        case .sinhala: [0xD80...0xDFF]
        case .thai: [0xE00...0xE7F]
        case .georgian: [0x10A0...0x10FF, 0x1C90...0x1CBF]
        case .ethiopic: [0x1200...0x139F]
        case .khmer: [0x1780...0x17FF]
        case .hangul: [0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF]
        case .kana: [0x3040...0x30FF]
        case .han: [0x2E80...0x2FDF, 0x3005...0x3007, 0x3400...0x9FFF, 0x20000...0x3FFFF]
        }
    }
}

extension LanguageTag {
    /// What it is written in; empty where that is not known.
    var scripts: Set<Script> {
        let subtags = text.split(separator: "-")
        guard let subtag = subtags.dropFirst().first(where: { $0.count == 4 }) else {
            return Self.usual[language] ?? []
        }
        return Self.named[String(subtag)] ?? []
    }

    /// The scripts of languages that many apps are in.
    private static let usual: [String: Set<Script>] = {
        let languages: [(Set<Script>, String)] = [
            (
                [.latin],
                "af ca cs cy da de en es et eu fi fo fr ga gd gl hr hu id is it lb lt lv ms mt nb nl"
                    + " nn no pl pt ro sk sl so sq sv sw tr vi zu"
            ),
            ([.latin, .cyrillic], "az bs sr uz"), ([.cyrillic], "be bg mk ru uk"),
            ([.greek], "el"), ([.armenian], "hy"), ([.hebrew], "he iw yi"),
            ([.arabic], "ar ckb fa ps ug ur"), ([.devanagari], "hi mr ne"),
            ([.bengali], "as bn"), ([.gurmukhi, .arabic], "pa"), ([.gujarati], "gu"),
            ([.tamil], "ta"), ([.telugu], "te"), ([.kannada], "kn"), ([.malayalam], "ml"),
            ([.sinhala], "si"), ([.thai], "th"), ([.georgian], "ka"), ([.ethiopic], "am ti"),
            ([.khmer], "km"), ([.hangul, .han], "ko"), ([.kana, .han], "ja"), ([.han], "yue zh"),
        ]
        return Dictionary(
            uniqueKeysWithValues: languages.flatMap { scripts, names in
                names.split(separator: " ").map { (String($0), scripts) }
            }
        )
    }()

    /// Scripts as a tag names them (ISO 15924).
    private static let named: [String: Set<Script>] = [
        "Latn": [.latin], "Cyrl": [.cyrillic], "Arab": [.arabic], "Deva": [.devanagari],
        "Beng": [.bengali], "Guru": [.gurmukhi], "Hans": [.han], "Hant": [.han],
        "Jpan": [.kana, .han], "Kore": [.hangul, .han],
    ]
}
