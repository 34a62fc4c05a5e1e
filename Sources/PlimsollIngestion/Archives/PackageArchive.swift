import PlimsollSystem

/// What is wrong with an archive, as the rest of a sentence.
package enum ArchiveFault: String, Error, CustomStringConvertible {
    case notZip = "is no zip archive"
    case otherEntries = "has other entries than manifest.json and signature"
    case unsupported = "is packed in a way that is not read: encrypted, in parts, or for 64 bits"
    case tooLarge = "unpacks to more than is read"
    case damaged = "is damaged"

    package var description: String { rawValue }
}

/// The archive with which App Store Connect begins a package: its manifest and its signature, and
/// nothing else.
///
/// Only what such an archive needs is read: two entries, stored or deflated, each once, of sizes that
/// the directory at its end says. Whatever could be read in two ways is refused.
package struct PackageArchive: Equatable, Sendable {
    package let manifest: [UInt8]
    package let signature: [UInt8]

    package static let entryMaximum = 16 << 20
    private static let names = ["manifest.json", "signature"]

    package init(_ bytes: [UInt8]) throws(ArchiveFault) {
        let reader = ZipReader(bytes)
        let entries = try reader.entries()
        guard entries.map(\.name).sorted() == Self.names else { throw .otherEntries }
        var contents: [String: [UInt8]] = [:]
        for entry in entries {
            contents[entry.name] = try reader.content(of: entry, upTo: Self.entryMaximum)
        }
        guard let manifest = contents["manifest.json"], let signature = contents["signature"] else {
            throw .otherEntries
        }
        (self.manifest, self.signature) = (manifest, signature)
    }
}

/// Reads the directory of an archive, and what it leads to.
private struct ZipReader {
    let bytes: [UInt8]

    struct Entry {
        let name: String
        let method: Int
        let checksum: UInt32
        let packedSize: Int
        let size: Int
        let offset: Int
    }

    private static let endSize = 22
    private static let centralSize = 46
    private static let localSize = 30
    private static let commentMaximum = 65_535

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func entries() throws(ArchiveFault) -> [Entry] {
        let end = try endOfDirectory()
        guard try number(end + 4, 2) == 0, try number(end + 6, 2) == 0 else { throw .unsupported }
        let count = try number(end + 10, 2)
        guard try number(end + 8, 2) == count else { throw .unsupported }
        guard count == 2 else { throw .otherEntries }
        let (size, start) = (try number(end + 12, 4), try number(end + 16, 4))
        guard size != 0xFFFF_FFFF, start != 0xFFFF_FFFF else { throw .unsupported }
        guard start + size == end else { throw .damaged }
        var entries: [Entry] = []
        var place = start
        for _ in 0..<count { entries.append(try entry(at: &place)) }
        guard place == end else { throw .damaged }
        return entries
    }

    /// The record may be followed by a comment that it says the length of.
    private func endOfDirectory() throws(ArchiveFault) -> Int {
        guard bytes.count >= Self.endSize else { throw .notZip }
        let last = bytes.count - Self.endSize
        for place in stride(from: last, through: max(0, last - Self.commentMaximum), by: -1)
        where bytes[place] == 0x50 {
            guard try number(place, 4) == 0x0605_4B50 else { continue }
            guard try number(place + 20, 2) == last - place else { continue }
            return place
        }
        throw .notZip
    }

    private func entry(at place: inout Int) throws(ArchiveFault) -> Entry {
        guard try number(place, 4) == 0x0201_4B50 else { throw .damaged }
        let (flags, method) = (try number(place + 8, 2), try number(place + 10, 2))
        let (packedSize, size) = (try number(place + 20, 4), try number(place + 24, 4))
        let lengths = (
            name: try number(place + 28, 2), extra: try number(place + 30, 2),
            comment: try number(place + 32, 2)
        )
        let offset = try number(place + 42, 4)
        let isEncrypted = flags & 0x2041 != 0
        guard !isEncrypted, method == 0 || method == 8, try number(place + 34, 2) == 0,
            packedSize != 0xFFFF_FFFF, size != 0xFFFF_FFFF, offset != 0xFFFF_FFFF
        else { throw .unsupported }
        let name = try slice(place + Self.centralSize, lengths.name)
        let checksum = UInt32(try number(place + 16, 4))
        place += Self.centralSize + lengths.name + lengths.extra + lengths.comment
        return Entry(
            name: String(decoding: name, as: UTF8.self),
            method: method,
            checksum: checksum,
            packedSize: packedSize,
            size: size,
            offset: offset
        )
    }

    func content(of entry: Entry, upTo maximum: Int) throws(ArchiveFault) -> [UInt8] {
        guard entry.size <= maximum, entry.packedSize <= maximum else { throw .tooLarge }
        guard try number(entry.offset, 4) == 0x0403_4B50,
            try number(entry.offset + 8, 2) == entry.method
        else { throw .damaged }
        let nameLength = try number(entry.offset + 26, 2)
        let name = try slice(entry.offset + Self.localSize, nameLength)
        guard name.elementsEqual(entry.name.utf8) else { throw .damaged }
        let start = entry.offset + Self.localSize + nameLength
        let packed = Array(
            try slice(start + (try number(entry.offset + 28, 2)), entry.packedSize)
        )
        let content = entry.method == 0 ? packed : Deflate.inflate(packed, to: entry.size)
        guard let content, content.count == entry.size, Deflate.checksum(content) == entry.checksum
        else { throw .damaged }
        return content
    }

    /// A number of at most four bytes, the smallest first.
    private func number(_ place: Int, _ size: Int) throws(ArchiveFault) -> Int {
        try slice(place, size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func slice(_ place: Int, _ count: Int) throws(ArchiveFault) -> ArraySlice<UInt8> {
        guard place >= 0, count >= 0, place + count <= bytes.count else { throw .damaged }
        return bytes[place..<place + count]
    }
}
