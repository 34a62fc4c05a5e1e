import Foundation
import PlimsollDocuments
import PlimsollEdge
import PlimsollJSON

/// A notice, with the bytes of files that its reader has not seen yet, where those are few.
struct SnapshotNews: Equatable, Sendable {
    let notice: SnapshotNotice
    /// By digests that were taken of these very bytes.
    let files: [ContentDigest: [UInt8]]

    /// In bytes, of all files together: a reader takes no line of more than 256 KiB.
    private static let filesMaximum = 64 << 10

    init(_ notice: SnapshotNotice) {
        (self.notice, files) = (notice, [:])
    }

    /// Brings what the snapshot before had not, or nothing where that is much.
    init(
        _ notice: SnapshotNotice,
        bringing snapshot: OfferedSnapshot,
        after former: OfferedSnapshot?
    ) {
        let known = Set((former?.files ?? []).map(\.digest))
        let new = snapshot.files.filter { !known.contains($0.digest) }
        let isSmall = new.reduce(0) { $0 + $1.body.count } <= Self.filesMaximum
        self.notice = notice
        files = isSmall ? Dictionary(new.map { ($0.digest, $0.body) }) { first, _ in first } : [:]
    }
}

extension SnapshotNews {
    /// In JSON, as a server-sent event has it.
    var line: String {
        var object = notice.json.object ?? [:]
        if !files.isEmpty {
            let bodies = files.sorted { $0.key.hex < $1.key.hex }.map(\.value)
            object["files"] = .array(bodies.map { .string(Data($0).base64EncodedString()) })
        }
        return String(decoding: JSONValue.object(object).canonicalBytes(), as: UTF8.self)
    }

    /// Members that a later program adds are passed over, and so is what is no file of the snapshot:
    /// that can be fetched.
    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes)
        reader.isLenient = true
        let notice = reader.snapshotNotice()
        let bodies = (reader.value("files")?.array ?? []).compactMap(\.string)
            .compactMap { Data(base64Encoded: $0) }
        self = try reader.finish(.ignored) {
            notice.map { SnapshotNews($0, of: bodies.map(Array.init)) }
        }
    }

    private init(_ notice: SnapshotNotice, of bodies: [[UInt8]]) {
        let digests = notice.digests
        var files: [ContentDigest: [UInt8]] = [:]
        for body in bodies {
            let digest = ContentDigest(of: body)
            if digests.contains(digest) { files[digest] = body }
        }
        (self.notice, self.files) = (notice, files)
    }
}
