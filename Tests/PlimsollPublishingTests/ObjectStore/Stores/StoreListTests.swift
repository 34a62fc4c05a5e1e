import Testing

@testable import PlimsollPublishing

@Suite struct StoreListTests {
    private let page = """
        <?xml version="1.0"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>config</Name>\
        <Prefix>live/snapshots/</Prefix><IsTruncated>true</IsTruncated>\
        <Contents><Key>live/snapshots/a</Key></Contents><Contents><Key>other/b</Key></Contents>\
        <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J+w=</NextContinuationToken>\
        </ListBucketResult>
        """

    @Test func `a page has the keys below the prefix, and where the list goes on`() throws {
        let list = try #require(StoreList(Array(page.utf8), under: "live/"))
        #expect(list.keys == ["snapshots/a"])
        #expect(list.next == "1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J+w=")
        let last = page.replacing(">true<", with: ">false<")
        #expect(try #require(StoreList(Array(last.utf8), under: "live/")).next == nil)
    }

    // Whoever took it for a list that ends would leave what a compromised key has signed.
    @Test func `what is no page, or half of one, or goes on nowhere, is no list`() {
        let half = String(page.prefix(page.count / 2))
        let nowhere = page.replacing("NextContinuationToken", with: "NextMarker")
        for text in ["", "<html><body>Sign in</body></html>", half, nowhere] {
            #expect(StoreList(Array(text.utf8), under: "live/") == nil, "\(text)")
        }
    }
}
