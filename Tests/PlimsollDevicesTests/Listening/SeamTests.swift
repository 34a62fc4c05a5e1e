import PlimsollDevices
import Testing

@Suite struct DownloadTypeTests {
    @Test func `tokens write what kind of download it is as Apple does`() {
        #expect(DownloadType.allCases.map(\.rawValue) == ["download", "redownload"])
    }
}
