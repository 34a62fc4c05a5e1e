import Foundation
import NIOCore
import PlimsollDocuments
import PlimsollEdge
import PlimsollJSON

/// A notice as it is told, with the bytes of files that its reader has not seen yet where those are
/// few.
struct NoticeWithFiles {
    let notice: SnapshotNotice
    /// In base64, as somebody sent them.
    private let texts: [String]

    /// In bytes, of all files together: no reader takes a line of more than 256 KiB.
    private static let filesMaximum = 64 << 10

    /// Brings no files.
    init(_ notice: SnapshotNotice) {
        (self.notice, texts) = (notice, [])
    }

    /// Brings these files, or none of them where they are large.
    init(_ notice: SnapshotNotice, bringing files: [OfferedSnapshot.File]) {
        let isSmall = files.reduce(0) { $0 + $1.body.count } <= Self.filesMaximum
        self.notice = notice
        texts = isSmall ? files.map { Data($0.body).base64EncodedString() } : []
    }

    /// Members that a later program adds are passed over.
    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes)
        reader.isLenient = true
        let notice = reader.snapshotNotice()
        let texts = (reader.value("files")?.array ?? []).compactMap(\.string)
        self = try reader.finish(.ignored) {
            notice.map { NoticeWithFiles($0, texts) }
        }
    }

    private init(_ notice: SnapshotNotice, _ texts: [String]) {
        (self.notice, self.texts) = (notice, texts)
    }

    /// By the digests of these very bytes; what is no file of the snapshot, or more than may come
    /// along, is passed over and can be fetched.
    func files() -> [ContentDigest: [UInt8]] {
        let digests = notice.digests
        var (files, size) = ([ContentDigest: [UInt8]](), 0)
        for text in texts.prefix(digests.count) {
            guard let body = Data(base64Encoded: text) else { continue }
            size += body.count
            guard size <= Self.filesMaximum else { return files }
            let digest = ContentDigest(of: Array(body))
            if digests.contains(digest) { files[digest] = Array(body) }
        }
        return files
    }

    /// As a server-sent event has it.
    var line: ByteBuffer {
        var object = notice.json.object ?? [:]
        if !texts.isEmpty { object["files"] = .array(texts.map { .string($0) }) }
        var line = ByteBuffer(string: "data: ")
        line.writeBytes(JSONValue.object(object).canonicalBytes())
        line.writeString("\n\n")
        return line
    }
}
