package import PlimsollDomain
package import PlimsollJSON

/// What a device asks for.
package enum DeviceQuestion: String, CaseIterable, Sendable {
    case restore
    case updates

    /// The member of the answer that has what is offered.
    fileprivate var member: String { self == .restore ? "restores" : "updates" }
}

/// What a device is answered, before tokens are made: with 200, whatever becomes of each app.
package struct DeviceAnswer: Equatable, Sendable {
    package let question: DeviceQuestion
    package let offers: [Offered]
    package let failures: [Failed]
    /// Of each app of which nothing is said, why the newest version is not for the device.
    package let hindrances: [FailureReason?]

    /// A package that is offered of an app.
    package struct Offered: Equatable, Sendable {
        package let app: Storefront.App
        package let package: Package
        /// Where people read about the app.
        package let page: String?
    }

    /// An app of which nothing is offered, and why.
    package struct Failed: Equatable, Sendable {
        package let app: DeviceRequest.App
        package let reason: FailureReason
    }

    package init(_ question: DeviceQuestion, _ request: DeviceRequest, in storefront: Storefront) {
        self.question = question
        var (offers, failures): ([Offered], [Failed]) = ([], [])
        var hindrances: [FailureReason?] = []
        for app in question == .restore ? request.apps : request.installed {
            let outcome =
                switch question {
                case .restore: storefront.restore(app.item, app.version, to: request.device)
                case .updates:
                    storefront.update(app.item, installed: app.version, on: request.device)
                }
            switch outcome {
            case .offered(let listed, let package):
                let page = storefront.marketplace.landingPage?.address(of: listed.item)
                offers.append(Offered(app: listed, package: package, page: page))
            case .failed(let reason): failures.append(Failed(app: app, reason: reason))
            case .current:
                hindrances.append(
                    storefront.hindrance(app.item, installed: app.version, on: request.device)
                )
            }
        }
        (self.offers, self.failures, self.hindrances) = (offers, failures, hindrances)
    }
}

extension DeviceAnswer {
    /// The answer with a token for each app that is offered, made anew for it.
    package func json(_ token: (Offered) throws -> String) rethrows -> JSONObject {
        [
            question.member: .array(try offers.map { .object($0.json(try token($0), question)) }),
            "failures": .array(failures.map { .object($0.json) }),
        ]
    }
}

extension DeviceAnswer.Offered {
    fileprivate func json(_ token: String, _ question: DeviceQuestion) -> JSONObject {
        var json: JSONObject = [
            "appleItemId": .string(app.item.text),
            "appleVersionId": .string(package.version.text),
            "alternativeDistributionPackage": .string(package.folder),
            "installVerificationToken": .string(token),
        ]
        json["appShareURL"] = page.map { .string($0) }
        if question == .updates {
            json["bundleVersion"] = .string(package.bundleVersion.text)
            json["shortVersionString"] = .string(package.shortVersion.text)
        }
        return json
    }
}

extension Package {
    /// The address of the package, which is a folder.
    fileprivate var folder: String {
        address.text.hasSuffix("/") ? address.text : address.text + "/"
    }
}

extension DeviceAnswer.Failed {
    fileprivate var json: JSONObject {
        [
            "appleItemId": .string(app.item.text),
            "appleVersionId": .string(app.version?.text ?? "0"),
            "failure": ["code": 404, "description": .string(reason.sentence)],
        ]
    }
}

extension FailureReason {
    /// What the device is told.
    package var sentence: String {
        switch self {
        case .unlisted: "This app is not sold here."
        case .withdrawn: "This version was withdrawn."
        case .notOffered: "This version is not offered."
        case .platformMissing: "There is no package for this platform."
        case .systemTooOld: "This version needs a newer system."
        }
    }
}
