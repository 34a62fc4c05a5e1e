import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

@Suite struct KeyCopyTests {
    private func write(_ text: String, to path: Path) throws {
        try path.parent.createFolder(permissions: .folderOfOwner)
        try path.writeDurably(Array(text.utf8), permissions: .ownerOnly)
    }

    // Goal: a key that was made anew keeps no other from its copy, and nobody is told that phones
    // are lost for it.
    @Test func `one key that is another keeps no other from its copy`() throws {
        try withFolder { folder in
            let (data, safe) = (folder / "data", folder / "safe")
            let keys = data / "keys"
            try write("hooks", to: keys / KeyCopy.webhookFile)
            try write("one", to: keys / "zebra" / "1.pem")
            let copy = KeyCopy(of: data.string)
            _ = try copy.make(in: safe.string, at: testNow)
            try write("made anew", to: keys / KeyCopy.webhookFile)
            try write("two", to: keys / "zebra" / "2.pem")
            let error = #expect(throws: BackupFailure.self) {
                try copy.make(in: safe.string, at: testNow)
            }
            #expect(error?.description.contains("move the copy away") == true)
            #expect(try copy.missing(from: safe.string) == [KeyCopy.webhookFile])
            #expect(try copy.last()?.files == ["zebra/1.pem", "zebra/2.pem"])
            #expect(try (safe / KeyCopy.webhookFile).read(sizeMaximum: 9) == Array("hooks".utf8))
        }
    }
}
