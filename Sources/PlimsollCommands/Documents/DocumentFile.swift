import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// An availability document in a file.
struct DocumentFile {
    let path: String
    let bytes: [UInt8]
    let availability: AvailabilityDocument

    var document: Document { availability.document }

    /// The platform is the one that is named, else the one that the document itself or the file's
    /// name says: `availability-ios.json`.
    init(_ path: String, platform: Platform?) throws {
        try self.init(path, contents(of: path), platform: platform)
    }

    /// Bytes that were found under a name.
    init(
        _ path: String,
        _ bytes: [UInt8],
        platform: Platform?,
        emptyTexts: EmptyTexts = .refused
    ) throws {
        let candidates = [platform, stampedPlatform(bytes), platformInName(path)]
        guard let platform = candidates.lazy.compactMap({ $0 }).first else {
            throw Failure(
                .usage,
                "\(path) does not say which platform it is for.",
                next: "the same command with --platform"
            )
        }
        guard AvailabilityDocument.fileName(for: platform) != nil else {
            throw Failure(.usage, "There is no availability document for \(platform.name).")
        }
        (self.path, self.bytes) = (path, bytes)
        do {
            availability = try AvailabilityDocument(
                parsing: bytes,
                platform: platform,
                profile: .minimal,
                emptyTexts: emptyTexts
            )
        } catch {
            throw Failure(
                .failed,
                "\(path) is not an availability document for \(platform.name).",
                checks: error.checks
            )
        }
    }
}

extension DocumentFile {
    /// Texts that are left out because they are empty, as sentences.
    var emptyTexts: [String] {
        PublishedDocument(reading: bytes, platform: document.platform).emptyTexts.map {
            "\($0) is empty."
        }
    }
}

private func stampedPlatform(_ bytes: [UInt8]) -> Platform? {
    // What cannot be read is said later, when the platform is known.
    let limits = JSONLimits(sizeMaximum: 4 << 20)
    let stamp = (try? JSONValue(parsing: bytes, limits: limits))?["plimsoll"]
    return stamp?["platform"]?.string.flatMap(Platform.init(rawValue:))
}

func platformInName(_ path: String) -> Platform? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return Platform.allCases.first { platform in
        name == "availability-\(platform.rawValue)"
            || name.hasPrefix("availability-\(platform.rawValue).")
    }
}
