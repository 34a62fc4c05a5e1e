import PlimsollDomain
import Testing

@Suite struct IPAddressTests {
    @Test(
        arguments: [
            ("192.0.2.1", [192, 0, 2, 1]), ("0.0.0.0", [0, 0, 0, 0]),
            ("::", Array(repeating: 0, count: 16)),
            ("::1", Array(repeating: 0, count: 15) + [1]),
            (
                "2001:db8::ff00:42:8329",
                [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0x42, 0x83, 0x29]
            ),
            ("::ffff:192.0.2.1", Array(repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1]),
            ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
            ("1:2:3:4:5:6:192.0.2.1", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 192, 0, 2, 1]),
            ("FE80::A", [0xFE, 0x80] + Array(repeating: 0, count: 13) + [10]),
        ] as [(String, [UInt8])]
    )
    func `an address is its bytes`(_ text: String, _ bytes: [UInt8]) throws {
        let address = try #require(IPAddress(text))
        #expect(address.bytes == bytes)
        #expect(IPAddress(address.text) == address)
    }

    @Test(arguments: [
        "", ".", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.-4", "1.2.3.+4", "1..2.3",
        " 1.2.3.4", "1.2.3.4 ", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::", "fe80::1%eth0", "[::1]",
        "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", "+1::",
    ])
    func `what is no address is refused`(_ text: String) {
        #expect(IPAddress(text) == nil, "\(text)")
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("10.0.0.1", "10.0.0.1", "10.0.0.2"),
        ("0.0.0.0/0", "255.1.2.3", "::"), ("192.168.128.0/17", "192.168.128.1", "192.168.127.255"),
        ("fd00::/8", "fdff::1", "fe00::"), ("::/0", "ffff::", "1.2.3.4"),
        ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"),
    ])
    func `a network has its addresses and no others`(
        _ text: String,
        _ inside: String,
        _ outside: String
    ) throws {
        let network = try #require(IPNetwork(text))
        #expect(network.contains(try #require(IPAddress(inside))))
        #expect(!network.contains(try #require(IPAddress(outside))))
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.1/8",
        "::/129", "fd00::1/8", "10.0.0.0/8/8", "example.com/8", "128.0.0.0/0",
    ])
    func `what is no network is refused`(_ text: String) {
        #expect(IPNetwork(text) == nil, "\(text)")
    }

    // The first and the last address of every reserved network, and their neighbours outside.
    @Test(arguments: [
        ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
        ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
        ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
        ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
        ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
        ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
        ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
    ])
    func `a reserved network ends where it ends`(
        _ first: String,
        _ last: String,
        _ before: String,
        _ behind: String
    ) throws {
        for text in [first, last] {
            #expect(try #require(IPAddress(text)).reservation != nil, "\(text)")
        }
        for text in [before, behind] {
            #expect(try #require(IPAddress(text)).reservation == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "0.0.0.0", "192.0.0.8", "192.0.2.1", "192.88.99.1", "203.0.113.255", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:8.8.8.8",
        "::8.8.8.8", "64:ff9b::808:808", "100::1", "2001::1", "2001:1ff::", "2001:db8::1",
        "2002:808:808::1", "3fff::1", "4000::1", "fc00::1", "fdff::1", "fe80::1", "febf::1",
        "fec0::1", "ff02::1", "1fff::1",
    ])
    func `an address for something special is reserved`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).reservation != nil)
    }

    @Test(arguments: [
        "1.1.1.1", "223.255.255.255", "2000::1", "2001:200::1", "2606:4700::1", "3ffe::1",
    ])
    func `an address of anybody is not`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).reservation == nil)
    }
}
