import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace

extension MarketplaceCheck {
    /// What there is to say of an address, as far as a stranger can tell.
    func findings(at asked: KitExamination.Asked) async -> [Finding] {
        switch asked.kind {
        case .restore: await packages("restores", at: asked.url)
        case .updates: await packages("updates", at: asked.url)
        case .dynamicLicense: await licenses("dynamic licences", at: asked.url)
        case .licenseRenewal: await licenses("renewals", at: asked.url)
        case .licenseResolution: await page(at: asked.url)
        case .signingCertificate: await certificate("signing certificate", at: asked.url)
        case .encryptionCertificate: await certificate("encryption certificate", at: asked.url)
        }
    }

    /// How an address is asked: without a token, without saying what the body is, and with a token
    /// that nobody issued.
    private struct Way {
        let name: String
        var headers: [(name: String, value: String)] = []
        var hasToken = false

        static func all(_ name: String) -> [Way] {
            let json = (name: "content-type", value: "application/json")
            let token = (name: "authorization", value: "Bearer nobody.issued.this")
            return [
                Way(name: name, headers: [json]), Way(name: "\(name) without a content type"),
                Way(name: "\(name) with a bad token", headers: [json, token], hasToken: true),
            ]
        }
    }

    private func answers(
        _ name: String,
        to body: String,
        at url: EndpointURL,
        _ examine: (Way, WebAnswer) -> [Finding]
    ) async -> [Finding] {
        var findings: [Finding] = []
        for way in Way.all(name) {
            let request = WebRequest(
                .post,
                url.text,
                headers: way.headers,
                body: Array(body.utf8)
            )
            do {
                let answer = try await send(request)
                findings += refusal(of: way, answer.status).map { [$0] } ?? examine(way, answer)
            } catch {
                findings.append(.bad(way.name, error, "Answer devices at \(url)."))
            }
        }
        return findings
    }

    /// What 401 and 403 mean depends on whether there was a token.
    private func refusal(of way: Way, _ status: Int) -> Finding? {
        switch status {
        case 401 where !way.hasToken, 403 where way.hasToken:
            return .good(way.name, "\(status): a token is asked for")
        case 401:
            let detail = "401 to a token that is bad; that is the answer to none."
            return .bad(way.name, detail, "Answer 403.")
        case 403:
            let detail = "403 without a token; that is the answer to a bad one."
            return .bad(way.name, detail, "Answer 401.")
        default: return nil
        }
    }

    // MARK: Restores and updates

    private func packages(_ list: String, at url: EndpointURL) async -> [Finding] {
        // For an app that nobody has.
        let question =
            #"{"apps":[{"appleItemId":"1","appleVersionId":"1"}],"#
            + #""platform":"iOS","osVersion":"26.0"}"#
        return await answers(list, to: question, at: url) { way, answer in
            switch answer.status {
            case 200:
                let faults = AnswerExamination.faults(of: answer.body, listing: list)
                guard !faults.isEmpty else {
                    return [.good(way.name, "200, with \(list) and failures")]
                }
                return faults.map {
                    .bad(way.name, legible($0.description), "Answer as Apple describes it.")
                }
            case 404:
                let detail = "404; an app that is not there is a failure in an answer with 200."
                return [.bad(way.name, detail, "Answer 200 with failures.")]
            default:
                let detail = "It answers \(answer.status)."
                return [.bad(way.name, detail, "Answer 200, 401 or 403.")]
            }
        }
    }

    // MARK: Licences

    /// A request that a device could send needs its keys, so one is sent that is none.
    private func licenses(_ name: String, at url: EndpointURL) async -> [Finding] {
        await answers(name, to: "{}", at: url) { way, answer in
            switch answer.status {
            case 400, 422:
                return [.good(way.name, "\(answer.status) to what is no request")]
            case 200..<300:
                let detail = "\(answer.status) to what is no request for licences."
                return [.bad(way.name, detail, "Answer 400 to it.")]
            case 501:
                let detail = "501: nobody makes licences there."
                return [.bad(way.name, detail, "Set up who makes them.")]
            default:
                return [.bad(way.name, "It answers \(answer.status).", "Answer devices at \(url).")]
            }
        }
    }

    // MARK: What is fetched

    private func certificate(_ name: String, at url: EndpointURL) async -> [Finding] {
        await fetched(name, url.text) { answer in
            guard answer.status == 200 else { return (answer.status.told, "Answer 200.") }
            guard AnswerExamination.isCertificate(answer.body) else {
                return ("What lies at \(url) is no certificate.", "Serve the certificate there.")
            }
            return nil
        }
    }

    /// People are led there, so it may lead on.
    private func page(at url: EndpointURL) async -> [Finding] {
        let query = "account=nobody&appleItemID=1&appleVersionID=1"
        let address = url.text + (url.text.contains("?") ? "&" : "?") + query
        return await fetched("resolution page", address) { answer in
            (200..<400).contains(answer.status)
                ? nil : (answer.status.told, "Show people what they can do about a licence.")
        }
    }

    /// Who is not there is not missed: a marketplace may be for everybody.
    func metadata(at address: ServiceAddress) async -> [Finding] {
        let name = "oauth-authorization-server"
        let path = "/.well-known/\(name)"
        do {
            let answer = try await send(WebRequest(.get, address.text + path))
            switch answer.status {
            case 200:
                let faults = AnswerExamination.faults(ofMetadata: answer.body)
                guard !faults.isEmpty else { return [.good(name, "it is as RFC 8414 has it")] }
                return faults.map {
                    .bad(name, legible($0.description), "Mend it there.")
                }
            case 404:
                return [.unchecked(name, "There is none: it is needed where an app is restricted.")]
            default: return [.bad(name, "\(path) \(answer.status.told)", "Answer 200 or 404.")]
            }
        } catch {
            return [.bad(name, error, "Answer at \(path).")]
        }
    }

    private func fetched(
        _ name: String,
        _ url: String,
        _ fault: (WebAnswer) -> (detail: String, remedy: String)?
    ) async -> [Finding] {
        do {
            let answer = try await send(WebRequest(.get, url))
            guard let fault = fault(answer) else { return [.good(name, "it is there")] }
            return [.bad(name, fault.detail, fault.remedy)]
        } catch {
            return [.bad(name, error, "Answer at \(excerpt(url)).")]
        }
    }
}

extension Int {
    /// Of a status that is not the right one.
    fileprivate var told: String {
        (300..<400).contains(self)
            ? "It answers \(self); devices follow no redirect." : "It answers \(self)."
    }
}
