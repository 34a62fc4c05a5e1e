import Crypto
import PlimsollDocuments
import PlimsollDomain
import Testing

/// Every document of the complete profile is one that phones take, whatever is set in it.
@Suite struct PhoneTests {
    private let apple = AppleRules(keyID: "", key: P256.Signing.PrivateKey().publicKey)
    private let android = AndroidRules(keys: [:])

    private func stamp(_ platform: Platform) throws -> DocumentStamp {
        DocumentStamp(
            app: try #require(AppSlug("harbour")),
            platform: platform,
            issue: try Snapshots().issue
        )
    }

    @Test func `a phone reads in every complete document what is set`() throws {
        var random = RandomDocuments(seed: 7)
        for _ in 0..<300 {
            let ios = try random.document(for: .ios)
            let iosBytes = AvailabilityDocument(ios, stamp: try stamp(.ios)).bytes(.complete)
            let seen = try apple.decode(iosBytes)
            #expect(seen.minimumOSVersion.value.numbers == numbers(ios[.minimumOS]))
            #expect(seen.recommendedOSVersion.value.numbers == numbers(ios[.recommendedOS]))
            #expect(
                seen.minimumAppVersion.description.texts == texts(ios[.minimumApp].descriptions)
            )
            #expect(seen.recommendedAppVersion.title.texts == texts(ios[.recommendedApp].titles))

            let play = try random.document(for: .android)
            let playBytes = AvailabilityDocument(play, stamp: try stamp(.android)).bytes(.complete)
            let shown = try android.decode(playBytes)
            #expect(shown.minimumSDKVersion.value == number(play[.minimumOS]))
            #expect(shown.minimumAppVersion.value == number(play[.minimumApp]))
            #expect(shown.recommendedAppVersion.value == number(play[.recommendedApp]))
            #expect(
                shown.recommendedAppVersion.description
                    == texts(play[.recommendedApp].descriptions)
            )
        }
    }

    @Test func `a document comes back as it reads, in both profiles`() throws {
        var random = RandomDocuments(seed: 11)
        for _ in 0..<200 {
            for platform in [Platform.ios, .macos, .android] {
                let document = AvailabilityDocument(
                    try random.document(for: platform),
                    stamp: try stamp(platform)
                )
                for profile in [DocumentProfile.complete, .minimal] {
                    let bytes = document.bytes(profile)
                    let read = try AvailabilityDocument(
                        parsing: bytes,
                        platform: platform,
                        profile: profile
                    )
                    #expect(read.document == document.asRead)
                    #expect(read.stamp == document.stamp)
                    if profile == .complete || read.document == document.document {
                        #expect(read.bytes(profile) == bytes)
                    }
                }
            }
        }
    }

    private func numbers(_ threshold: Threshold) -> [Int] {
        (threshold.value?.description ?? "0").split(separator: ".").compactMap { Int($0) }
    }

    private func number(_ threshold: Threshold) -> Int32 {
        Int32(threshold.value?.description ?? "0") ?? -1
    }

    private func texts(_ texts: [LanguageTag: Text]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: texts.map { ($0.key.text, $0.value.text) })
    }
}
