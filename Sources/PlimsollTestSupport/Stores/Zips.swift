import PlimsollSystem

/// An entry of an archive that a test makes.
package struct ZipEntry {
    /// How it is packed.
    package enum Method: Int, Sendable {
        case stored = 0
        case deflated = 8
    }

    package var name: String
    package var content: [UInt8]
    package var method: Method
    package var flags = 0
    package var checksum: UInt32?
    package var size: Int?

    package init(_ name: String, _ content: [UInt8], _ method: Method) {
        (self.name, self.content, self.method) = (name, content, method)
    }

    fileprivate var packed: [UInt8] {
        guard method == .deflated, let gzip = Gzip.compress(content) else { return content }
        return Array(gzip.dropFirst(10).dropLast(8))
    }
}

/// An archive with these entries, as a packer without extras writes it.
package func zipArchive(_ entries: [ZipEntry], comment: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
        let packed = entry.packed
        // What would not get shorter is stored.
        let method = entry.method == .deflated && packed != entry.content ? 8 : 0
        let facts =
            little(entry.flags, 2) + little(method, 2) + little(0, 4)
            + little(Int(entry.checksum ?? Deflate.checksum(entry.content)), 4)
            + little(packed.count, 4) + little(entry.size ?? entry.content.count, 4)
            + little(entry.name.utf8.count, 2) + little(0, 2)
        directory +=
            little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + facts + little(0, 2)
            + little(0, 2) + little(0, 2) + little(0, 4) + little(bytes.count, 4)
            + Array(entry.name.utf8)
        bytes += little(0x0403_4B50, 4) + little(20, 2) + facts + Array(entry.name.utf8) + packed
    }
    let end =
        little(0x0605_4B50, 4) + little(0, 4) + little(entries.count, 2)
        + little(entries.count, 2) + little(directory.count, 4) + little(bytes.count, 4)
        + little(comment.count, 2) + comment
    return bytes + directory + end
}

private func little(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
