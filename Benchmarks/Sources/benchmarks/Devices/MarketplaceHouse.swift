import PlimsollDomain
import PlimsollJSON

/// Sets a marketplace up, as people do at the REST interface.
struct MarketplaceHouse {
    let team: Team

    private static let host = "market.example.com"
    private static let root = "https://\(host)"
    private static let version = 878_123_456_789

    private static func item(_ number: Int) -> String { "\(10_737_747_000 + number)" }

    /// A marketplace with so many apps in it, each with a package that is offered.
    func open(apps: Int) throws {
        try register("tidewater")
        _ = try team.admin.send("PUT", "/v1/apps/tidewater/marketplace", Self.marketplace)
        for number in 1...apps { try offer(number) }
    }

    private func register(_ slug: String) throws {
        _ = try team.admin.send(
            "POST",
            "/v1/apps",
            [
                "slug": .string(slug), "name": .string(slug), "platforms": ["ios"],
                "languages": ["en"], "fallbackLanguage": "en",
            ]
        )
    }

    private func offer(_ number: Int) throws {
        let slug = "app-\(number)"
        try register(slug)
        _ = try team.admin.send(
            "PUT",
            "/v1/apps/\(slug)/listings/tidewater",
            ["item": .string(Self.item(number)), "bundle": .string("org.example.app\(number)")]
        )
        let version = "\(Self.version + number)"
        _ = try team.proposer.send(
            "POST",
            "/v1/apps/\(slug)/packages",
            [
                "version": .string(version), "shortVersion": "3.2.0", "bundleVersion": "412",
                "minimumSystems": [["platform": "ios", "version": "17.4"]],
                "address": .string("\(Self.root)/packages/\(version)/"),
                "manifest": .string(String(repeating: "0f", count: 32)),
            ]
        )
        let change = try team.propose(
            "Offer it",
            [["op": "setPackages", "platform": "ios", "packages": [.string(version)]]],
            to: try known(AppSlug(slug), "a slug")
        )
        try team.approve(change)
    }

    /// Returns once every app is offered to whom the port serves.
    func published(apps: Int, on port: UInt16) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        for number in 1...apps {
            while try !isOffered(number, on: port) {
                guard ContinuousClock.now < deadline else {
                    throw Failure(sentence: "what is offered was not published")
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func isOffered(_ number: Int, on port: UInt16) throws -> Bool {
        let path = "/distribution/app-\(number)/packages.json"
        let answer = try HTTPConnection(port: port).send("GET", path)
        let text = String(decoding: answer.body, as: UTF8.self)
        return answer.status == 200 && text.contains("/packages/\(Self.version + number)/")
    }

    private static let marketplace: JSONValue = [
        "item": "6497405838", "domains": [.string(host)],
        "restore": .string("\(root)/restore"), "updates": .string("\(root)/updates"),
        "dynamicLicense": .string("\(root)/licenses"), "pollingInterval": 24,
        "signingCertificate": .string("\(root)/signing.cer"),
        "encryptionCertificate": .string("\(root)/encryption.cer"), "audience": "everybody",
    ]

    /// What a device asks that has an old version of each app.
    private static func body(apps: Int) -> String {
        let list = (1...apps).map { #"{"appleItemId":"\#(item($0))","appleVersionId":"5"}"# }
        return #"{"apps":[\#(list.joined(separator: ","))],"platform":"iOS","osVersion":"18.0"}"#
    }

    /// What `wrk` sends.
    static func script(apps: Int) -> String {
        """
        wrk.method = "POST"
        wrk.headers["Host"] = "\(host)"
        wrk.headers["Content-Type"] = "application/json"
        wrk.body = '\(body(apps: apps))'
        """
    }

    /// How many tokens stand in the answer to what `wrk` sends.
    static func tokens(apps: Int, on port: UInt16) throws -> Int {
        let answer = try HTTPConnection(port: port).send(
            "POST",
            "/updates",
            host: host,
            body: Array(body(apps: apps).utf8)
        )
        let json = try JSONValue(parsing: answer.body, limits: JSONLimits(sizeMaximum: 1 << 20))
        return json["updates"]?.array?.count { $0["installVerificationToken"]?.string != nil } ?? 0
    }
}
