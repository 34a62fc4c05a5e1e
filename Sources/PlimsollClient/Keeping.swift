import Foundation

/// Keeps the last good document on disk, for this process and others that share the folder.
///
/// A file is named by its sequence, written beside the others and renamed to its place; then lower
/// ones are removed, the lowest first. So there is always a whole one, whoever writes when, no
/// process can put a lower sequence above a higher one, and one that is gone was removed for a
/// higher one. Nothing that is read from it is believed without its signature.
struct DocumentFolder: Sendable {
    /// What looking at the files of a list comes to.
    enum Look {
        case looked(KeptDocument?)
        /// One that was listed was removed before it was read.
        case overtaken
    }

    private let url: URL
    private let prefix: String
    private let verifier: DocumentVerifier
    private let bodyMaximum: Int

    private static let suffix = ".plimsoll"
    private static let headMaximum = 1024
    private static let looksMaximum = 64
    private static let sequenceDigits = 19

    init(_ url: URL, app: String, platform: Platform, verifier: DocumentVerifier, bodyMaximum: Int)
    {
        self.url = url
        prefix = "\(app)-\(platform.rawValue)-"
        self.verifier = verifier
        self.bodyMaximum = bodyMaximum
    }

    /// The highest sequence above this one that can be read and verified.
    ///
    /// A file that was listed and is gone has made room for a higher one. Then it looks again, so
    /// that it never finds less than there has always been: a lower one may lie there still.
    func newest(above sequence: Int64 = 0) -> KeptDocument? {
        for _ in 1...Self.looksMaximum {
            let listed = names().filter { self.sequence(of: $0) ?? 0 > sequence }
            if case .looked(let kept) = look(at: listed) { return kept }
        }
        return nil
    }

    func look(at listed: [String]) -> Look {
        for name in listed {
            if let kept = read(name) { return .looked(kept) }
            guard attributes(of: name) != nil else { return .overtaken }
        }
        return .looked(nil)
    }

    func keep(_ kept: KeptDocument) throws(AvailabilityError) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try kept.bytes.write(to: file(name(of: kept.sequence)), options: .atomic)
        } catch {
            throw AvailabilityError(
                .notKept,
                "The document could not be written to \(url.path): \(error.localizedDescription)"
            )
        }
        for name in names().reversed()
        where sequence(of: name) ?? kept.sequence < kept.sequence {
            // Another process may have been faster; what stays is looked at again next time.
            try? FileManager.default.removeItem(at: file(name))
        }
    }

    func clear() throws { try remove(names()) }

    func remove(_ listed: [String]) throws {
        for name in listed {
            do {
                try FileManager.default.removeItem(at: file(name))
            } catch {
                // Another process may have been faster.
                guard attributes(of: name) == nil else { throw error }
            }
        }
    }

    /// The files of this app and platform, the highest sequence first.
    func names() -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        return (all ?? []).filter { sequence(of: $0) != nil }.sorted(by: >)
    }

    private func name(of sequence: Int64) -> String {
        let digits = String(sequence)
        let zeros = String(repeating: "0", count: Self.sequenceDigits - digits.count)
        return prefix + zeros + digits + Self.suffix
    }

    private func sequence(of name: String) -> Int64? {
        guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return nil }
        let digits = name.dropFirst(prefix.count).dropLast(Self.suffix.count)
        guard digits.utf8.count == Self.sequenceDigits else { return nil }
        return Int64(digits)
    }

    /// A name is a claim like any other: the sequence in the signed bytes has to be the same.
    private func read(_ name: String) -> KeptDocument? {
        guard
            let size = attributes(of: name)?[.size] as? Int,
            size <= bodyMaximum + Self.headMaximum,
            let bytes = try? Data(contentsOf: file(name)),
            let kept = KeptDocument(reading: bytes, with: verifier),
            kept.sequence == sequence(of: name)
        else { return nil }
        return kept
    }

    private func attributes(of name: String) -> [FileAttributeKey: Any]? {
        try? FileManager.default.attributesOfItem(atPath: file(name).path)
    }

    private func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A document that was verified, with everything needed to verify it again.
struct KeptDocument: Sendable {
    let document: AvailabilityDocument
    let signed: SignedDocument
    /// What the answer can be asked for again with; `nil` where it had none.
    let entityTag: String?

    var sequence: Int64 { document.stamp.sequence }

    private static let title = "plimsoll document 1"
    private static let entityTagField = "etag"

    init(document: AvailabilityDocument, signed: SignedDocument, entityTag: String?) {
        self.document = document
        self.signed = signed
        self.entityTag = entityTag.flatMap { Self.isEntityTag($0) ? $0 : nil }
    }

    /// A line that names the form, one for each header, an empty one, and the body as it arrived.
    var bytes: Data {
        var lines = [Self.title]
        for (name, value) in [
            (SignedDocument.signatureHeader, signed.signature),
            (SignedDocument.dateHeader, signed.date), (Self.entityTagField, entityTag),
        ] {
            if let value { lines.append("\(name): \(value)") }
        }
        return Data((lines.joined(separator: "\n") + "\n\n").utf8) + signed.body
    }

    /// Reads what ``bytes`` wrote and verifies it as if it had just arrived; `nil` for anything
    /// that is cut off, changed, signed by a key that is no longer trusted, or not of this app.
    init?(reading bytes: Data, with verifier: DocumentVerifier) {
        let end = Data("\n\n".utf8)
        guard let head = bytes.range(of: end) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
            .components(separatedBy: "\n")
        guard lines.first == Self.title else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.range(of: ": ") else { return nil }
            fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        let signed = SignedDocument(
            body: Data(bytes[head.upperBound...]),
            signature: fields[SignedDocument.signatureHeader],
            date: fields[SignedDocument.dateHeader]
        )
        guard let document = try? verifier.document(from: signed) else { return nil }
        self.init(
            document: document,
            signed: signed,
            entityTag: fields[Self.entityTagField]
        )
    }

    /// It goes back into a request, so it must not be able to end a line there, nor be a list or a
    /// star that stands for more than one document (RFC 9110, 8.8.3).
    private static func isEntityTag(_ text: String) -> Bool {
        let quote = UInt8(ascii: "\"")
        let quoted = text.utf8.starts(with: "W/".utf8) ? text.utf8.dropFirst(2) : text.utf8[...]
        return text.utf8.count <= 256 && quoted.count >= 2 && quoted.first == quote
            && quoted.last == quote
            && quoted.dropFirst().dropLast().allSatisfy {
                (0x21...0x7E).contains($0) && $0 != quote
            }
    }
}
