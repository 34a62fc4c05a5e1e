import PlimsollIngestion
import PlimsollTestSupport
import Testing

/// The archive with a manifest and its signature, and everything that only looks like it.
@Suite struct PackageArchiveTests {
    private let manifest = ZipEntry(
        "manifest.json",
        Array(String(repeating: "{\"a\": 1}\n", count: 500).utf8),
        .deflated
    )
    private let signature = ZipEntry("signature", Array("signed".utf8), .stored)

    private func read(_ entries: [ZipEntry], comment: [UInt8] = []) throws -> PackageArchive {
        try PackageArchive(zipArchive(entries, comment: comment))
    }

    @Test func `both entries come out as they went in, in whatever order`() throws {
        for entries in [[manifest, signature], [signature, manifest]] {
            let archive = try read(entries)
            #expect(archive.manifest == manifest.content)
            #expect(archive.signature == signature.content)
        }
        #expect(
            try read([manifest, signature], comment: [1, 2, 3]).signature == signature.content
        )
    }

    @Test func `other entries, and the same twice, are refused`() {
        let other = ZipEntry("readme", [], .stored)
        let hidden = ZipEntry("../signature", [1], .stored)
        for entries in [
            [], [manifest], [manifest, other], [manifest, signature, other],
            [manifest, manifest], [manifest, hidden],
        ] {
            #expect(throws: ArchiveFault.otherEntries) { try read(entries) }
        }
    }

    @Test func `what is encrypted, or packed for more than there is, is refused`() {
        var encrypted = signature
        encrypted.flags = 1
        #expect(throws: ArchiveFault.unsupported) { try read([manifest, encrypted]) }
        var huge = manifest
        huge.size = 1 << 30
        #expect(throws: ArchiveFault.tooLarge) { try read([huge, signature]) }
        var longer = manifest
        longer.size = manifest.content.count + 1
        #expect(throws: ArchiveFault.damaged) { try read([longer, signature]) }
        var shorter = manifest
        shorter.size = manifest.content.count - 1
        #expect(throws: ArchiveFault.damaged) { try read([shorter, signature]) }
        var wrong = signature
        wrong.checksum = 7
        #expect(throws: ArchiveFault.damaged) { try read([manifest, wrong]) }
    }

    @Test func `a bomb of zeros is not unpacked`() {
        var bomb = ZipEntry("manifest.json", [UInt8](repeating: 0, count: 32 << 20), .deflated)
        #expect(throws: ArchiveFault.tooLarge) { try read([bomb, signature]) }
        bomb.size = 10
        #expect(throws: ArchiveFault.damaged) { try read([bomb, signature]) }
    }

    // Method: cut off at every place, and changed at every place; whatever comes out is the original.
    @Test func `nothing that was damaged is taken for something else`() throws {
        let small = ZipEntry("manifest.json", Array("{}".utf8), .stored)
        let bytes = zipArchive([small, signature])
        let whole = try PackageArchive(bytes)
        for count in bytes.indices {
            #expect(throws: ArchiveFault.self) { try PackageArchive(Array(bytes.prefix(count))) }
        }
        for place in bytes.indices {
            for value: UInt8 in [0, 1, 0x50, 0xFF] {
                var changed = bytes
                changed[place] = value
                if let read = try? PackageArchive(changed) { #expect(read == whole) }
            }
        }
    }
}
