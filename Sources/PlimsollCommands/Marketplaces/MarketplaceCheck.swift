import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace

/// Asks a marketplace as devices do, and holds what it answers against what Apple says.
struct MarketplaceCheck {
    private let address: ServiceAddress
    private let domains: [DomainName]
    let send: (WebRequest) async throws -> WebAnswer

    private static let path = "/.well-known/marketplace-kit"
    private static let name = "configuration"

    /// Without domains it is the host that has to cover all addresses.
    init(
        _ address: ServiceAddress,
        on domains: [DomainName],
        _ send: @escaping (WebRequest) async throws -> WebAnswer
    ) {
        self.address = address
        let own = address.text.split(separator: "/").dropFirst().first?.prefix { $0 != ":" }
        let host = own.flatMap { DomainName(String($0)) }
        self.domains = domains.isEmpty ? [host].compactMap(\.self) : domains
        self.send = send
    }

    func findings() async -> [Finding] {
        var findings: [Finding] = []
        if !address.text.hasPrefix("https://") {
            findings.append(
                .bad(Self.name, "\(address) is not encrypted.", "Serve it with a certificate.")
            )
        }
        let (readings, body) = await configuration()
        findings += readings
        guard let body else { return findings }
        let examination = KitExamination(body, on: domains)
        for fault in examination.faults {
            findings.append(.bad(Self.name, legible(fault.description), "Mend it there."))
        }
        for warning in examination.warnings {
            findings.append(.unchecked(Self.name, legible(warning.description)))
        }
        if examination.faults.isEmpty {
            findings.append(.good(Self.name, "it is as Apple describes it"))
        }
        for asked in examination.asked { findings += await self.findings(at: asked) }
        return findings + (await metadata(at: address))
    }

    /// However it is asked for, it is the same, at once and for everybody.
    private func configuration() async -> ([Finding], [UInt8]?) {
        let ways: [(name: String, method: WebRequest.Method, accept: String?)] = [
            ("GET", .get, nil), ("GET with Accept: */*", .get, "*/*"),
            ("GET with Accept: application/json", .get, "application/json"),
            ("GET with Accept: text/html", .get, "text/html"), ("HEAD", .head, nil),
        ]
        var findings: [Finding] = []
        var body: [UInt8]?
        for way in ways {
            let headers = way.accept.map { [(name: "accept", value: $0)] } ?? []
            do {
                let answer = try await send(
                    WebRequest(way.method, address.text + Self.path, headers: headers)
                )
                guard let fault = fault(answer.status) else {
                    if way.method == .get, let body, answer.body != body {
                        findings.append(
                            .bad(way.name, "Its bytes are others than before.", "Serve one file.")
                        )
                    }
                    if way.method == .get { body = body ?? answer.body }
                    continue
                }
                findings.append(.bad(way.name, "\(Self.path) \(fault)", "Answer 200 to it."))
            } catch {
                findings.append(.bad(way.name, error, "Serve \(Self.path) there."))
                return (findings, body)
            }
        }
        return (findings, body)
    }

    private func fault(_ status: Int) -> String? {
        switch status {
        case 200: nil
        case 300..<400: "answers \(status); devices follow no redirect."
        case 401, 403: "answers \(status); it is for everybody, without a token."
        default: "answers \(status)."
        }
    }
}
