import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Texts that are for another language, or not translated to their end, and their good twins.
@Suite struct ScriptCheckTests {
    private func found(_ words: String, in language: String) throws -> [CheckFinding] {
        let edit = Operation(
            .ios,
            .minimumApp,
            .setText(.description, tag(language), try text(words))
        )
        let app = try #require(try Given.harbourApp().logState.app(harbour))
        return app.findings(applying: [edit], under: .builtIn, at: testNow)
    }

    // The repair of a text that had told people the wrong thing for months brought these.
    @Test(arguments: [
        ("gu", "Please update the app from the App Store."),
        ("gu", "કૃપા કરીને update the એપ"), ("ar", "يرجى تحديث the app now"),
        ("ur", "براہ کرم please update کریں"), ("bn", "Update Required"),
        ("en", "يلزم تحديث التطبيق"), ("cy", "অ্যাপটি আপডেট করুন"), ("de", "Обновите приложение"),
        ("pl", "请更新"), ("el", "Обновите приложение"), ("ru", "Ενημερώστε την εφαρμογή"),
        ("zh-Hans", "Please update."), ("ja", "please update してください"), ("sr-Latn", "Ажурирајте"),
        ("ar", "براہ کرم ایپ কে আপডেট করুন এখনই এখানে"),
    ])
    func `letters that a language is not written in are told`(
        _ language: String,
        _ words: String
    ) throws {
        #expect(try found(words, in: language).map(\.check) == [.wrongScript])
    }

    @Test(arguments: [
        ("cy", "Mae angen diweddariad ap ar gyfer NHS COVID-19. Ewch i'r App Store."),
        ("pl", "Zaktualizuj aplikację NHS COVID-19 (iOS 14.5) — już dziś, żeby działała."),
        ("bn", "NHS COVID-19 অ্যাপটি iOS 14.5 এ আপডেট করুন। App Store এ যান।"),
        ("bn", "NHS COVID-19"), ("bn", "iOS 14"), ("ar", "iPhone"), ("zh", "App"),
        ("gu", "તમારી app અપડેટ કરો"), ("gu", "વધુ માહિતી: covid19.nhs.uk અને help@nhs.uk"),
        ("ar", "يحتاج هذا التطبيق إلى إصدار أحدث من iOS. افتح الإعدادات ثم عام ثم تحديث البرامج."),
        ("ur", "NHS COVID-19 ایپ کو App Store سے اپ ڈیٹ کریں"),
        ("pa", "NHS COVID-19 ਐਪ ਨੂੰ ਅੱਪਡੇਟ ਕਰੋ"), ("pa-PK", "ایپ نوں اپڈیٹ کرو"),
        ("zh-Hant", "請在 App Store 更新 NHS COVID-19（iOS 14 以上）。"), ("zh", "请打开app更新"),
        ("ja", "App StoreでNHS COVID-19をアップデートしてください。"), ("ko", "앱을 업데이트하세요 (iOS 14)"),
        ("ru", "Обновите приложение в App Store через Wi-Fi."), ("ru", "Wi‑Fi"),
        ("uk", "Оновіть застосунок Harbour в App Store."), ("el", "Ενημερώστε το app σε iPad."),
        ("sr", "Ažurirajte aplikaciju."), ("sr", "Ажурирајте апликацију."),
        ("sr-Cyrl", "Ажурирајте"), ("tr", "Uygulamayı güncelleyin: İstanbul, ığdır."),
        ("so", "Cusbooneysii barnaamijka."), ("ro", "Actualizați aplicația în App Store."),
        ("vi", "Vui lòng cập nhật ứng dụng."), ("he", "עדכנו את האפליקציה ל-iOS 15"),
        ("en", "This app was made by Ελένη in Athens."), ("en", "99"), ("gu", "…"),
        ("ku", "Please update the app."),
        ("tlh", "Обновите приложение"), ("am", "መተግበሪያውን ያዘምኑ"),
    ])
    func `names of brands and systems may stand in any language`(
        _ language: String,
        _ words: String
    ) throws {
        #expect(try found(words, in: language) == [])
    }

    @Test func `the finding says which words, or which letters`() throws {
        let words = try #require(try found("કૃપા કરીને update the એપ", in: "gu").first)
        #expect(
            words.sentence
                == """
                ios.minimumApp.description.gu has "update" and "the" in Latin letters, which gu is \
                not written in.
                """
        )
        let letters = try #require(try found("يلزم تحديث التطبيق", in: "en").first)
        #expect(
            letters.sentence
                == """
                ios.minimumApp.description.en is in Arabic letters, which en is not written in.
                """
        )
    }
}
