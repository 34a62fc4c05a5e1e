import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace

/// `plimsoll marketplace check`: what is wrong with a marketplace, as a device sees it from outside.
struct MarketplaceCheckCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Examine a marketplace from outside, whoever runs it, and say every fault.",
        discussion: """
            It reads /.well-known/marketplace-kit as devices may, and asks the addresses that stand \
            there for an app that nobody has. It sends no token that anybody gave. That nothing is \
            found does not mean that a device accepts it.

            The exit code is 1 where something is wrong.

            For example:
              plimsoll marketplace check https://market.example.com --domain example.com
            """
    )

    @Argument(help: "Where the marketplace is: a scheme and a host.")
    var address: String
    @Option(
        parsing: .singleValue,
        help: "A domain that is registered for it (default: the host); may be repeated."
    )
    var domain: [String] = []
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard domain.allSatisfy({ DomainName($0) != nil }) else {
            throw ValidationError("--domain needs to be \(DomainName.grammar).")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let place = ServiceAddress(address) else {
            throw ValidationError("\"\(excerpt(address))\" is not \(ServiceAddress.grammar).")
        }
        let limits = Transport.Limits(answerTimeout: .seconds(20), bytesMaximum: 4 << 20)
        let findings = try await Transport.with(limits) { transport in
            await MarketplaceCheck(place, on: domain.compactMap { DomainName($0) }) { request in
                try await transport.send(request)
            }.findings()
        }
        let isWell = findings.allSatisfy { $0.result != .bad }
        let json: JSONObject = [
            "ok": .bool(isWell), "checks": .array(findings.map { .object($0.json) }),
        ]
        output.show(Report(json, findings.flatMap(\.blocks)))
        return isWell ? .done : .failed
    }
}

/// Asks a marketplace as devices do, and holds what it answers against what Apple says.
struct MarketplaceCheck {
    private let address: ServiceAddress
    private let domains: [DomainName]
    private let send: (WebRequest) async throws -> WebAnswer

    private static let path = "/.well-known/marketplace-kit"
    private static let name = "configuration"
    /// For an app that nobody has.
    private static let question =
        #"{"apps":[{"appleItemId":"1","appleVersionId":"1"}],"platform":"iOS","osVersion":"26.0"}"#

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
        for url in examination.restore { findings += await answers("restores", at: url) }
        for url in examination.updates { findings += await answers("updates", at: url) }
        return findings
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

    /// Without a token, with one that nobody issued, and without saying what the body is.
    private func answers(_ list: String, at url: EndpointURL) async -> [Finding] {
        let json = (name: "content-type", value: "application/json")
        let token = (name: "authorization", value: "Bearer nobody.issued.this")
        let questions: [(name: String, headers: [(name: String, value: String)])] = [
            (list, [json]), ("\(list) without a content type", []),
            ("\(list) with a bad token", [json, token]),
        ]
        var findings: [Finding] = []
        for question in questions {
            let hasToken = question.headers.contains { $0.name == "authorization" }
            do {
                let answer = try await send(
                    WebRequest(
                        .post,
                        url.text,
                        headers: question.headers,
                        body: Array(Self.question.utf8)
                    )
                )
                findings += self.findings(question.name, list, answer, hasToken: hasToken)
            } catch {
                findings.append(.bad(question.name, error, "Answer devices at \(url)."))
            }
        }
        return findings
    }

    private func findings(
        _ name: String,
        _ list: String,
        _ answer: WebAnswer,
        hasToken: Bool
    ) -> [Finding] {
        switch answer.status {
        case 200:
            let faults = AnswerExamination.faults(of: answer.body, listing: list)
            guard !faults.isEmpty else {
                return [.good(name, "200, with \(list) and failures")]
            }
            return faults.map {
                .bad(name, legible($0.description), "Answer as Apple describes it.")
            }
        case 401 where !hasToken, 403 where hasToken:
            return [.good(name, "\(answer.status): a token is asked for")]
        case 401:
            let detail = "401 to a token that is bad; that is the answer to none."
            return [.bad(name, detail, "Answer 403.")]
        case 403:
            let detail = "403 without a token; that is the answer to a bad one."
            return [.bad(name, detail, "Answer 401.")]
        case 404:
            let detail = "404; an app that is not there is a failure in an answer with 200."
            return [.bad(name, detail, "Answer 200 with failures.")]
        default:
            return [.bad(name, "It answers \(answer.status).", "Answer 200, 401 or 403.")]
        }
    }
}
