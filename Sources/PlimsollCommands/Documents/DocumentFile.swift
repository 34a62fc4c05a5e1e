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

extension DocumentFile {
    /// What apps of a generation show who find the file as it is, and have no other.
    func outcome(on device: Device, by generation: ClientGeneration) throws -> DeviceOutcome {
        let found = PublishedDocument(reading: bytes, platform: device.platform)
        guard let unread = found.unread(by: [generation]).first else {
            return document.decision(on: device, by: generation)
        }
        return DeviceOutcome(
            verdict: .available,
            shownTitle: nil,
            shownDescription: nil,
            because: "\(generation.sentenceName) refuses the document, because \(unread.reasons);"
                + " it keeps its last one, and without any the app runs",
            keepsLastDocument: true
        )
    }
}

extension DocumentAnswer {
    /// The document that the members say.
    func parsed() throws -> Document {
        do {
            return try AvailabilityDocument(
                parsing: document.canonicalBytes(),
                platform: platform,
                profile: .minimal
            ).document
        } catch {
            throw Failure(
                .failed,
                "The service answered a document that this version of Plimsoll cannot read.",
                checks: error.checks
            )
        }
    }
}

extension JSONIssues {
    /// Each with the place it stands at.
    var checks: [Failure.Check] {
        issues.map { issue in
            let place = issue.pointer == .root ? "" : " (\(issue.pointer))"
            return Failure.Check(detail: issue.detail + place, remedy: nil)
        }
    }
}
