import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What Apple's systems make of the name of a locale: the function that iPhones ask.
///
/// Foundation on Linux has it, and does not declare it. A string of Foundation's is passed and
/// returned as the one of Core Foundation that it is; the first argument is the usual allocator.
@_silgen_name("CFLocaleCreateCanonicalLocaleIdentifierFromString")
private func appleCanonical(_ allocator: Int, _ name: NSString) -> NSString

private func apple(_ tag: String) -> String { "\(appleCanonical(0, NSString(string: tag)))" }

/// What CLDR makes of it.
private func cldr(_ tag: String) -> String {
    Locale.identifier(.icu, from: tag).replacingOccurrences(of: "_", with: "-")
}

private let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
private let pairs = letters.flatMap { first in letters.map { first + $0 } }
private let triples = pairs.flatMap { pair in letters.map { pair + $0 } }

private let scripts = [
    "Arab", "Aran", "Armn", "Beng", "Cans", "Cher", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr",
    "Guru", "Hang", "Hani", "Hans", "Hant", "Hebr", "Jpan", "Khmr", "Knda", "Kore", "Laoo", "Latn",
    "Mlym", "Mong", "Mymr", "Orya", "Sinh", "Syrc", "Taml", "Telu", "Thaa", "Thai", "Tibt", "Vaii",
    "Yiii",
]

@Suite struct CanonicalLanguageTests {
    // Goal: two tags that iPhones take for one are one here.
    // Method: if what Apple makes of every tag has the canonical form of the tag itself, then tags
    // of which it makes the same have the same.
    private func agree(_ tags: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let differing = tags.filter { tag in
            guard apple(tag) != tag else { return false }
            guard let written = LanguageTag(tag), let read = LanguageTag(apple(tag)) else {
                return true
            }
            return written.canonical != read.canonical
        }
        #expect(differing == [], sourceLocation: sourceLocation)
    }

    @Test func `every code of a language is read as Apple reads it`() {
        agree(pairs + triples)
        #expect(triples.count == 17_576 && apple("iw") == "he" && apple("cym") == "cy")
    }

    @Test func `every code of a language is read as CLDR reads it`() {
        let differing = (pairs + triples).filter { code in
            LanguageTag(code)?.canonical != LanguageTag(cldr(code))?.canonical
        }
        #expect(differing == [])
        #expect(cldr("mo") == "ro" && cldr("sh") == "sr-Latn")
    }

    @Test func `every script of every language is read as Apple reads it`() {
        // Apple makes two scripts of the old Serbo-Croatian with one, sr-Latn-Cyrl, and drops either.
        let languages = (pairs + triples).filter { $0 != "hbs" }
        agree(languages.flatMap { language in scripts.map { "\(language)-\($0)" } })
        agree(pairs.flatMap { language in scripts.map { "\(language)-\($0)-ES" } })
        #expect(apple("az-Latn-AZ") == "az-AZ" && apple("zh-Hans") == "zh-Hans")
    }

    @Test func `every region is read as Apple and CLDR read it`() {
        let regions = pairs.map { $0.uppercased() }
        agree(
            ["en", "cs", "sk", "sr", "fr"].flatMap { language in regions.map { "\(language)-\($0)" }
            }
        )
        let differing = regions.map { "fr-\($0)" }.filter { tag in
            LanguageTag(tag)?.canonical != LanguageTag(cldr(tag))?.canonical
        }
        #expect(differing == [])
    }

    @Test func `extended languages and tags of old are read as Apple reads them`() {
        agree(triples.map { "zh-\($0)" } + triples.map { "zh-\($0)-HK" })
        agree([
            "zh-min-nan", "zh-guoyu", "zh-hakka", "zh-xiang", "no-bok", "no-nyn", "art-lojban",
            "de-1901", "de-1996", "ca-valencia", "en-x-iw", "sl-rozaj-biske-1994", "zh-cmn-Hans-CN",
            "zh-yue-Hant-HK", "hy-arevela", "he-u-ca-hebrew", "iw-IL", "eng-Latn-UK",
        ])
    }

    /// Languages that somebody may well want beside each other.
    @Test func `no two locales of Foundation are one, but those that Apple or CLDR takes for one`()
    {
        let tags = Set(
            Locale.availableIdentifiers.map { $0.replacingOccurrences(of: "_", with: "-") }
        )
        .compactMap(LanguageTag.init)
        #expect(tags.count > 500)
        let together = Dictionary(grouping: tags, by: \.canonical).values.filter { $0.count > 1 }
        for group in together {
            let forms = Set(group.map { cldr(apple($0.text)) })
            #expect(forms.count == 1, "\(group) are told apart")
        }
        for distinct in [
            ["zh", "zh-Hans", "zh-Hant", "yue"], ["sr", "sr-Latn"], ["pt", "pt-BR", "pt-PT"],
            ["en", "en-GB", "en-US"], ["nb", "nn"], ["az", "az-Cyrl"], ["pa", "pa-Arab"],
        ] { #expect(distinct.map(tag).twins == []) }
    }

    @Test(arguments: [
        ("he", "iw"), ("id", "in"), ("ji", "yi"), ("nb", "no"), ("fil", "tl"), ("cy", "cym"),
        ("en", "eng"), ("de", "deu"), ("de", "ger"), ("fr", "fra"), ("ur", "urd"), ("pa", "pan"),
        ("en-GB", "en-UK"), ("ar", "ar-Arab"), ("az", "az-Latn"), ("sr", "sr-Cyrl"),
        ("zh", "zh-cmn"), ("zh", "zh-yue"), ("yue", "zh-yue"), ("sh", "sr-Latn"), ("mo", "ro"),
        ("ar-Arab-EG", "ar-EG"), ("he-IL", "iw-IL"),
    ])
    func `these are twins`(first: String, second: String) {
        let twins = [tag(second), tag("pl"), tag(first)].twins
        #expect(twins == [LanguageTwins(tag(first), tag(second))])
    }
}
