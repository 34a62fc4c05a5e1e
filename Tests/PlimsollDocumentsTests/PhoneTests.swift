import Crypto
import Foundation
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
            #expect(shown.minimumAppVersion.description == texts(play[.minimumApp]))
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
                for profile in DocumentProfile.allCases {
                    let bytes = document.bytes(profile)
                    let read = try AvailabilityDocument(
                        parsing: bytes,
                        platform: platform,
                        profile: profile
                    )
                    #expect(read.document == document.asRead(profile))
                    #expect(read.stamp == document.stamp)
                    if profile != .minimal || read.document == document.document {
                        #expect(read.bytes(profile) == bytes)
                    }
                }
            }
        }
    }

    // Goal: what the table says of a generation is what its apps do.
    // Method: documents of every profile, as they are published and as they once were; the apps'
    // own decoders, written from their behaviour, against the table.
    @Test func `each generation refuses what the table says, and nothing else`() throws {
        var random = RandomDocuments(seed: 23)
        var refused: [String: Int] = [:]
        for round in 0..<200 {
            for generation in ClientGeneration.all {
                let document = try random.document(for: generation.platform)
                for profile in DocumentProfile.allCases {
                    let form = round.isMultiple(of: 2) ? PublishedForm.current : .former
                    let bytes = AvailabilityDocument(document, stamp: nil).bytes(profile, as: form)
                    let isRead = try decodes(bytes, generation)
                    let published = document.published(profile, as: form)
                    #expect(generation.faults(in: published).isEmpty == isRead)
                    let found = PublishedDocument(reading: bytes, platform: generation.platform)
                    #expect(generation.faults(in: found) == generation.faults(in: published))
                    if !isRead { refused[generation.name, default: 0] += 1 }
                }
            }
        }
        #expect(refused.count == ClientGeneration.all.count, "each refuses something")
    }

    private func decodes(_ bytes: [UInt8], _ generation: ClientGeneration) throws -> Bool {
        do {
            switch generation.name {
            case "nhs-ios-3.0": _ = try apple.decodeFirst(bytes)
            case "nhs-ios-3.10": _ = try apple.decode(bytes)
            case "nhs-android-3.0": _ = try android.decodeFirst(bytes)
            case "nhs-android-3.1": _ = try android.decodeSecond(bytes)
            case "nhs-android-3.8": _ = try android.decode(bytes)
            default: Issue.record("\(generation.name) has no decoder here")
            }
            return true
        } catch is DecodingError {
            return false
        }
    }

    private func numbers(_ threshold: Threshold) -> [Int] {
        (threshold.value?.description ?? "0").split(separator: ".").compactMap { Int($0) }
    }

    private func number(_ threshold: Threshold) -> Int32 {
        Int32(threshold.value?.description ?? "0") ?? -1
    }

    /// As Android phones find them in a minimum.
    private func texts(_ threshold: Threshold) -> [String: String] {
        let empty = threshold.value == nil ? ["en-GB": ""] : [:]
        return texts(threshold.descriptions).merging(empty) { text, _ in text }
    }

    private func texts(_ texts: [LanguageTag: Text]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: texts.map { ($0.key.text, $0.value.text) })
    }
}
