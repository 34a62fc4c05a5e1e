import Foundation

/// Keeps the last good document on disk, for this process and others that share the folder.
///
/// A file is named by its sequence, written beside the others and renamed to its place; then lower
/// ones are removed. So there is always a whole one, whoever writes when, and no process can put
/// a lower sequence above a higher one. Nothing that is read from it is believed without its
/// signature.
struct DocumentFolder: Sendable {
    private let url: URL
    private let prefix: String
    private let verifier: DocumentVerifier
    private let bodyMaximum: Int

    private static let suffix = ".plimsoll"
    private static let headMaximum = 1024
    private static let looksMaximum = 8
    private static let sequenceDigits = 19

    init(_ url: URL, app: String, platform: Platform, verifier: DocumentVerifier, bodyMaximum: Int)
    {
        self.url = url
        prefix = "\(app)-\(platform.rawValue)-"
        self.verifier = verifier
        self.bodyMaximum = bodyMaximum
    }

    /// The highest sequence that can be read and verified.
    func newest() -> KeptDocument? {
        newest(above: 0)
    }

    /// The highest sequence above this one.
    ///
    /// Where another process puts a new file in the place of one that was just listed, it looks
    /// again, so that it never finds nothing where there has always been something.
    func newest(above sequence: Int64) -> KeptDocument? {
        for _ in 1...Self.looksMaximum {
            let names = names().filter { self.sequence(of: $0) ?? 0 > sequence }
            for name in names {
                if let kept = read(name) { return kept }
            }
            let areThere = names.allSatisfy {
                FileManager.default.fileExists(atPath: file($0).path)
            }
            if areThere { return nil }
        }
        return nil
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
        for name in names() where sequence(of: name) ?? kept.sequence < kept.sequence {
            // Another process may have been faster; what stays is looked at again next time.
            try? FileManager.default.removeItem(at: file(name))
        }
    }

    func clear() throws {
        for name in names() { try FileManager.default.removeItem(at: file(name)) }
    }

    /// The files of this app and platform, the highest sequence first.
    private func names() -> [String] {
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
        let file = file(name)
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard
            let size = attributes?[.size] as? Int, size <= bodyMaximum + Self.headMaximum,
            let bytes = try? Data(contentsOf: file),
            let kept = KeptDocument(reading: bytes, with: verifier),
            kept.sequence == sequence(of: name)
        else { return nil }
        return kept
    }

    private func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
